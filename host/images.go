package host

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/turncontext/turncontext/abi"
)

// DefaultImageBytes is the size in bytes of the largest image file that
// [ResolveImages] reads where its options name none (20 MiB).
const DefaultImageBytes = 20 << 20

// MaxImagesBytes bounds the images of one message: the sizes in bytes of all
// files that [ResolveImages] puts into it come to at most that (50 MiB), or to
// the size of the largest file that its options allow, if that is more.
const MaxImagesBytes = 50 << 20

// ImageOptions tell [ResolveImages] where images are and how large they may be.
// The zero value is right for most programs.
type ImageOptions struct {
	// Dir is the folder that relative paths start from. Empty stands for the
	// program's current one. It is no fence: a path may lead out of it.
	Dir string
	// MaxBytes is the size in bytes of the largest file that is read. 0 stands
	// for DefaultImageBytes.
	MaxBytes int64
}

// ResolveImages puts each local image of a user's input into its content: a
// text that names it, the image as a data URL, and a text that ends it
// (README.md of package abi, "Params and user input"). Images are regular files
// that hold a PNG, JPEG, GIF or WebP, by their content and not by their name;
// symbolic links are followed. Together they have at most [MaxImagesBytes]. In
// the place of one that cannot be given stands a text that says so and why. The text names the path as the client sent it,
// and tells nothing else of this machine.
//
// Skills and mentions stay in Unresolved, with At adjusted to the new content.
// The input given is not changed; one without local images is returned as it
// is.
func ResolveImages(input abi.Input, options ImageOptions) abi.Input {
	if options.MaxBytes == 0 {
		options.MaxBytes = DefaultImageBytes
	}
	var content []abi.Content
	var left []abi.Unresolved
	done := 0 // parts of the old content that are in the new
	room := max(MaxImagesBytes, options.MaxBytes)
	for _, item := range input.Unresolved {
		at := min(max(item.At, done), len(input.Item.Content))
		content = append(content, input.Item.Content[done:at]...)
		done = at
		if item.Type == abi.LocalImageInput {
			parts, size := options.parts(item, room)
			content = append(content, parts...)
			room -= size
			continue
		}
		item.At = len(content)
		left = append(left, item)
	}
	if len(left) == len(input.Unresolved) {
		return input
	}
	input.Item.Content = append(content, input.Item.Content[done:]...)
	input.Unresolved = left
	return input
}

// parts returns what stands in content for a local image, and how many bytes
// of the room its file takes.
func (o ImageOptions) parts(image abi.Unresolved, room int64) (parts []abi.Content, size int64) {
	text := func(format string, args ...any) abi.Content {
		return abi.Content{Type: abi.TextContent, Text: fmt.Sprintf(format, args...)}
	}
	content, err := o.read(image.Path, room)
	if err != nil {
		return []abi.Content{text(`[Image #%d] ("%s") could not be attached: %s.`, image.Number, image.Path, reason(err))}, 0
	}
	url := "data:" + imageType(content) + ";base64," + base64.StdEncoding.EncodeToString(content)
	return []abi.Content{
		text(`<image name=[Image #%d] path="%s">`, image.Number, image.Path),
		{Type: abi.ImageContent, ImageURL: url, Detail: image.Detail},
		text(`</image>`),
	}, int64(len(content))
}

// An imageFlaw is why a file is not given to the model, in words for the model.
type imageFlaw string

// Error returns the reason.
func (f imageFlaw) Error() string { return string(f) }

const (
	notRegular = imageFlaw("it is not a regular file")
	notImage   = imageFlaw("it is not a PNG, JPEG, GIF or WebP image")
	tooMuch    = imageFlaw("with it, the images of this message are too large")
)

// reason words an error for the model. The system's own words may tell of the
// machine.
func reason(err error) string {
	flaw, isFlaw := errors.AsType[imageFlaw](err)
	switch {
	case isFlaw:
		return string(flaw)
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file"
	case errors.Is(err, fs.ErrPermission):
		return "reading it is not permitted"
	}
	return "it could not be read"
}

// read returns the content of an image file that fits into the room.
func (o ImageOptions) read(path string, room int64) ([]byte, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(o.Dir, path)
	}
	file, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	// Of what is too large one byte more is read, which tells it apart.
	content, err := io.ReadAll(io.LimitReader(file, min(o.MaxBytes, room, math.MaxInt64-1)+1))
	if err != nil {
		return nil, err
	}
	switch size := int64(len(content)); {
	case size > o.MaxBytes:
		return nil, imageFlaw(fmt.Sprintf("it has more than %d bytes", o.MaxBytes))
	case size > room:
		return nil, tooMuch
	}
	if imageType(content) == "" {
		return nil, notImage
	}
	return content, nil
}

// openRegular opens a regular file. It waits for nobody: a pipe is refused
// before it is opened, and one that took the file's place in the meantime is
// opened without waiting for a writer.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, notRegular
	}
	file, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	info, err = file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = notRegular
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// imageType returns the media type of an image by the bytes that it begins
// with (WHATWG MIME Sniffing, section 6.1), "" for anything else.
func imageType(content []byte) string {
	begins := func(with string) bool { return bytes.HasPrefix(content, []byte(with)) }
	switch {
	case begins("\x89PNG\r\n\x1a\n"):
		return "image/png"
	case begins("\xff\xd8\xff"):
		return "image/jpeg"
	case begins("GIF87a"), begins("GIF89a"):
		return "image/gif"
	case begins("RIFF") && len(content) >= 14 && string(content[8:14]) == "WEBPVP":
		return "image/webp"
	}
	return ""
}
