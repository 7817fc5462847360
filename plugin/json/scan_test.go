package json

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// slowTextEnd finds what textEnd finds, character by character.
func slowTextEnd(text []byte, i int) (end, saved int, form Form) {
	for {
		r, n := utf8.DecodeRune(text[i:])
		if r == '\\' {
			n, length, f := slowEscape(text[i:])
			if n == 0 {
				return i, saved, form
			}
			i += n
			saved += n - length
			form = max(form, f)
			continue
		}
		if r < 0x20 || r == '"' || r == utf8.RuneError && n == 1 {
			return i, saved, form
		}
		i += n
	}
}

func slowEscape(text []byte) (n, length int, form Form) {
	if strings.IndexByte(`"\bfnrt`, text[1]) >= 0 {
		return 2, 1, Canonical
	}
	if text[1] == '/' {
		return 2, 1, Foreign
	}
	value, err := strconv.ParseUint(string(text[2:min(6, len(text))]), 16, 16)
	if text[1] != 'u' || err != nil {
		return 0, 0, 0
	}
	if bytes.Equal(appendRune(nil, rune(value)), text[:6]) {
		return 6, 1, Canonical
	}
	if !utf16.IsSurrogate(rune(value)) {
		return 6, utf8.RuneLen(rune(value)), Foreign
	}
	if len(text) < 12 || text[6] != '\\' || text[7] != 'u' {
		return 0, 0, 0
	}
	low, err := strconv.ParseUint(string(text[8:12]), 16, 16)
	if err != nil || utf16.DecodeRune(rune(value), rune(low)) == utf8.RuneError {
		return 0, 0, 0
	}
	return 12, 4, Foreign
}

func checkTextEnd(t *testing.T, text []byte) {
	t.Helper()
	p := padded(string(text))
	for i := range text {
		if utf8.RuneStart(text[i]) {
			checkTextEndFrom(t, p, i)
		}
	}
}

func checkTextEndFrom(t *testing.T, text []byte, i int) {
	t.Helper()
	end, saved, form := slowTextEnd(text, i)
	if e, n, f := textEnd(text, i); e != end || n != saved || f != form {
		t.Fatalf("%q from %d: %d, %d, %d, want %d, %d, %d", text, i, e, n, f, end, saved, form)
	}
	if e, n, f := longTextEnd(text, i); e != end || n != saved || f != form {
		t.Fatalf("%q from %d: for long texts %d, %d, %d, want %d, %d, %d", text, i, e, n, f, end, saved, form)
	}
	if e, n, f := plainTextEnd(text, i); e != end || n != saved || f != form {
		t.Fatalf("%q from %d: the twin says %d, %d, %d, want %d, %d, %d", text, i, e, n, f, end, saved, form)
	}
}

func FuzzTextEnd(f *testing.F) {
	for n := range 20 {
		f.Add([]byte(strings.Repeat("a", n) + "é本🙂\""))
		f.Add([]byte(strings.Repeat("é", n) + "\xed\xa0\x80"))
		f.Add([]byte(strings.Repeat("🙂", n) + "\x1f\\"))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkTextEnd(t, text) })
}

// Every byte may end a text, whatever stands before and behind it.
func TestTextEndAtEachByte(t *testing.T) {
	for _, around := range []string{"abcdefgh", "é", "本", "🙂", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf", "\xee\x80\x80", "\xed\x9f\xbf本", "\xe0\xa0\x80本", "\xf0\x90\x80\x80\xf1\x80\x80\x80"} {
		for c := range 256 {
			for n := range 10 {
				text := strings.Repeat(around, n) + "x" + string([]byte{byte(c)}) + around
				checkTextEnd(t, []byte(text))
				checkTextEnd(t, []byte(text[n:]))
			}
		}
	}
}

// What is scanned in larger steps may go wrong in each place of a long text, and
// what stands at its beginning says which steps those are.
func TestTextEndInLongText(t *testing.T) {
	for _, first := range []string{"", `\n`, `\r`, "é", `\u0041`, "é\\r"} {
		for _, odd := range []string{"\xc3", "\xe2\x80", "\xf0\x9f\x98", "\x80", "é", "🙂", "\x1f", `\`, `\n`, `\"`, `\x`, `\u00e9`} {
			for n := range 600 {
				checkTextEndFrom(t, padded(first+strings.Repeat("a", n)+odd+strings.Repeat("b", 70)+`"`), 0)
			}
		}
	}
}

func TestTextEndOfEscapes(t *testing.T) {
	for c := range 256 {
		for n := range 10 {
			checkTextEnd(t, []byte(strings.Repeat("x", n)+`\n\"\`+string([]byte{byte(c)})+"本\""))
			checkTextEnd(t, []byte(strings.Repeat(`\\`, n)+`\`+string([]byte{byte(c)})))
		}
	}
}

// Every character of a hexadecimal escape, right or not, and the borders of
// what such an escape may stand for.
func TestTextEndOfHexadecimalEscapes(t *testing.T) {
	for c := range 256 {
		for at := range 24 {
			for _, escape := range []string{`\u0041\u00e9\u001f\u0012`, `\uABCD\uefab\u3042\uE000`, `\ud83d\uDE42\u3042\ud800`} {
				text := []byte("xyz" + escape + `\u1234abc"`)
				text[3+at] = byte(c)
				checkTextEnd(t, text)
				checkTextEnd(t, text[:3+at+1])
			}
		}
	}
	for value := range 0x10000 {
		row := `\u3042\u672c\ue000\uffee`[:6*(value%4)]
		for _, next := range []string{"a", fmt.Sprintf(`\u%04x`, 0xDC00), fmt.Sprintf(`\u%04X`, 0xDBFF), `\u3042\u672c\ue000`} {
			for _, format := range []string{`\u%04x`, `\u%04X`} {
				text := padded(row + fmt.Sprintf(format, value) + next + `"`)
				end, saved, form := slowTextEnd(text, 0)
				if e, n, f := textEnd(text, 0); e != end || n != saved || f != form {
					t.Fatalf("%s: %d, %d, %d, want %d, %d, %d", text, e, n, f, end, saved, form)
				}
			}
		}
	}
}

// randomEscapes returns escapes in hexadecimal digits, most of them in rows of a
// kind, as text in one language has them.
func randomEscapes(rng *rand.Rand) string {
	var text strings.Builder
	for range rng.IntN(6) {
		kind := rng.IntN(6)
		for range 1 + rng.IntN(12) {
			if rng.IntN(16) == 0 {
				text.WriteString([]string{"a", `\n`, `\/`, "本", "plain text"}[rng.IntN(5)])
			}
			format := []string{`\u%04x`, `\u%04x`, `\u%04X`}[rng.IntN(3)]
			switch kind {
			case 0:
				fmt.Fprintf(&text, format, rng.IntN(0x20))
			case 1:
				fmt.Fprintf(&text, format, rng.IntN(0x80))
			case 2:
				fmt.Fprintf(&text, format, rng.IntN(0x800))
			case 3:
				fmt.Fprintf(&text, format+format, 0xD800+rng.IntN(0x400), 0xDC00+rng.IntN(0x400))
			default:
				fmt.Fprintf(&text, format, 0x800+rng.IntN(0xD000))
			}
		}
	}
	return text.String()
}

func TestTextEndOfRowsOfEscapes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		text := []byte(randomEscapes(rng) + `"`)
		checkTextEnd(t, text)
		at := rng.IntN(len(text))
		text[at] ^= 1 << rng.IntN(8)
		checkTextEnd(t, text[:at+rng.IntN(len(text)-at)+1])
	}
}

// Every start of a sequence, well-formed or not.
func TestTextEndOfSequences(t *testing.T) {
	tails := []string{"", "\x80", "\xbf\x80", "\x80\x80\x80", "a", "\x80a", "\x80\x80a", "\xc0\x80"}
	for lead := 0x80; lead < 0x100; lead++ {
		for second := range 256 {
			for _, tail := range tails {
				checkTextEnd(t, []byte(string([]byte{byte(lead), byte(second)})+tail+"本本\""))
				checkTextEnd(t, []byte("本🙂🙂"+string([]byte{byte(lead), byte(second)})+tail+"🙂\""))
				checkTextEnd(t, []byte("🙂本"+string([]byte{byte(lead), byte(second)})+tail+"本\""))
			}
		}
	}
}

func TestTextEndOfRandomText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "abcdefgh", "é", `\n`, `\\`, "ß", "本", "語", "한", "\ud7ff", "🙂", "\x7f", "\ufeff", "ф", "फ", "\U000f0000", "\U0010ffff",
		"\"", "\\", "\x80", "\xed", "\xa0", "\xf0", "\xc1", "\x00", `\n`, `\\`, `\"`, `\u0041`, `\/`, "\xe0\x9f", "\xed\xa0", "\xf0\x8f", "\xf4\x90", "\xf5\x80"}
	for range 5000 {
		var text strings.Builder
		for range r.IntN(40) {
			text.WriteString(pieces[r.IntN(1+r.IntN(len(pieces)))])
		}
		checkTextEnd(t, []byte(text.String()))
	}
}

func TestEqualBytes(t *testing.T) {
	for n := range 200 {
		text := []byte(strings.Repeat("x", n) + "|" + strings.Repeat("x", n) + "|" + strings.Repeat("\x00", Pad))
		check := func(want bool) {
			t.Helper()
			if got := equal(text, 0, n+1, n); got != want {
				t.Errorf("%d bytes: %v", n, got)
			}
			if got := longEqual(text, 0, n+1, n); got != want {
				t.Errorf("%d bytes: the one for many says %v", n, got)
			}
			if got := plainEqual(text, 0, n+1, n); got != want {
				t.Errorf("%d bytes: the twin says %v", n, got)
			}
		}
		check(true)
		for i := range n {
			text[i] = 'y'
			check(false)
			text[i] = 'x'
		}
	}
}

func TestLeads(t *testing.T) {
	text := []byte(strings.Repeat("aé本🙂\x80\xbf\xc0\xff", 9))
	for from := range text {
		for to := from; to <= len(text); to++ {
			want := 0
			for _, c := range text[from:to] {
				if utf8.RuneStart(c) {
					want++
				}
			}
			if got := leads(text, from, to); got != want {
				t.Fatalf("[%d, %d): %d, want %d", from, to, got, want)
			}
			if got := plainLeads(text, from, to); got != want {
				t.Fatalf("[%d, %d): the twin says %d, want %d", from, to, got, want)
			}
		}
	}
}

// randomString returns a string of a text, of pieces of all forms that are
// likelier the further in front they are.
func randomString(t *testing.T, rng *rand.Rand) ([]byte, String) {
	pieces := []string{`a`, `bcdefgh`, `\n`, `\"`, `\\`, `u`, `é`, `本`, `🙂`, `\u001b`, `\\\\\\`, `\u0000`, strings.Repeat("x", 20),
		`\u00e9`, `\u672c`, `\ud83d\ude42`, `\u0041`, `\/`, `\u0022`, `\u005C`, `\u000A`, `\u001F`, `\u007f`, `\u0080`, `\u07ff`, `\u0800`, `\uffff`}
	raw := ""
	for range rng.IntN(30) {
		raw += pieces[rng.IntN(1+rng.IntN(len(pieces)))]
	}
	if rng.IntN(4) == 0 {
		raw += randomEscapes(rng)
	}
	return readText(t, `"`+raw+`"`)
}

func checkRewrite(t *testing.T, text []byte, to, from, end int) {
	t.Helper()
	got, want := bytes.Clone(text), bytes.Clone(text)
	gotTo, wantTo := rewrite(got, to, from, end), plainRewrite(want, to, from, end)
	if gotTo != wantTo || !bytes.Equal(got[:gotTo], want[:wantTo]) || !bytes.Equal(got[end:], want[end:]) {
		t.Fatalf("%q from %d to %d: %q, want %q", text[:end], from, to, got[:gotTo], want[:wantTo])
	}
	long := bytes.Clone(text)
	if to := longRewrite(long, to, from, end); to != wantTo || !bytes.Equal(long[:to], want[:to]) || !bytes.Equal(long[end:], want[end:]) {
		t.Fatalf("%q from %d to %d: the one for many writes %q, want %q", text[:end], from, to, long[:to], want[:wantTo])
	}
	quoted := AppendQuoted(nil, appendDecoded(nil, text[from:end]))
	if slow := quoted[1 : len(quoted)-1]; !bytes.Equal(want[to:wantTo], slow) {
		t.Fatalf("%q: the twin writes %q, want %q", text[from:end], want[to:wantTo], slow)
	}
}

func TestRewriteEqualsItsTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		text, s := randomString(t, rng)
		start, end := int(s.Start), int(s.End)
		checkRewrite(t, text, start, start, end)
		bounds := []int{start}
		for i := start; i < end; bounds = append(bounds, i) {
			_, n := Unit(text[i:end])
			i += n
		}
		from, to := rng.IntN(len(bounds)), rng.IntN(len(bounds))
		checkRewrite(t, text, start, bounds[min(from, to)], bounds[max(from, to)])
	}
	for value := range 0x10000 {
		if isHighSurrogate(rune(value)) || isLowSurrogate(rune(value)) {
			continue
		}
		row := `\u3042\u672c\ue000\uffee`
		at := 6 * (value % 4)
		for _, format := range []string{`\u%04x`, `\u%04X`} {
			text := padded(row[:at] + fmt.Sprintf(format, value) + row[at:] + `"`)
			checkRewrite(t, text, 0, 0, 30)
			checkRewrite(t, text, 0, at, at+6)
		}
	}
	for high := 0xD800; high < 0xDC00; high++ {
		text := padded(fmt.Sprintf(`\u%04x\u%04X"`, high, 0xDC00+rng.IntN(0x400)))
		checkRewrite(t, text, 0, 0, 12)
	}
}

func FuzzRewrite(f *testing.F) {
	for n := range 6 {
		f.Add(strings.Repeat(`\u3042`, n)+`\n\u000a`, byte(0))
		f.Add("x"+strings.Repeat(`\uD83D\ude42`, n)+`\/\u0022\u001B`, byte(1))
	}
	f.Fuzz(func(t *testing.T, raw string, skip byte) {
		text := padded(`"` + raw + `"`)
		end, _, _ := slowTextEnd(text, 1)
		from := 1
		for range skip {
			if from < end {
				_, n := Unit(text[from:end])
				from += n
			}
		}
		checkRewrite(t, text, 1, from, end)
	})
}

func TestForwardAndBackwardEqualTheirTwins(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 20_000 {
		text, s := randomString(t, rng)
		if Normalise(text, &s); s.Form == Plain {
			continue
		}
		for n := range int(s.Len) + 1 {
			if got, want := forward(text, int(s.Start), n), plainForward(text, int(s.Start), n); got != want {
				t.Fatalf("%q: %d bytes forward %d, want %d", s.Raw(text), n, got, want)
			}
			if got, want := longForward(text, int(s.Start), n), plainForward(text, int(s.Start), n); got != want {
				t.Fatalf("%q: %d bytes forward %d by the one for many, want %d", s.Raw(text), n, got, want)
			}
			if got, want := longBackward(text, int(s.Start), int(s.End), n), plainBackward(text, int(s.Start), int(s.End), n); got != want {
				t.Fatalf("%q: %d bytes backward %d by the one for many, want %d", s.Raw(text), n, got, want)
			}
			got, want := backward(text, int(s.Start), int(s.End), n), plainBackward(text, int(s.Start), int(s.End), n)
			if got != want {
				t.Fatalf("%q: %d bytes backward %d, want %d", s.Raw(text), n, got, want)
			}
		}
	}
}

func TestShortKernelsEqualTheirTwins(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	random := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "ab\xff\x00"[rng.IntN(1+rng.IntN(4))]
		}
		return string(b)
	}
	for range 50_000 {
		x, y := random(rng.IntN(30)), random(rng.IntN(30))
		if rng.IntN(2) == 0 {
			y = x + y
		}
		whole := padded("xxx" + x + y)
		a, b := 3, 3+len(x)
		if got, want := compare(whole, a, len(x), b, len(y)), plainCompare(whole, a, len(x), b, len(y)); got != want {
			t.Fatalf("%q and %q: %d, want %d", x, y, got, want)
		}
		before, room := random(5), rng.IntN(40)
		got, want := writerWith(before, room), writerWith(before, room)
		text(got, x)
		plainText(want, x)
		room = min(cap(got.buffer), cap(want.buffer)) // what is behind the text was left alone
		if !bytes.Equal(got.buffer, want.buffer) || !bytes.Equal(got.buffer[:room], want.buffer[:room]) {
			t.Fatalf("%q behind %q, with room for %d: %q, want %q", x, before, room, got.buffer, want.buffer)
		}
	}
}

// writerWith returns a writer that has written something, and has room for so many
// bytes more.
func writerWith(before string, room int) *Writer {
	return &Writer{buffer: append(make([]byte, 0, len(before)+room), before...)}
}

// Long pieces are copied otherwise, and those without room make some.
func TestTextLong(t *testing.T) {
	for n := range 600 {
		long := strings.Repeat("0123456789abcdefg", 40)[:n]
		for _, room := range []int{0, n - 1, n, 600} {
			got := writerWith("x", max(room, 0))
			text(got, long)
			if string(got.buffer) != "x"+long {
				t.Fatalf("%d bytes, with room for %d: %q", n, room, got.buffer)
			}
		}
	}
}

func TestFollowsEqualsItsTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	tokens := []string{`:`, `{`, `"value"`, `,`, `"k i\tn"`, `}`, `""`}
	spaces := []string{"", "", "", " ", "\n    ", "\t\r", "\x00", "\v", "x", " \f"}
	for range 50_000 {
		s, text := "", "xy"
		loose := rng.IntN(2) == 0
		for len(s) < 8 || rng.IntN(3) > 0 {
			token := tokens[rng.IntN(len(tokens))]
			if s += token; loose {
				text += spaces[rng.IntN(1+rng.IntN(len(spaces)))]
			}
			text += token
		}
		whole := padded(text + "tail")
		if got, want := follows(whole, 2, s), plainFollows(whole, 2, s); got != want || !loose && got != len(text) {
			t.Fatalf("%q in %q: %d, want %d", s, text, got, want)
		}
		cut := padded(text[:rng.IntN(len(text)-1)+2])
		if got, want := follows(cut, 2, s), plainFollows(cut, 2, s); got != want {
			t.Fatalf("%q in %q: %d, want %d", s, cut, got, want)
		}
		for i := range whole[:len(text)] {
			if got, want := spaceEnd(whole, i), plainSpaceEnd(whole, i); got != want {
				t.Fatalf("%q from %d: %d, want %d", whole, i, got, want)
			}
		}
	}
}

func TestMergeRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	run := func() []sortKey {
		keys := make([]sortKey, rng.IntN(20))
		for i := range keys {
			keys[i] = sortKey{rng.Uint64() >> (1 + rng.IntN(63)), rng.Int32()}
		}
		slices.SortStableFunc(keys, func(a, b sortKey) int { return cmp.Compare(a.digit, b.digit) })
		return keys
	}
	for range 5000 {
		a, b := run(), run()
		got, want := make([]sortKey, len(a)+len(b)), make([]sortKey, len(a)+len(b))
		mergeRuns(got, a, b)
		plainMergeRuns(want, a, b)
		if !slices.Equal(got, want) {
			t.Fatalf("%v and %v: %v, want %v", a, b, got, want)
		}
	}
}
