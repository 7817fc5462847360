package turn

import (
	"strconv"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/json"
	"github.com/turncontext/turncontext/plugin/params"
)

// userInput is what the user sent (the design, "User input").
type userInput []params.UserInput

// read reads the next value as the user's input.
func (u *userInput) read(r *json.Reader) {
	*u = (*u)[:0]
	if !r.Array() {
		return
	}
	for r.Item() {
		if r.Settled() {
			r.Skip()
			continue
		}
		*u = append(*u, params.UserInput{})
		(*u)[len(*u)-1].Read(r)
	}
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

// append appends the user's input as one message.
func (u userInput) append(dst, text []byte) []byte {
	dst = json.Append(dst, `{"source":"user","hidden":false,"item":{"type":"message","role":"user","content":[`)
	parts, unresolved := 0, 0
	for i := range u {
		if !isPart(&u[i]) {
			unresolved++
			continue
		}
		if parts > 0 {
			dst = json.Append(dst, `,`)
		}
		dst = appendPart(dst, text, &u[i])
		parts++
	}
	dst = json.Append(dst, `]}`)
	if unresolved > 0 {
		dst = u.appendUnresolved(dst, text)
	}
	return json.Append(dst, `}`)
}

// isPart reports whether the item is a part of the message's content as it is.
func isPart(item *params.UserInput) bool {
	return item.Variant == params.VariantText || item.Variant == params.VariantImage
}

// appendPart appends the part of content that an item is.
func appendPart(dst, text []byte, item *params.UserInput) []byte {
	if item.Variant == params.VariantText {
		dst = json.Append(dst, `{"type":"input_text","text":`)
		dst = json.AppendString(dst, text, item.Strings[params.TextText])
		return json.Append(dst, `}`)
	}
	dst = json.Append(dst, `{"type":"input_image","image_url":`)
	dst = json.AppendString(dst, text, item.Strings[params.ImageURL])
	dst = json.Append(dst, `,"detail":`)
	dst = appendDetail(dst, text, item.Strings[params.ImageDetail])
	return json.Append(dst, `}`)
}

// appendDetail appends how closely the model is to look at an image.
func appendDetail(dst, text []byte, detail json.String) []byte {
	if detail.IsAbsent() {
		return json.Append(dst, `"high"`)
	}
	return json.AppendString(dst, text, detail)
}

// appendUnresolved appends the member that lists what is no part.
func (u userInput) appendUnresolved(dst, text []byte) []byte {
	dst = json.Append(dst, `,"unresolved":[`)
	parts, images := 0, 0
	first := true
	for i := range u {
		item := &u[i]
		if item.Variant == params.VariantImage || item.Variant == params.VariantLocalImage {
			images++
		}
		if isPart(item) {
			parts++
			continue
		}
		if !first {
			dst = json.Append(dst, `,`)
		}
		first = false
		dst = json.Append(dst, `{"at":`)
		dst = strconv.AppendInt(dst, int64(parts), 10)
		dst = appendHostPart(dst, text, item, images)
		dst = json.Append(dst, `}`)
	}
	return json.Append(dst, `]`)
}

// appendHostPart appends the members of an item that only a host can resolve.
// number is the place of an image among all images.
func appendHostPart(dst, text []byte, item *params.UserInput, number int) []byte {
	switch item.Variant {
	case params.VariantLocalImage:
		dst = json.Append(dst, `,"type":"localImage","path":`)
		dst = json.AppendString(dst, text, item.Strings[params.LocalImagePath])
		dst = json.Append(dst, `,"detail":`)
		dst = appendDetail(dst, text, item.Strings[params.LocalImageDetail])
		dst = json.Append(dst, `,"number":`)
		return strconv.AppendInt(dst, int64(number), 10)
	case params.VariantSkill:
		dst = json.Append(dst, `,"type":"skill","name":`)
		dst = json.AppendString(dst, text, item.Strings[params.SkillName])
		dst = json.Append(dst, `,"path":`)
		return json.AppendString(dst, text, item.Strings[params.SkillPath])
	}
	dst = json.Append(dst, `,"type":"mention","name":`)
	dst = json.AppendString(dst, text, item.Strings[params.MentionName])
	dst = json.Append(dst, `,"path":`)
	return json.AppendString(dst, text, item.Strings[params.MentionPath])
}
