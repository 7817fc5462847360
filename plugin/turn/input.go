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
	maxText     = len(textStart + partEnd)
	maxImage    = len(imageStart + detailStart + partEnd)
	maxHostPart = len(hostStart+localImageStart+detailStart+numberStart+partEnd) + 2*len("2147483647")
)

// messageStart and messageEnd stand around the parts of the message.
const (
	messageStart = `{"source":"user","hidden":false,"item":{"type":"message","role":"` + abi.UserRole + `","content":[`
	messageEnd   = `]}`
)

// maxBytes bounds what write writes, and a comma before it.
func (u userInput) maxBytes() int {
	total := len(`,` + messageStart + messageEnd + unresolvedStart + unresolvedEnd + `}`)
	for i := range u {
		item := &u[i]
		strings := &item.Strings
		switch item.Variant {
		case params.VariantText:
			total += maxText + rawBytes(strings[params.InputText])
		case params.VariantImage:
			total += maxImage + rawBytes(strings[params.InputURL]) + max(len(defaultDetail), rawBytes(strings[params.InputDetail]))
		case params.VariantLocalImage:
			total += maxHostPart + rawBytes(strings[params.InputPath]) + max(len(defaultDetail), rawBytes(strings[params.InputDetail]))
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
	var parts counts
	writeAll(w, text, u, &partTemplates, &parts)
	if parts.parts > 0 {
		w.Extend(-len(`,`))
	}
	w.Text(messageEnd)
	if parts.parts < len(u) {
		w.Text(unresolvedStart)
		writeAll(w, text, u, &hostTemplates, &counts{})
		w.Extend(-len(`,`))
		w.Text(unresolvedEnd)
	}
	w.Text(`}`)
}

// What stands around the values of items.
const (
	textStart   = `{"type":"` + abi.TextContent + `","text":"`
	textEnd     = `"}`
	imageStart  = `{"type":"` + abi.ImageContent + `","image_url":"`
	detailStart = `","detail":"`
	partEnd     = textEnd + `,`

	hostStart       = `{"at":`
	localImageStart = `,"type":"localImage","path":"`
	numberStart     = `","number":`
	numberEnd       = `},`
	skillStart      = `,"type":"skill","name":"`
	mentionStart    = `,"type":"mention","name":"`
	pathStart       = `","path":"`

	unresolvedStart = `,"unresolved":[`
	unresolvedEnd   = `]`
)

// defaultDetail is how closely the model is to look at an image if nobody says it.
const defaultDetail = "high"

// partTemplates are those of what is a part of the message's content as it is, hostTemplates
// those of what only a host can resolve.
var (
	partTemplates = templates{
		params.VariantText: {part: 1, after: partEnd, fields: []field{{textStart, params.InputText, ""}}},
		params.VariantImage: {part: 1, after: partEnd, fields: []field{
			{imageStart, params.InputURL, ""}, {detailStart, params.InputDetail, defaultDetail}}},
	}
	hostTemplates = templates{
		params.VariantText:  {part: 1},
		params.VariantImage: {part: 1, image: 1},
		params.VariantLocalImage: {image: 1, after: numberEnd, fields: []field{
			{hostStart, atPart, ""}, {localImageStart, params.InputPath, ""}, {detailStart, params.InputDetail, defaultDetail}, {numberStart, imageNo, ""}}},
		params.VariantSkill: {after: partEnd, fields: []field{
			{hostStart, atPart, ""}, {skillStart, params.InputName, ""}, {pathStart, params.InputPath, ""}}},
		params.VariantMention: {after: partEnd, fields: []field{
			{hostStart, atPart, ""}, {mentionStart, params.InputName, ""}, {pathStart, params.InputPath, ""}}},
	}
)
