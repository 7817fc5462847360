package model

import (
	"strings"

	"github.com/turncontext/turncontext/abi"
)

// note is what an announced removal says in place of a value.
const note = "[no longer applies]"

// Fragment is one context message.
type Fragment struct {
	Role      string
	Text      string
	Truncated *abi.Truncated // nil if the value was not cut
	Warnings  []abi.Warning  // of the value and the key, in the order of a receipt
}

// Render writes an entry as the model is told of it: strip, cut, escape, wrap
// (design, "Policy").
func Render(key string, entry abi.Entry, p Policy) Fragment {
	value := entry.Value
	if p.ControlCharacters == "strip" {
		value = Strip(value)
	}
	k := p.cut(key, value)
	opening, closing := p.tags(key, entry.Kind)
	return Fragment{
		Role:      role(entry.Kind),
		Text:      opening + p.escape(k.beginning) + k.marker + p.escape(k.end) + closing,
		Truncated: k.truncated,
		Warnings:  append(p.warnKey(key, entry.Kind), warnValue(k.text(), closing)...),
	}
}

// renderNote writes that an entry of that kind is no more.
func renderNote(key string, kind abi.Kind, p Policy) Fragment {
	opening, closing := p.tags(key, kind)
	return Fragment{Role: role(kind), Text: opening + note + closing, Warnings: p.warnKey(key, kind)}
}

func (p Policy) cut(key, value string) kept {
	if p.StrictBudget {
		return cutStrictly(value, p.maxValueTokens(key), p.truncation(key), p.escape)
	}
	return cut(value, p.maxValueTokens(key), p.truncation(key))
}

func role(kind abi.Kind) string {
	if kind == abi.Application {
		return "developer"
	}
	return "user"
}

// tags returns what stands around a value (design, "Render" and "Policy":
// wrapper).
func (p Policy) tags(key string, kind abi.Kind) (opening, closing string) {
	if p.Wrapper == "attribute" {
		name := "external_context"
		if kind == abi.Application {
			name = "application_context"
		}
		return "<" + name + ` source="` + escapeKey(key) + `">`, "</" + name + ">"
	}
	name := "external_" + key
	if kind == abi.Application {
		name = key
	}
	return "<" + name + ">", "</" + name + ">"
}

// escape escapes a value, where the wrapper does.
func (p Policy) escape(value string) string {
	if p.Wrapper == "attribute" {
		return escapeValue(value)
	}
	return value
}

// The escapes of the attribute wrapper (design, "Exact details").
var (
	escapeValue = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace
	escapeKey   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;",
		`"`, "&quot;", "\t", "&#9;", "\n", "&#10;", "\r", "&#13;").Replace
	unescapeKey = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">",
		"&quot;", `"`, "&#9;", "\t", "&#10;", "\n", "&#13;", "\r").Replace
)

func (p Policy) warnKey(key string, kind abi.Kind) []abi.Warning {
	if p.Wrapper == "reference" && kind == abi.Untrusted && strings.Contains(key, ">") {
		return []abi.Warning{abi.KeyHasGT}
	}
	return nil
}

// warnValue looks at the value as it was cut, before it is escaped.
func warnValue(value, closing string) []abi.Warning {
	var warnings []abi.Warning
	if strings.Contains(value, closing) {
		warnings = append(warnings, abi.ValueHasClosingTag)
	}
	if strings.ContainsFunc(value, isControl) {
		warnings = append(warnings, abi.ControlCharacters)
	}
	return warnings
}
