package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"unicode/utf8"

	"github.com/turncontext/turncontext/abi"
)

// session is what a client sent over the turns of one thread.
// testdata/examples/README.md describes the file.
type session struct {
	Turns []turn `json:"turns"`
}

type turn struct {
	Title string `json:"title"`
	// AdditionalContext is what the client sends, as JSON: nil if the member
	// is absent, which is shown apart from null and {}.
	AdditionalContext json.RawMessage `json:"additionalContext"`
	UserInput         string          `json:"userInput"`

	entries map[string]abi.Entry // what AdditionalContext holds
}

// sessionEntry is an entry as it stands in the file.
type sessionEntry struct {
	Value     *string  `json:"value"`
	ValueFile string   `json:"valueFile"`
	Kind      abi.Kind `json:"kind"`
}

// readSession reads a session and the files that it refers to, all from files,
// which is its folder. Errors name it by its path.
func readSession(files fs.FS, path string) (*session, error) {
	text, err := fs.ReadFile(files, filepath.Base(path))
	if inFolder, ok := errors.AsType[*fs.PathError](err); ok {
		err = inFolder.Err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var s session
	if err := decodeStrict(text, &s); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(s.Turns) == 0 {
		return nil, fmt.Errorf("%s: no turns", path)
	}
	for i := range s.Turns {
		if err := s.Turns[i].resolve(files); err != nil {
			return nil, fmt.Errorf("%s: turn %d: %w", path, i+1, err)
		}
	}
	return &s, nil
}

// resolve puts the contents of files in the place of their names.
func (t *turn) resolve(files fs.FS) error {
	if t.AdditionalContext == nil {
		return nil
	}
	var raw map[string]*sessionEntry // null under a patch
	if err := decodeStrict(t.AdditionalContext, &raw); err != nil {
		return fmt.Errorf("additionalContext: %w", err)
	}
	if raw == nil {
		return nil // null
	}
	t.entries = make(map[string]abi.Entry, len(raw))
	for key, entry := range raw {
		if entry == nil {
			t.entries[key] = abi.Entry{Removed: true}
			continue
		}
		value, err := entry.value(files)
		if err != nil {
			return fmt.Errorf("additionalContext, key %q: %w", key, err)
		}
		t.entries[key] = abi.Entry{Value: value, Kind: entry.Kind}
	}
	sent, err := json.Marshal(t.entries)
	t.AdditionalContext = sent
	return err
}

func (e sessionEntry) value(files fs.FS) (string, error) {
	switch {
	case (e.Value == nil) == (e.ValueFile == ""):
		return "", errors.New("needs either value or valueFile")
	case e.Value != nil:
		return *e.Value, nil
	}
	text, err := fs.ReadFile(files, e.ValueFile)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(text) {
		return "", fmt.Errorf("%s: not UTF-8", e.ValueFile)
	}
	return string(text), nil
}

// decodeStrict decodes one JSON text. A member that to does not have is an
// error: in a file that a person wrote it is a slip.
func decodeStrict(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("text after the JSON value")
	}
	return nil
}
