package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// violation is something that is wrong with a request.
type violation struct {
	at     int // where in the document it counts
	path   string
	reason string
	// unsupported is what this build cannot do, and no wrong value.
	unsupported bool
}

// checker collects all that is wrong, in any order.
type checker []violation

func (c *checker) add(at int, path, reason string) {
	*c = append(*c, violation{at: at, path: path, reason: reason})
}

// first returns the first violation in document order, nil if there is none.
func (c checker) first() *violation {
	if len(c) == 0 {
		return nil
	}
	slices.SortStableFunc(c, func(a, b violation) int { return cmp.Compare(a.at, b.at) })
	return &c[0]
}

// shape says what a value has to look like.
type shape func(c *checker, path string, v value)

// presence says whether a member has to stand.
type presence int

const (
	optional presence = iota
	required
	given // required, and null is the same as absent
)

// field is a known member of an object.
type field struct {
	name     string
	presence presence
	shape    shape
}

// isA is the shape of any value of a kind.
func isA(k kind) shape {
	return func(c *checker, path string, v value) {
		if v.kind != k {
			c.add(v.start, path, "expected "+string(k))
		}
	}
}

// anything is the shape of every value.
func anything(*checker, string, value) {}

func orNull(s shape) shape {
	return func(c *checker, path string, v value) {
		if v.kind != null {
			s(c, path, v)
		}
	}
}

// oneOf is the shape of a string that is one of the names. The noun says what
// it is.
func oneOf(noun string, names ...string) shape {
	return func(c *checker, path string, v value) {
		if v.kind != text {
			c.add(v.start, path, "expected a string")
			return
		}
		if slices.Contains(names, v.text) {
			return
		}
		last := len(names) - 1
		expected := fmt.Sprintf("%q", names[last])
		if last > 0 {
			expected = `"` + strings.Join(names[:last], `", "`) + `" or ` + expected
		}
		c.add(v.start, path, fmt.Sprintf("unknown %s %q, expected %s", noun, v.text, expected))
	}
}

// textOr is the shape of what is a string of one shape, or else of the other.
func textOr(words, other shape) shape {
	return func(c *checker, path string, v value) {
		if v.kind == text {
			words(c, path, v)
			return
		}
		other(c, path, v)
	}
}

func anInteger(c *checker, path string, v value) {
	if _, ok := v.integer(); !ok {
		c.add(v.start, path, "expected an integer")
	}
}

func listOf(item shape) shape {
	return func(c *checker, path string, v value) {
		isA(array)(c, path, v)
		for i, value := range v.items {
			item(c, fmt.Sprintf("%s[%d]", path, i), value)
		}
	}
}

// objectOf is the shape of an object that has these fields; other members are
// ignored.
func objectOf(fields ...field) shape {
	return fieldsOr(anything, fields...)
}

// mapOf is the shape of an object whose members have any names.
func mapOf(member shape) shape {
	return fieldsOr(member)
}

// closed is the shape of an object that has no other members than these.
func closed(fields ...field) shape {
	return func(c *checker, path string, v value) {
		objectOf(fields...)(c, path, v)
		for _, m := range v.members {
			if !slices.ContainsFunc(fields, func(f field) bool { return f.name == m.name }) {
				c.add(m.start, join(path, m.name), "unknown")
			}
		}
	}
}

// fieldsOr is the shape of an object that has these fields, and other members
// of the shape given.
func fieldsOr(other shape, fields ...field) shape {
	return func(c *checker, path string, v value) {
		isA(object)(c, path, v)
		seen := map[string]bool{}
		for _, m := range v.members {
			at := join(path, m.name)
			if seen[m.name] {
				c.add(m.start, at, "stands twice")
				continue
			}
			seen[m.name] = true
			shapeOf(m.name, fields, other)(c, at, m.value)
		}
		if v.kind != object {
			return
		}
		for _, f := range fields {
			if f.presence == required && v.find(f.name) == nil || f.presence == given && v.given(f.name) == nil {
				c.add(v.end, join(path, f.name), "missing")
			}
		}
	}
}

func shapeOf(name string, fields []field, other shape) shape {
	for _, f := range fields {
		if f.name != name {
			continue
		}
		if f.presence == given {
			return orNull(f.shape)
		}
		return f.shape
	}
	return other
}

// variant is one of the shapes between which a member "type" decides.
type variant struct {
	name   string
	fields []field
}

func variants(all ...variant) shape {
	var names []string
	shapes := map[string]shape{}
	for _, one := range all {
		names = append(names, one.name)
		shapes[one.name] = objectOf(append(one.fields, field{"type", required, isA(text)})...)
	}
	none := objectOf(field{"type", required, oneOf("type", names...)})
	return func(c *checker, path string, v value) {
		if tag := v.find("type"); tag != nil && tag.kind == text && shapes[tag.text] != nil {
			shapes[tag.text](c, path, v)
			return
		}
		none(c, path, v)
	}
}

// join puts a name behind a path (abi/README.md, "Paths and offsets").
func join(path, name string) string {
	switch {
	case !isName(name):
		return path + "[" + quote(name) + "]"
	case path == "":
		return name
	}
	return path + "." + name
}

func isName(s string) bool {
	for i, c := range s {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
