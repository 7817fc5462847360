package host

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/abi"
)

// webp is an image of one pixel.
const webp = "RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\x08\xfe\x07\x00"

// images returns an image of each type, by its media type.
func images(t testing.TB) map[string][]byte {
	t.Helper()
	picture := image.NewGray(image.Rect(0, 0, 3, 2))
	var asPNG, asJPEG, asGIF bytes.Buffer
	for _, err := range []error{png.Encode(&asPNG, picture), jpeg.Encode(&asJPEG, picture, nil), gif.Encode(&asGIF, picture, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return map[string][]byte{
		"image/png": asPNG.Bytes(), "image/jpeg": asJPEG.Bytes(), "image/gif": asGIF.Bytes(), "image/webp": []byte(webp),
	}
}

// write writes a file into a folder and returns its path.
func write(t testing.TB, dir, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// text is a part of content.
func text(s string) abi.Content { return abi.Content{Type: abi.TextContent, Text: s} }

// localImage is a user's message of one local image.
func localImage(path string) abi.Input {
	return abi.Input{
		Source: abi.SourceUser,
		Item:   abi.Item{Type: "message", Role: "user", Content: []abi.Content{}},
		Unresolved: []abi.Unresolved{
			{Type: abi.LocalImageInput, Path: path, Detail: "original", Number: 4},
		},
	}
}

// checkGiven fails the test unless the message has become an image.
func checkGiven(t *testing.T, input abi.Input, path, mediaType string, content []byte) {
	t.Helper()
	want := []abi.Content{
		text(`<image name=[Image #4] path="` + path + `">`),
		{
			Type: abi.ImageContent, Detail: "original",
			ImageURL: "data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString(content),
		},
		text(`</image>`),
	}
	if !reflect.DeepEqual(input.Item.Content, want) || input.Unresolved != nil {
		t.Errorf("got  %+v, unresolved %+v\nwant %+v", input.Item.Content, input.Unresolved, want)
	}
}

// checkMissing fails the test unless the message says why there is no image.
func checkMissing(t *testing.T, input abi.Input, path, why string) {
	t.Helper()
	want := []abi.Content{text(`[Image #4] ("` + path + `") could not be attached: ` + why + ".")}
	if !reflect.DeepEqual(input.Item.Content, want) || input.Unresolved != nil {
		t.Errorf("got  %+v, unresolved %+v\nwant %+v", input.Item.Content, input.Unresolved, want)
	}
}

func TestResolveImagesOfEachType(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	all := images(t)
	all["image/gif"] = append([]byte("GIF87a"), all["image/gif"][6:]...)
	for mediaType, content := range all {
		path := write(t, dir, "misleading name.txt", content)
		checkGiven(t, ResolveImages(localImage(path), ImageOptions{}), path, mediaType, content)
		relative := filepath.Join("..", filepath.Base(dir), "misleading name.txt")
		checkGiven(t, ResolveImages(localImage(relative), ImageOptions{Dir: dir}), relative, mediaType, content)
	}
	checkGiven(t, ResolveImages(localImage("a.gif"), ImageOptions{Dir: filepath.Dir(write(t, dir, "a.gif", images(t)["image/gif"]))}),
		"a.gif", "image/gif", images(t)["image/gif"])
}

// Without a folder, a relative path starts from the current one.
func TestResolveImagesFromTheCurrentFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	content := images(t)["image/png"]
	write(t, ".", "a \"b\".png", content)
	checkGiven(t, ResolveImages(localImage("a \"b\".png"), ImageOptions{}), "a \"b\".png", "image/png", content)
	checkMissing(t, ResolveImages(localImage(""), ImageOptions{}), "", "there is no such file")
}

func TestResolveImagesFailures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	picture := images(t)["image/png"]
	write(t, dir, "picture", picture)
	write(t, dir, "empty", nil)
	write(t, dir, "text", []byte("no image"))
	write(t, dir, "svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`))
	write(t, dir, "wave", []byte("RIFF\x1a\x00\x00\x00WAVEfmt "))
	write(t, dir, "half", []byte(webp[:13]))
	write(t, dir, "half png", picture[:7])
	const notImage = "it is not a PNG, JPEG, GIF or WebP image"
	for path, why := range map[string]string{
		"missing":           "there is no such file",
		"missing/picture":   "there is no such file",
		"":                  "it is not a regular file",
		".":                 "it is not a regular file",
		"pic\x00ture":       "it could not be read",
		"empty":             notImage,
		"text":              notImage,
		"svg":               notImage,
		"wave":              notImage,
		"half":              notImage,
		"half png":          notImage,
		"line\nbreak \"é\"": "there is no such file",
	} {
		checkMissing(t, ResolveImages(localImage(path), ImageOptions{Dir: dir}), path, why)
	}
}

func TestResolveImagesSize(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	picture := images(t)["image/png"]
	write(t, dir, "picture", picture)
	size := int64(len(picture))
	for _, most := range []int64{0, size, size + 1, math.MaxInt64} {
		checkGiven(t, ResolveImages(localImage("picture"), ImageOptions{Dir: dir, MaxBytes: most}), "picture", "image/png", picture)
	}
	for _, most := range []int64{1, size - 1, -1} {
		checkMissing(t, ResolveImages(localImage("picture"), ImageOptions{Dir: dir, MaxBytes: most}), "picture",
			fmt.Sprintf("it has more than %d bytes", most))
	}
	large := write(t, dir, "large", picture)
	if err := os.Truncate(large, DefaultImageBytes+1); err != nil {
		t.Fatal(err)
	}
	checkMissing(t, ResolveImages(localImage("large"), ImageOptions{Dir: dir}), "large", "it has more than 20971520 bytes")
}

// The system's words may tell of the machine: none reaches the model.
func TestReasonTellsNothingOfTheMachine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cause error
		want  string
	}{
		{fs.ErrNotExist, "there is no such file"},
		{fs.ErrPermission, "reading it is not permitted"},
		{fs.ErrInvalid, "it could not be read"},
		{notRegular, "it is not a regular file"},
	} {
		if got := reason(&fs.PathError{Op: "open", Path: "/secret", Err: c.cause}); got != c.want {
			t.Errorf("%v: got %q, want %q", c.cause, got, c.want)
		}
	}
}

// Parts keep their order, what stays unresolved keeps its place, and the input
// given is as it was.
func TestResolveImagesKeepsOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	picture := images(t)["image/png"]
	write(t, dir, "p", picture)
	input := abi.Input{
		Source: abi.SourceUser,
		Item: abi.Item{Type: "message", Role: "user", Content: []abi.Content{
			text("zero"), {Type: abi.ImageContent, ImageURL: "u", Detail: "high"}, text("two"),
		}},
		Unresolved: []abi.Unresolved{
			{At: 0, Type: abi.SkillInput, Name: "first", Path: "s"},
			{At: 0, Type: abi.LocalImageInput, Path: "p", Detail: "high", Number: 1},
			{At: 0, Type: abi.MentionInput, Name: "second", Path: "m"},
			{At: 2, Type: abi.LocalImageInput, Path: "gone", Detail: "high", Number: 3},
			{At: 2, Type: abi.LocalImageInput, Path: "p", Detail: "original", Number: 4},
			{At: 2, Type: abi.MentionInput, Name: "third", Path: "m"},
			{At: 3, Type: abi.SkillInput, Name: "fourth", Path: "s"},
			{At: 3, Type: abi.LocalImageInput, Path: "p", Detail: "high", Number: 5},
		},
	}
	before, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	spare := input
	spare.Item.Content = slices.Grow(slices.Clone(input.Item.Content), 20) // nothing is to be written there either
	spare.Item.Content[:cap(spare.Item.Content)][3] = text("spare")
	got := ResolveImages(spare, ImageOptions{Dir: dir})

	url := "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture)
	want := []abi.Content{
		text(`<image name=[Image #1] path="p">`), {Type: abi.ImageContent, ImageURL: url, Detail: "high"}, text(`</image>`),
		text("zero"),
		{Type: abi.ImageContent, ImageURL: "u", Detail: "high"},
		text(`[Image #3] ("gone") could not be attached: there is no such file.`),
		text(`<image name=[Image #4] path="p">`), {Type: abi.ImageContent, ImageURL: url, Detail: "original"}, text(`</image>`),
		text("two"),
		text(`<image name=[Image #5] path="p">`), {Type: abi.ImageContent, ImageURL: url, Detail: "high"}, text(`</image>`),
	}
	if !reflect.DeepEqual(got.Item.Content, want) {
		t.Errorf("got  %+v\nwant %+v", got.Item.Content, want)
	}
	left := []abi.Unresolved{
		{At: 0, Type: abi.SkillInput, Name: "first", Path: "s"},
		{At: 3, Type: abi.MentionInput, Name: "second", Path: "m"},
		{At: 9, Type: abi.MentionInput, Name: "third", Path: "m"},
		{At: 10, Type: abi.SkillInput, Name: "fourth", Path: "s"},
	}
	if !reflect.DeepEqual(got.Unresolved, left) {
		t.Errorf("got  %+v\nwant %+v", got.Unresolved, left)
	}
	if got.Source != input.Source || got.Item.Role != input.Item.Role {
		t.Errorf("got %+v", got)
	}
	after, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, after) || spare.Item.Content[:4][3] != text("spare") {
		t.Errorf("the input given has become %s", after)
	}
}

// The files of one message have a bound together, whatever their number.
func TestResolveImagesTogether(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	picture := images(t)["image/png"]
	write(t, dir, "small", picture)
	for name, size := range map[string]int64{"half": MaxImagesBytes / 2, "large": MaxImagesBytes + 1} {
		if err := os.Truncate(write(t, dir, name, picture), size); err != nil {
			t.Fatal(err)
		}
	}
	const tooMuch = "with it, the images of this message are too large."
	for _, c := range []struct {
		paths    []string
		maxBytes int64
		missing  []int
	}{
		{[]string{"half", "half"}, MaxImagesBytes / 2, nil},
		{[]string{"half", "half", "small", "half"}, MaxImagesBytes / 2, []int{2, 3}},
		{[]string{"small", "half", "half", "small"}, MaxImagesBytes, []int{2}},
		{[]string{"large", "small"}, MaxImagesBytes + 1, []int{1}},
	} {
		var input abi.Input
		for _, path := range c.paths {
			input.Unresolved = append(input.Unresolved, abi.Unresolved{Type: abi.LocalImageInput, Path: path})
		}
		var got []int
		for i, part := range ResolveImages(input, ImageOptions{Dir: dir, MaxBytes: c.maxBytes}).Item.Content {
			if strings.HasSuffix(part.Text, tooMuch) {
				got = append(got, i)
			}
		}
		// Each image that is given has three parts.
		for i := range c.missing {
			c.missing[i] += 2 * (c.missing[i] - i)
		}
		if !slices.Equal(got, c.missing) {
			t.Errorf("%q: too much were the parts %d, want %d", c.paths, got, c.missing)
		}
	}
}

func TestResolveImagesWithoutLocalImages(t *testing.T) {
	t.Parallel()
	for _, unresolved := range [][]abi.Unresolved{nil, {{At: 1, Type: abi.SkillInput, Name: "s", Path: "p"}}} {
		input := abi.Input{Item: abi.Item{Content: []abi.Content{text("a")}}, Unresolved: unresolved}
		if got := ResolveImages(input, ImageOptions{}); !reflect.DeepEqual(got, input) {
			t.Errorf("got  %+v\nwant %+v", got, input)
		}
	}
}

// A place that does not exist is no reason to fail a turn.
func TestResolveImagesOfImpossiblePlaces(t *testing.T) {
	t.Parallel()
	for _, at := range []int{-5, 99} {
		input := localImage(strings.Repeat("x", 3))
		input.Unresolved[0].At = at
		checkMissing(t, ResolveImages(input, ImageOptions{Dir: t.TempDir()}), "xxx", "there is no such file")
	}
}

// The module's answer and this package go together.
func TestResolveImagesOfAnAnswer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	picture := images(t)["image/jpeg"]
	write(t, dir, "a.jpg", picture)
	thread := openBuiltIn(t).NewThread("t", nil)
	response := must[*abi.TurnResponse](t)(thread.Start(t.Context(), abi.TurnStartRequest{
		TurnID: "1",
		Params: abi.TurnStartParams{Input: []abi.UserInput{
			{Type: abi.TextInput, Text: "before"},
			{Type: abi.ImageInput, URL: "https://example.com/1.png"},
			{Type: abi.LocalImageInput, Path: "a.jpg"},
			{Type: abi.TextInput, Text: "between"},
			{Type: abi.MentionInput, Name: "m", Path: "app://m"},
			{Type: abi.LocalImageInput, Path: "b.jpg", Detail: "original"},
		}},
	}))
	got := ResolveImages(response.Inputs[0], ImageOptions{Dir: dir})
	want := []abi.Content{
		text("before"),
		{Type: abi.ImageContent, ImageURL: "https://example.com/1.png", Detail: "high"},
		text(`<image name=[Image #2] path="a.jpg">`),
		{Type: abi.ImageContent, ImageURL: "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(picture), Detail: "high"},
		text(`</image>`),
		text("between"),
		text(`[Image #3] ("b.jpg") could not be attached: there is no such file.`),
	}
	if !reflect.DeepEqual(got.Item.Content, want) {
		t.Errorf("got  %+v\nwant %+v", got.Item.Content, want)
	}
	if left := []abi.Unresolved{{At: 6, Type: abi.MentionInput, Name: "m", Path: "app://m"}}; !reflect.DeepEqual(got.Unresolved, left) {
		t.Errorf("got  %+v\nwant %+v", got.Unresolved, left)
	}
}
