// Package jsonobject reads JSON objects as the module does: names as they are,
// upper and lower case, and none twice. encoding/json lets both pass.
package jsonobject

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Members returns the members of an object by their names, each value as it
// stands. The text has to be one object and nothing else but white space. Unless
// the text is not JSON, the error goes on where a sentence begins with what the
// text is: "is not an object".
func Members(text []byte) (map[string]json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if open, err := decoder.Token(); err != nil {
		return nil, err
	} else if open != json.Delim('{') {
		return nil, errors.New("is not an object")
	}
	members := map[string]json.RawMessage{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		name := token.(string) // a Decoder takes nothing else for a name
		if _, twice := members[name]; twice {
			return nil, fmt.Errorf("has the member %q twice", name)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		members[name] = value
	}
	if _, err := decoder.Token(); err != nil { // the closing brace
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("has text after the object")
	}
	return members, nil
}
