// Package examples embeds the example session, so that the command line can
// show it wherever it runs. README.md describes the format.
package examples

import "embed"

// Session is the name of the session in Files.
const Session = "session.json"

// Files holds the session and the files that it refers to.
//
//go:embed session.json ci.log cache.go.txt terminal.ansi
var Files embed.FS
