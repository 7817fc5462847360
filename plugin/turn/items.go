package turn

import (
	"github.com/turncontext/turncontext/plugin/json"
	"github.com/turncontext/turncontext/plugin/params"
)

// templates say for each variant how its items are written.
type templates [params.Variants]template

// template says what is written of an item: its fields, and what stands behind them, nothing if
// there are none; and whether it counts as a part of the message, and as an image.
type template struct {
	fields      []field
	after       string
	part, image int
}

// field is a value of an item: what stands before it, which of the item's strings or which
// number it is, and what stands for a string that is absent.
type field struct {
	before    string
	value     int
	otherwise string
}

// The numbers that are values.
const (
	atPart  = -1 - iota // how many parts are before the item
	imageNo             // how many images there are up to the item
)

// counts is what was counted up to an item.
type counts struct{ parts, images int }

// writeAll writes items, and goes on with what was counted.
func writeAll(w *json.Writer, text []byte, items []params.UserInput, t *templates, c *counts) {
	for len(items) > 0 {
		n := writeItems(w, text, items, t, c)
		if n == 0 {
			n = plainWriteItems(w, text, items[:1], t, c)
		}
		items = items[n:]
	}
}

// plainWriteItems writes items, counts them, and returns how many they are.
func plainWriteItems(w *json.Writer, text []byte, items []params.UserInput, templates *templates, c *counts) int {
	for i := range items {
		t := &templates[items[i].Variant]
		c.images += t.image
		for _, f := range t.fields {
			w.Text(f.before)
			switch {
			case f.value == atPart:
				w.Int(c.parts)
			case f.value == imageNo:
				w.Int(c.images)
			case items[i].Strings[f.value].IsAbsent():
				w.Text(f.otherwise)
			default:
				w.Inner(text, items[i].Strings[f.value])
			}
		}
		w.Text(t.after)
		c.parts += t.part
	}
	return len(items)
}
