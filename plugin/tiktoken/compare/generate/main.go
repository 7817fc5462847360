// Command generate writes the data that package tiktoken embeds, into the folder
// it is given: the vocabularies, from the files of tiktoken-go-loader, and the
// classes of characters, from Go's package unicode.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	tiktoken "github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: generate FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	for _, name := range []string{tiktoken.MODEL_CL100K_BASE, tiktoken.MODEL_O200K_BASE} {
		ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(name + ".tiktoken")
		if err != nil {
			return err
		}
		packed, err := pack(ranks)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, name+".merges"), packed, 0o644); err != nil {
			return err
		}
	}
	table, err := classTable()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "classes.bin"), table, 0o644)
}
