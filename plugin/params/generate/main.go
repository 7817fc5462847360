// Command generate compiles the JSON Schemas of params to the tables that
// package params checks them against. It runs in the folder of that package:
//
//	go generate ./plugin/params
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

const (
	schemas = "../../abi/schema" // from the folder of package params
	output  = "tables.go"
)

func main() {
	if err := run(schemas, output); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run writes the tables of the schemas in a folder to a file.
func run(folder, file string) error {
	source, err := generate(folder)
	if err != nil {
		return err
	}
	return os.WriteFile(file, source, 0o644)
}

// generate returns the Go source of the tables of the schemas in a folder.
func generate(folder string) ([]byte, error) {
	var roots []*document
	for _, name := range []string{"turn_start_params.schema.json", "turn_steer_params.schema.json"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		root, err := parseDocument(name, text)
		if err != nil {
			return nil, err
		}
		roots = append(roots, root)
	}
	tables, err := compile(roots[0], roots[1])
	if err != nil {
		return nil, err
	}
	return tables.source()
}
