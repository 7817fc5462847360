// Command texts writes the texts of the count test, each as JSON in a line of
// its own.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/turncontext/turncontext/plugin/tiktoken/internal/texts"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "texts:", err)
		os.Exit(1)
	}
}

func run() error {
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	for _, text := range texts.All() {
		if err := encoder.Encode(text); err != nil {
			return err
		}
	}
	return out.Flush()
}
