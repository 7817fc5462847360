//go:build !linux

package smalldisk
