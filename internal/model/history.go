package model

import (
	"fmt"

	"github.com/turncontext/turncontext/abi"
)

// part is one text of a message in a history.
type part struct{ role, text string }

// isMessage reports whether an item is a user's or a developer's message. What
// it lacks for that is no error.
func isMessage(item value) bool {
	kind, role, content := item.find("type"), item.find("role"), item.find("content")
	switch {
	case kind != nil && (kind.kind != text || kind.text != "message"):
		return false
	case role == nil || role.kind != text || role.text != "user" && role.text != "developer":
		return false
	}
	return content != nil && (content.kind == text || content.kind == array)
}

// parts returns the texts of an item, none if it is no message.
func parts(item value) []part {
	if !isMessage(item) {
		return nil
	}
	role, content := item.find("role").text, item.find("content")
	if content.kind == text {
		return []part{{role, content.text}}
	}
	var all []part
	for _, p := range content.items {
		kind, words := p.find("type"), p.find("text")
		if kind != nil && kind.kind == text && kind.text == abi.TextContent && words != nil && words.kind == text {
			all = append(all, part{role, words.text})
		}
	}
	return all
}

// historyItem is the shape of an item: an object, of which only what may be read
// is checked, and that only for names that stand twice. Whether it is a message
// makes no difference here.
func historyItem(c *checker, path string, v value) {
	objectOf()(c, path, v)
	content := v.find("content")
	if content == nil {
		return
	}
	for i, p := range content.items {
		if p.kind == object {
			objectOf()(c, fmt.Sprintf("%s[%d]", join(path, "content"), i), p)
		}
	}
}
