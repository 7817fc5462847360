package json

// Fill writes a template: its pieces, with the values between them, which are one
// fewer. That takes one step where to write them one by one takes many.
func (w *Writer) Fill(template, values []string) { fill(w, template, values) }

// Filling returns s as a value for Fill: its bytes between the quotes. It is no longer
// right when the text changes. s is not Foreign.
func (s String) Filling(text []byte) string { return Filling(s.Raw(text)) }

// Filling returns b as a value for Fill. It is no longer right when b changes.
func Filling(b []byte) string { return asString(b) }

// plainFill does what Fill says.
func plainFill(w *Writer, template, values []string) {
	for i, value := range values {
		w.Text(template[i])
		w.Text(value)
	}
	w.Text(template[len(values)])
}

// Join writes strings of the text, one at least, with what stands before the first, between
// two and behind the last.
func (w *Writer) Join(text []byte, strings []String, before, between, behind string) {
	last := len(strings) - 1
	w.Text(before)
	w.Each(text, strings[:last], between)
	w.Inner(text, strings[last])
	w.Text(behind)
}

// Each writes strings of the text, and behind each of them what comes after it.
func (w *Writer) Each(text []byte, strings []String, after string) {
	for len(strings) > 0 {
		n := each(w, text, strings, after)
		if n == 0 {
			n = plainEach(w, text, strings[:1], after)
		}
		strings = strings[n:]
	}
}

// LongForeign is how many bytes a Foreign string has at most that kernels rewrite: a longer one
// may be rewritten quicker.
const LongForeign = 64

// plainEach does what Each says, and returns for how many strings.
func plainEach(w *Writer, text []byte, strings []String, after string) int {
	for _, s := range strings {
		w.Inner(text, s)
		w.Text(after)
	}
	return len(strings)
}
