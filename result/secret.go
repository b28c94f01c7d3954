package result

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SealRedacted is Seal for a result with secrets: redact replaces every secret of a text by a placeholder in brackets
// that begins with PlaceholderStart. The package documentation says what happens to names that differ only in a
// secret.
func SealRedacted(r *ToolResult, w Workspace, redact func(string) string) {
	safe := w.redacted(redact)
	numberTests(r, w, redact)
	numberPaths(r, w, safe, redact)
	r.MapStrings(redact)
	Seal(r, safe)
}

// PlaceholderStart begins the text that stands for a secret: "[redacted:url-password]".
const PlaceholderStart = "[redacted:"

// redacted is the workspace with the spellings of a redacted text, so that redacted paths are still found to lie in
// it.
func (w Workspace) redacted(redact func(string) string) Workspace {
	rel := w.Rel()
	apply(redact, &w.Root, &w.Home, &w.Tmp, &rel)
	w.Aliases = slices.Clone(w.Aliases)
	applyAll(redact, w.Aliases)
	if w.Dir = redact(w.Dir); rel != "" {
		w.Dir = path.Join(cleanDir(w.Root), rel)
	}
	return w
}

// numbers counts the different secrets at one place of names that are otherwise equal:
// from 1 on, in the order in which they appear.
type numbers struct {
	of   map[string]int // by name, place in it and secret
	last map[string]int // by name and place in it
}

func newNumbers() numbers { return numbers{map[string]int{}, map[string]int{}} }

// see returns the numbers of the secrets that were removed from a name; safe is the redacted name. scope is what else
// tells one name from another.
func (n numbers) see(scope, safe string, secrets []string) []int {
	list := make([]int, len(secrets))
	for i, secret := range secrets {
		place := fmt.Sprint(scope, "\x00", safe, "\x00", i)
		number, known := n.of[place+"\x00"+secret]
		switch {
		case strings.HasPrefix(secret, PlaceholderStart):
			number = 1 // when a run is read again, the name of its directory is redacted already
		case !known:
			n.last[place]++
			number = n.last[place]
			n.of[place+"\x00"+secret] = number
		}
		list[i] = number
	}
	return list
}

// numberTests numbers the secrets in the names of tests that differ only in them: by the lines at which the tests
// failed, so that the order in which they ran does not matter, or in the order of the findings if no line is known.
func numberTests(r *ToolResult, w Workspace, redact func(string) string) {
	var order []int
	safe := map[int]string{}
	for i := range r.Findings {
		if id := r.Findings[i].ID; id != "" {
			if left := redact(id); left != id {
				order, safe[i] = append(order, i), left
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lineOf(&r.Findings[a]), lineOf(&r.Findings[b])) })
	seen := newNumbers()
	for _, i := range order {
		f := &r.Findings[i]
		list := seen.see(cmp.Or(f.Source, r.Tool)+"\x00"+fileOf(f, w), safe[i], removed(f.ID, safe[i], redact))
		if len(list) > 0 && slices.Max(list) > 1 {
			renameTest(f, safe[i], list, redact)
		} else {
			f.ID = safe[i]
		}
	}
}

// renameTest puts the numbers of the secrets in a test's name into all fields that have the name or a part of it.
func renameTest(f *Finding, safe string, list []int, redact func(string) string) {
	of, secrets := map[string]int{}, removed(f.ID, safe, redact)
	for i, secret := range secrets {
		of[secret] = list[i]
	}
	rename := func(s string) string {
		left := redact(s)
		var own []int
		for _, secret := range removed(s, left, redact) {
			own = append(own, max(of[secret], 1))
		}
		return numbered(left, own)
	}
	f.ID = numbered(safe, list)
	apply(rename, &f.Select, &f.Name, &f.Params)
	applyAll(rename, f.Suite)
}

func lineOf(f *Finding) int {
	if f.At == nil {
		return 0
	}
	return f.At.Line
}

func fileOf(f *Finding, w Workspace) string {
	if f.At == nil {
		return ""
	}
	name, _ := w.Path(f.At.Path)
	return name
}

// numberPaths numbers the secrets in paths that differ only in them, in the order in which they appear.
func numberPaths(r *ToolResult, w, safe Workspace, redact func(string) string) {
	seen := newNumbers()
	walker{text: same, line: same, name: same, path: func(s string) string {
		left := redact(s)
		if left == s {
			return s
		}
		name, _ := w.Path(s)
		nameLeft, _ := safe.Path(left)
		list := seen.see("", nameLeft, removed(name, nameLeft, redact))
		if len(list) == 0 || slices.Max(list) == 1 {
			return left
		}
		if fromRoot(nameLeft) && safe.Root != "" {
			return safe.Root + "/" + numbered(nameLeft, list)
		}
		return numbered(nameLeft, list)
	}}.result(r)
}

func same(s string) string { return s }

// removed lists the secrets that redaction removed from a name.
func removed(name, safe string, redact func(string) string) (out []string) {
	for {
		before, after, ok := strings.Cut(safe, PlaceholderStart)
		name = name[min(len(name), len(before)):]
		_, after, closed := strings.Cut(after, "]")
		if !ok || !closed {
			return out
		}
		end := secretEnd(name, after, redact)
		out = append(out, name[:end])
		name, safe = name[end:], after
	}
}

// secretEnd is the length of the secret at the start of a name; after is what redaction made of the text behind it. A
// secret may contain the text that follows it: it ends where the rest of the name, redacted, is the rest.
func secretEnd(name, after string, redact func(string) string) int {
	next, _, _ := strings.Cut(after, PlaceholderStart)
	first := strings.Index(name, next)
	if after == "" || first < 0 {
		return len(name)
	}
	for end := max(first, 1); end < len(name); end++ {
		if strings.HasPrefix(name[end:], next) && redact(name[end:]) == after {
			return end
		}
	}
	return first
}

// numbered puts numbers into the placeholders of a text. The number 1 is left out.
func numbered(safe string, list []int) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(safe, PlaceholderStart)
		rule, rest, closed := strings.Cut(after, "]")
		if !ok || !closed || len(list) == 0 {
			b.WriteString(safe)
			return b.String()
		}
		b.WriteString(before + PlaceholderStart + rule)
		if list[0] > 1 {
			fmt.Fprintf(&b, "#%d", list[0])
		}
		b.WriteByte(']')
		safe, list = rest, list[1:]
	}
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isHex(c byte) bool    { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func hexValue(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// digits is the number of ASCII digits at s[i].
func digits(s string, i int) int {
	n := 0
	for i+n < len(s) && isDigit(s[i+n]) {
		n++
	}
	return n
}

func hexDigits(s string, i int) int {
	n := 0
	for i+n < len(s) && isHex(s[i+n]) {
		n++
	}
	return n
}

// wordRune is the size in bytes of the word character at s[i]: a letter, a digit, an
// accent or "_". It is 0 for any other character and at the end.
func wordRune(s string, i int) int {
	if i >= len(s) {
		return 0
	}
	if c := s[i]; c < utf8.RuneSelf {
		if isLetter(c) || isDigit(c) || c == '_' {
			return 1
		}
		return 0
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) {
		return size
	}
	return 0
}

// word is the number of bytes of word characters at s[i].
func word(s string, i int) int {
	n := 0
	for i+n < len(s) {
		if c := s[i+n]; isLetter(c) || isDigit(c) {
			n++
			continue
		}
		size := wordRune(s, i+n)
		if size == 0 {
			break
		}
		n += size
	}
	return n
}

// endsWord says that no word goes on at s[i].
func endsWord(s string, i int) bool { return wordRune(s, i) == 0 }

// has says that s[i:] starts with lit.
func has(s string, i int, lit string) bool { return len(s)-i >= len(lit) && s[i:i+len(lit)] == lit }
