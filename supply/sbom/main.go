// Command sbom writes what a module of WebAssembly is made of: a software bill
// of materials in CycloneDX's JSON, version 1.6. It tells the module's own
// checksum, and of each Go module in it the version and the checksum of go.sum.
// The same source gives the same bytes.
//
//	go run ./supply/sbom [-check] [-tags TAGS] FILE.wasm PACKAGE
//
// writes FILE.cdx.json, from FILE.wasm.gz or, without it, from FILE.wasm; with
// -check it compares, and fails if that is not what it would write.
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turncontext/turncontext/abi"
)

func main() {
	check := flag.Bool("check", false, "compare, and write nothing")
	tags := flag.String("tags", "", "the build tags of the module")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: sbom [-check] [-tags TAGS] FILE.wasm PACKAGE")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), flag.Arg(1), *tags, *check); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// run writes the bill of a module beside it, or compares the one that is there.
func run(wasm, pkg, tags string, check bool) error {
	bill, err := describe(wasm, pkg, tags)
	if err != nil {
		return err
	}
	path := strings.TrimSuffix(wasm, ".wasm") + ".cdx.json"
	if !check {
		return os.WriteFile(path, bill, 0o644)
	}
	written, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(written, bill) {
		return fmt.Errorf("%s is not what the module is made of: run make build", path)
	}
	return nil
}

// The parts of CycloneDX that are used here.
type (
	document struct {
		Format       string       `json:"bomFormat"`
		Spec         string       `json:"specVersion"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type    string `json:"type"`
		Ref     string `json:"bom-ref"`
		Name    string `json:"name"`
		Version string `json:"version"`
		Hashes  []hash `json:"hashes,omitempty"`
		PURL    string `json:"purl"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	dependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn"`
	}
)

// describe returns the bill of a module that was built from a package.
func describe(wasm, pkg, tags string) ([]byte, error) {
	module, err := readModule(wasm)
	if err != nil {
		return nil, err
	}
	parts, err := linked(pkg, tags)
	if err != nil {
		return nil, err
	}
	const sha = "SHA-256"
	sum := sha256.Sum256(module)
	whole := component{
		Type: "application", Ref: filepath.Base(wasm), Name: abi.Name, Version: abi.BuildVersion,
		Hashes: []hash{{sha, hex.EncodeToString(sum[:])}},
		PURL:   "pkg:golang/github.com/turncontext/turncontext@v" + abi.BuildVersion,
	}
	d := document{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{whole}}
	var refs []string
	for _, p := range parts {
		purl := "pkg:golang/" + p.Path + "@" + p.Version
		c := component{Type: "library", Ref: purl, Name: p.Path, Version: p.Version, PURL: purl}
		if p.Sum != "" {
			content, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(p.Sum, "h1:"))
			if err != nil {
				return nil, fmt.Errorf("the checksum of %s: %w", p.Path, err)
			}
			c.Hashes = []hash{{sha, hex.EncodeToString(content)}}
		}
		d.Components = append(d.Components, c)
		refs = append(refs, purl)
	}
	d.Dependencies = []dependency{{whole.Ref, refs}}
	text, err := json.MarshalIndent(d, "", "  ")
	return append(text, '\n'), err
}

// readModule unpacks FILE.wasm.gz, which is what the repository has, or reads
// FILE.wasm if there is none.
func readModule(path string) ([]byte, error) {
	packed, err := os.Open(path + ".gz")
	if errors.Is(err, fs.ErrNotExist) {
		return os.ReadFile(path)
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = packed.Close() }() // only read
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unpacked)
}

// A part is a Go module as `go list` tells it, or the standard library.
type part struct{ Path, Version, Sum string }

// linked returns the modules whose packages are in the build of a package for
// WebAssembly, in order, the standard library included.
func linked(pkg, tags string) ([]part, error) {
	list := exec.Command("go", "list", "-deps", "-tags", tags, "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Sum}}{{end}}{{end}}", pkg)
	list.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOWORK=off")
	list.Stderr = os.Stderr
	text, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	version, err := toolchain()
	if err != nil {
		return nil, err
	}
	parts := []part{{Path: "std", Version: version}}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 { // of this module, or the standard library
			continue
		}
		if len(fields) != 3 {
			return nil, fmt.Errorf("go.sum has no checksum of %q", line)
		}
		if p := (part{fields[0], fields[1], fields[2]}); !slices.Contains(parts, p) {
			parts = append(parts, p)
		}
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.Path, b.Path) })
	return parts, nil
}

// toolchain returns the version of the Go toolchain that go.mod pins.
func toolchain() (string, error) {
	text, err := exec.Command("go", "mod", "edit", "-json").Output()
	if err != nil {
		return "", fmt.Errorf("go mod edit: %w", err)
	}
	var mod struct{ Toolchain string }
	if err := json.Unmarshal(text, &mod); err != nil {
		return "", err
	}
	version, ok := strings.CutPrefix(mod.Toolchain, "go")
	if !ok {
		return "", fmt.Errorf("go.mod pins no toolchain, but %q", mod.Toolchain)
	}
	return version, nil
}
