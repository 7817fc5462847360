//go:build !race

package host

// raceDetector is false in an ordinary test run.
const raceDetector = false
