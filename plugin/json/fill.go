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
		w.buffer = append(w.buffer, template[i]...)
		w.buffer = append(w.buffer, value...)
	}
	w.buffer = append(w.buffer, template[len(values)]...)
}
