package render

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/result"
)

// test names a test: by the end of its id that its tool's own filter accepts, which is short, else by its id. A
// selection that does not occur in the source, such as a regular expression or an option, is only in the JSON. If no
// place shows which of several tests it is, the rest of the id is added.
//
// A tool that joins names otherwise than its id does, as gradle does ("com.acme.CartTest > adds()"), is quoted.
func test(f result.Finding) string {
	if strings.Contains(f.Name, " > ") && !strings.Contains(f.ID, " > ") {
		return f.Name
	}
	if f.Select == "" {
		if lifts := strings.HasPrefix(f.Name, "setUp") || strings.HasPrefix(f.Name, "tearDown"); lifts && f.ID != "" && !strings.HasSuffix(f.ID, f.Name) {
			return f.ID + " (" + f.Name + ")" // the id of a class's setup is the class
		}
		return f.ID
	}
	name := plainName(f)
	if within := strings.TrimRight(strings.TrimSuffix(f.ID, name), ".: ›>"); name != "" && f.At == nil && within != f.ID && within != "" {
		return name + " (in " + within + ")"
	}
	return cmp.Or(name, withoutFile(f))
}

// plainName is the end of a test's id that its tool's filter accepts, without quoting for the filter; "" if the filter
// accepts no end of the id.
func plainName(f result.Finding) string {
	titles := strings.NewReplacer(" › ", " ", " > ", " ").Replace(f.ID)
	for _, name := range []string{f.Select, unquote(f.Select)} {
		switch {
		case strings.HasSuffix(f.ID, name):
			return name
		case strings.HasSuffix(titles, name):
			return cmp.Or(printedTitles(f.ID, name), name)
		}
	}
	return sameLetters(f.ID, f.Select)
}

// printedTitles is the end of an id whose titles, joined by blanks, select the test: "cart › adds" for "cart adds". Tools
// that join titles by " › " print them so, so that the name is found in their output. It is "" for other ids.
func printedTitles(id, titles string) string {
	const joint = " › "
	for at := strings.LastIndex(id, joint); at >= 0; at = strings.LastIndex(id[:at], joint) {
		if name := id[at+len(joint):]; strings.ReplaceAll(name, joint, " ") == titles {
			return name
		}
	}
	if strings.ReplaceAll(id, joint, " ") == titles {
		return id
	}
	return ""
}

// sameLetters is the end of an id with the same letters and digits as a selection: "CartTest.adds" of
// "com.acme.CartTest.adds", which "CartTest#adds" selects.
func sameLetters(id, selection string) string {
	at := len(id)
	for rest := selection; ; {
		i, j := strings.LastIndexFunc(id[:at], inWord), strings.LastIndexFunc(rest, inWord)
		if j < 0 {
			if i >= 0 && i+utf8.RuneLen(first(id[i:])) == at || at == len(id) {
				return "" // the letters are the end of a longer word
			}
			return id[at:]
		}
		if i < 0 || first(id[i:]) != first(rest[j:]) {
			return ""
		}
		at, rest = i, rest[:j]
	}
}

func first(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// unquote reverses regexp.QuoteMeta.
func unquote(pattern string) string {
	if !strings.Contains(pattern, `\`) {
		return pattern
	}
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '\\' && i+1 < len(pattern) && strings.IndexByte(`\.+*?()|[]{}^$`, pattern[i+1]) >= 0 {
			i++
		}
		b.WriteByte(pattern[i])
	}
	return b.String()
}

// withoutFile is the id of a test without its file, if a place of the finding names the file.
func withoutFile(f result.Finding) string {
	for _, joint := range []string{" > ", " › "} {
		file, rest, ok := strings.Cut(f.ID, joint)
		if !ok || rest == "" {
			continue
		}
		if pathOf(f) == file || slices.ContainsFunc(f.Locations, func(l result.Location) bool { return l.Path == file }) ||
			slices.ContainsFunc(f.Frames, func(l result.Location) bool { return l.Path == file }) {
			return rest
		}
	}
	return f.ID
}

const (
	// wholeTokens is the most tokens of an output that is shown unchanged: selecting from so little
	// saves nothing, and the tool's text is more reliable than what was parsed from it.
	wholeTokens = 60
	// maxToken is the most bytes of one token.
	maxToken = 128
	// pickedBytes is the most bytes of text that is shown unchanged because the command itself picked its lines
	// ("| grep FAIL"): the author of the command asked for these lines.
	pickedBytes = 6 << 10
)

// whole is the answer to an output that is short enough to be shown unchanged: how the command ended, and the text. ok
// is false for blank text, and for a result that was read from elsewhere than the text.
func whole(r *result.ToolResult, raw []byte) (answer string, ok bool) {
	picked := r.Extra["picked"] == true && len(raw) <= pickedBytes
	if len(raw) > wholeTokens*maxToken || len(r.Artifacts) > 0 || fromFiles(r) || !picked && !fewTokens(result.Clean(string(raw))) {
		return "", false
	}
	text := edged(readable(string(raw)))
	if text == "" {
		return "", false
	}
	seen := *r
	seen.Summary = endedSo(r)
	if r.Extra["doubt"] == nil {
		seen.ParserConfidence = result.Untyped // the text shows what was not parsed
	}
	return header(&seen, text) + text, true
}

// endedSo is the summary of a result without the counts that its output shows.
func endedSo(r *result.ToolResult) string {
	seen := *r
	seen.Findings = nil
	for _, n := range r.Counts {
		if n > 0 {
			seen.Counts = nil
		}
	}
	return result.Summarise(&seen)
}

// fewTokens says whether a text may have at most wholeTokens tokens. It counts the pieces that a language model never
// joins to one token (as the vocabulary cl100k_base cuts a text), since the vocabulary itself is too large to load. It
// is never false for a text with so few tokens.
func fewTokens(text string) bool {
	for n := 0; n <= wholeTokens; {
		if text == "" {
			return true
		}
		size := piece(text)
		n += (size + maxToken - 1) / maxToken
		text = text[size:]
	}
	return false
}

// piece is the length of the first piece of a text: a word with the character before it, up to three digits, a run of
// other characters with the space before and the line end after them, or white space.
func piece(text string) int {
	first, size := utf8.DecodeRuneInString(text)
	second, _ := utf8.DecodeRuneInString(text[size:])
	if unicode.IsLetter(first) || unicode.IsLetter(second) && first != '\n' && first != '\r' && !unicode.IsNumber(first) {
		return size + span(text[size:], unicode.IsLetter)
	}
	switch {
	case unicode.IsNumber(first):
		return digits(text)
	case isOther(first), first == ' ' && isOther(second):
		n := size + span(text[size:], isOther)
		return n + span(text[n:], func(r rune) bool { return r == '\n' || r == '\r' })
	}
	n := span(text, unicode.IsSpace)
	if n < len(text) && n > 1 && text[n-1] == ' ' {
		n-- // the last space belongs to the next piece
	}
	return n
}

// digits is the length in bytes of up to three digits at the beginning of a text.
func digits(text string) (n int) {
	for range 3 {
		r, size := utf8.DecodeRuneInString(text[n:])
		if !unicode.IsNumber(r) {
			break
		}
		n += size
	}
	return n
}

// span is how many bytes at the beginning of a text belong to a class.
func span(text string, class func(rune) bool) int {
	if i := strings.IndexFunc(text, func(r rune) bool { return !class(r) }); i >= 0 {
		return i
	}
	return len(text)
}

func isOther(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsSpace(r) }
