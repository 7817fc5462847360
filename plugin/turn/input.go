package turn

import (
	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/json"
	"github.com/turncontext/turncontext/plugin/params"
)

// userInput is what the user sent (abi/README.md, "Params and user input").
type userInput []params.UserInput

// read reads the next value as the user's input.
func (u *userInput) read(r *json.Reader) {
	*u = (*u)[:0]
	begin := r.Offset()
	if !r.Array() {
		return
	}
	for form := 0; r.Item(); {
		if r.Settled() {
			r.SkipRest()
			return
		}
		n := len(*u)
		if n == cap(*u) {
			*u = json.Grow(*u, r.More(n, begin))
		}
		*u = (*u)[:n+1]
		form = (*u)[n].Read(r, form)
	}
}

// addText adds an item that is a text.
func (u *userInput) addText(text json.String) {
	n := len(*u)
	*u = json.Grow(*u, 1)[:n+1]
	(*u)[n].SetText(text)
}

// chars counts the Unicode scalars of all text items. It need not be right if
// it is at most abi.MaxTextChars.
func (u userInput) chars(text []byte) int {
	total := 0
	for i := range u {
		if u[i].Variant == params.VariantText {
			total += len(u[i].Strings[params.TextText].Raw(text))
		}
	}
	if total <= abi.MaxTextChars {
		return total // no character takes less than a byte
	}
	total = 0
	for i := range u {
		if u[i].Variant == params.VariantText {
			total += json.Chars(text, u[i].Strings[params.TextText])
		}
	}
	return total
}

// Bounds for what is written around an item of the input: one that is a part, and
// one that only a host can resolve.
const (
	maxPart     = len(`,{"type":"input_image","image_url":"","detail":"high"}`)
	maxHostPart = len(`,{"at":,"type":"localImage","path":"","detail":"high","number":}`) + 2*len("2147483647")
)

// maxBytes bounds what write writes, and a comma before it.
func (u userInput) maxBytes() int {
	total := len(`,{"source":"user","hidden":false,"item":{"type":"message","role":"user","content":[]},"unresolved":[]}`)
	for i := range u {
		if isPart(&u[i]) {
			total += maxPart
		} else {
			total += maxHostPart
		}
		for _, s := range &u[i].Strings {
			total += rawBytes(s)
		}
	}
	return total
}

// oneText is the input where it is one text.
var oneText = []string{
	`{"source":"user","hidden":false,"item":{"type":"message","role":"user","content":[{"type":"input_text","text":"`, `"}]}}`,
}

// write writes the user's input as one message.
func (u userInput) write(w *json.Writer, text []byte) {
	if len(u) == 1 && u[0].Variant == params.VariantText && u[0].Strings[params.TextText].Form < json.Foreign {
		w.Fill(oneText, []string{u[0].Strings[params.TextText].Filling(text)})
		return
	}
	w.Text(`{"source":"user","hidden":false,"item":{"type":"message","role":"user","content":[`)
	unresolved := false
	for i := range u {
		if isPart(&u[i]) {
			w.Comma()
			writePart(w, text, &u[i])
		} else {
			unresolved = true
		}
	}
	w.Text(`]}`)
	if unresolved {
		u.writeUnresolved(w, text)
	}
	w.Text(`}`)
}

// isPart reports whether the item is a part of the message's content as it is.
func isPart(item *params.UserInput) bool {
	return item.Variant == params.VariantText || item.Variant == params.VariantImage
}

// What stands around the strings of a part, and of an image that only a host can resolve.
var (
	textPart   = []string{`{"type":"input_text","text":"`, `"}`}
	imagePart  = []string{`{"type":"input_image","image_url":"`, `","detail":"`, `"}`}
	localImage = []string{`,"type":"localImage","path":"`, `","detail":"`, `","number":`}
)

// writePart writes the part of content that an item is.
func writePart(w *json.Writer, text []byte, item *params.UserInput) {
	if item.Variant == params.VariantText {
		w.Fill(textPart, []string{filling(text, &item.Strings[params.TextText])})
		return
	}
	w.Fill(imagePart, []string{filling(text, &item.Strings[params.ImageURL]), detail(text, &item.Strings[params.ImageDetail])})
}

// filling returns s as a value for Fill. It is rewritten in place if it is Foreign.
func filling(text []byte, s *json.String) string {
	json.Normalise(text, s)
	return s.Filling(text)
}

// detail returns how closely the model is to look at an image, as a value for Fill.
func detail(text []byte, s *json.String) string {
	if s.IsAbsent() {
		return "high"
	}
	return filling(text, s)
}

// writeUnresolved writes the member that lists what is no part.
func (u userInput) writeUnresolved(w *json.Writer, text []byte) {
	w.Text(`,"unresolved":[`)
	parts, images := 0, 0
	for i := range u {
		item := &u[i]
		if item.Variant == params.VariantImage || item.Variant == params.VariantLocalImage {
			images++
		}
		if isPart(item) {
			parts++
			continue
		}
		w.Comma()
		w.Text(`{"at":`)
		w.Int(parts)
		writeHostPart(w, text, item, images)
		w.Text(`}`)
	}
	w.Text(`]`)
}

// writeHostPart writes the members of an item that only a host can resolve.
// number is the place of an image among all images.
func writeHostPart(w *json.Writer, text []byte, item *params.UserInput, number int) {
	name, path := params.MentionName, params.MentionPath
	switch item.Variant {
	case params.VariantLocalImage:
		w.Fill(localImage, []string{filling(text, &item.Strings[params.LocalImagePath]), detail(text, &item.Strings[params.LocalImageDetail])})
		w.Int(number)
		return
	case params.VariantSkill:
		name, path = params.SkillName, params.SkillPath
		w.Text(`,"type":"skill","name":`)
	default:
		w.Text(`,"type":"mention","name":`)
	}
	w.String(text, item.Strings[name])
	w.Text(`,"path":`)
	w.String(text, item.Strings[path])
}
