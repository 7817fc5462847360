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
	for r.Item() {
		if r.Settled() {
			r.SkipRest()
			return
		}
		n := len(*u)
		if n == cap(*u) {
			*u = json.Grow(*u, r.More(n, begin))
		}
		if more := params.ReadItems(r, (*u)[n:cap(*u)]); more > 0 {
			*u = (*u)[:n+more]
			continue
		}
		*u = (*u)[:n+1]
		(*u)[n].Read(r)
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
			total += len(u[i].Strings[params.InputText].Raw(text))
		}
	}
	if total <= abi.MaxTextChars {
		return total // no character takes less than a byte
	}
	total = 0
	for i := range u {
		if u[i].Variant == params.VariantText {
			total += json.Chars(text, u[i].Strings[params.InputText])
		}
	}
	return total
}

// Bounds for what is written around an item of the input: a text, an image, and one that
// only a host can resolve.
const (
	maxText     = len(`,` + textStart + textEnd)
	maxImage    = len(`,` + imageStart + imageLast)
	maxHostPart = len(`,{"at":,"type":"localImage","path":"","detail":"high","number":}`) + 2*len("2147483647")
)

// messageStart and messageEnd stand around the parts of the message.
const (
	messageStart = `{"source":"user","hidden":false,"item":{"type":"message","role":"` + abi.UserRole + `","content":[`
	messageEnd   = `]}`
)

// maxBytes bounds what write writes, and a comma before it.
func (u userInput) maxBytes() int {
	total := len(`,` + messageStart + messageEnd + `,"unresolved":[]}`)
	for i := range u {
		item := &u[i]
		strings := &item.Strings
		switch item.Variant {
		case params.VariantText:
			total += maxText + rawBytes(strings[params.InputText])
		case params.VariantImage:
			total += maxImage + rawBytes(strings[params.InputURL]) + rawBytes(strings[params.InputDetail])
		case params.VariantLocalImage:
			total += maxHostPart + rawBytes(strings[params.InputPath]) + rawBytes(strings[params.InputDetail])
		default:
			total += maxHostPart + rawBytes(strings[params.InputName]) + rawBytes(strings[params.InputPath])
		}
	}
	return total
}

// oneText is the input where it is one text.
var oneText = []string{messageStart + textStart, textEnd + messageEnd + `}`}

// write writes the user's input as one message.
func (u userInput) write(w *json.Writer, text []byte) {
	if len(u) == 1 && u[0].Variant == params.VariantText && u[0].Strings[params.InputText].Form < json.Foreign {
		w.Fill(oneText, []string{u[0].Strings[params.InputText].Filling(text)})
		return
	}
	w.Text(messageStart)
	unresolved := false
	for rest := u; len(rest) > 0; {
		n := 1
		if isPart(&rest[0]) {
			n = writeParts(w, text, rest)
		} else {
			unresolved = true
		}
		rest = rest[n:]
	}
	w.Text(messageEnd)
	if unresolved {
		u.writeUnresolved(w, text)
	}
	w.Text(`}`)
}

// isPart reports whether the item is a part of the message's content as it is.
func isPart(item *params.UserInput) bool {
	return item.Variant == params.VariantText || item.Variant == params.VariantImage
}

// What stands around the strings of a part.
const (
	textStart   = `{"type":"` + abi.TextContent + `","text":"`
	textEnd     = `"}`
	imageStart  = `{"type":"` + abi.ImageContent + `","image_url":"`
	imageMiddle = `","detail":"`
	imageEnd    = `"}`

	imageLast = imageMiddle + defaultDetail + imageEnd // if nobody says how closely to look
)

// partRuns has, for each variant that is a part, which string it has, what stands around that,
// and what stands between two such strings in a run.
var partRuns = [...]struct {
	member  int
	part    []string
	between string
}{
	params.VariantText:  {params.InputText, []string{textStart, textEnd}, textEnd + `,` + textStart},
	params.VariantImage: {params.InputURL, []string{imageStart, imageLast}, imageLast + `,` + imageStart},
}

// fewParts is how many parts are written at once.
const fewParts = 16

var imageOfDetail = []string{imageStart, imageMiddle, imageEnd}

// writeParts writes the first item, which is a part, and those behind it that look the same
// but for one string. It returns how many.
func writeParts(w *json.Writer, text []byte, items []params.UserInput) int {
	w.Comma()
	first := &items[0]
	if hasDetail(first) {
		w.Fill(imageOfDetail, []string{filling(text, &first.Strings[params.InputURL]), filling(text, &first.Strings[params.InputDetail])})
		return 1
	}
	run := &partRuns[first.Variant]
	if len(items) == 1 || items[1].Variant != first.Variant {
		w.Fill(run.part, []string{filling(text, &first.Strings[run.member])})
		return 1
	}
	var strings [fewParts]json.String
	n := 0
	for n < len(strings) && n < len(items) && items[n].Variant == first.Variant && !hasDetail(&items[n]) {
		strings[n] = items[n].Strings[run.member]
		n++
	}
	w.Join(text, strings[:n], run.part[0], run.between, run.part[1])
	return n
}

// hasDetail reports whether the item is an image that says how closely to look at it.
func hasDetail(item *params.UserInput) bool {
	return item.Variant == params.VariantImage && !item.Strings[params.InputDetail].IsAbsent()
}

// filling returns s as a value for Fill. It is rewritten in place if it is Foreign.
func filling(text []byte, s *json.String) string {
	json.Normalise(text, s)
	return s.Filling(text)
}

// defaultDetail is how closely the model is to look at an image if nobody says it.
const defaultDetail = "high"

// writeUnresolved writes the member that lists what is no part; there is something.
func (u userInput) writeUnresolved(w *json.Writer, text []byte) {
	w.Text(`,"unresolved":[`)
	var digits json.Digits
	at, parts := "", 0 // what is written of the parts before
	images := 0
	for i, behind := 0, 0; i < len(u); i++ {
		item := &u[i]
		if item.Variant == params.VariantImage || item.Variant == params.VariantLocalImage {
			images++
		}
		if isPart(item) {
			behind++
			continue
		}
		if at == "" || parts != behind {
			at, parts = digits.Of(int32(behind)), behind
		}
		writeHostPart(w, text, item, at, images)
	}
	w.Extend(-len(`,`))
	w.Text(`]`)
}

// What stands around the values of an item that only a host can resolve.
var (
	localImage = []string{`{"at":`, `,"type":"localImage","path":"`, `","detail":"`, `","number":`, `},`}
	skill      = []string{`{"at":`, `,"type":"skill","name":"`, `","path":"`, `"},`}
	mention    = []string{`{"at":`, `,"type":"mention","name":"`, `","path":"`, `"},`}
)

// writeHostPart writes an item that only a host can resolve, and a comma. at says behind how many
// parts, number is the place of an image among all images.
func writeHostPart(w *json.Writer, text []byte, item *params.UserInput, at string, number int) {
	template, path := mention, filling(text, &item.Strings[params.InputPath])
	switch item.Variant {
	case params.VariantLocalImage:
		var digits json.Digits
		detail := defaultDetail
		if s := &item.Strings[params.InputDetail]; !s.IsAbsent() {
			detail = filling(text, s)
		}
		w.Fill(localImage, []string{at, path, detail, digits.Of(int32(number))})
		return
	case params.VariantSkill:
		template = skill
	}
	w.Fill(template, []string{at, filling(text, &item.Strings[params.InputName]), path})
}
