package render

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/result"
)

const (
	maxMessage = 400 // bytes of one message
	maxValue   = 120 // bytes of an expected or actual value
	// maxPlaces bounds the further places named for a finding, and the notes of a finding without
	// a place.
	maxPlaces = 3
	// lead is how many bytes are kept of the beginning that two long values
	// share.
	lead = 20
)

// Line is one finding in one line: place, id and rule in full. A diagnostic's rule precedes its message, as linters
// print it; a test's rule, the class of the exception, follows the test.
func Line(f result.Finding) string {
	what, why, more := clauses(f)
	return result.CleanLine(join(join(f.Location, what), why) + more)
}

// clauses are a finding's line without its place: severity with the test's name or the rule, then the reason, which
// several findings may have in common, then what is this finding's own.
func clauses(f result.Finding) (what, why, more string) {
	message := cutOf(result.CleanLine(f.Message), maxMessage, result.MaxMessage)
	var words []string
	if f.Severity != result.SevFailure {
		words = append(words, string(f.Severity))
	}
	rule := f.Rule
	switch {
	case f.ID != "":
		words = append(words, test(f))
		if rule = f.Thrown(); hasWord(message, f.Rule) {
			rule = ""
		}
	case rule != "" && beginsWith(message, rule):
		rule = ""
	case rule != "":
		words, rule = append(words, f.Thrown()), ""
	}
	what, why = strings.Join(words, " "), join(rule, message)
	more = announced(f) + values(f, message) + causes(f, message) + remarks(f)
	if why != "" {
		why, more = why+more, ""
	}
	return what, why, more + otherPlaces(f) + times(f)
}

// announced returns the lines that a message only announces: "5 validation errors for Order", "Error(s) in loading
// state_dict for Net:", or the brace of a document.
func announced(f result.Finding) (text string) {
	message := strings.TrimRight(f.Message, " ")
	const maxTail = 30 // bytes of the message's end, by which its repetition in the text is found
	told, most := false, maxMessage
	if strings.HasSuffix(message, ":") {
		most = 2 * maxValue
	}
	if members := errorsIn(f.Detail); message == "{" && members != "" {
		return members
	}
	count := strings.Contains(message, " validation error") && strings.ContainsAny(message, "0123456789")
	if message == "" || !count && strings.IndexByte(":{[", message[len(message)-1]) < 0 || f.Expected+f.Actual+f.Diff != "" {
		return ""
	}
	for line := range strings.Lines(f.Detail) {
		bare := result.CleanLine(strings.TrimSpace(line))
		switch {
		case bare == message || len(message) > 1 && strings.HasSuffix(bare, message[max(0, len(message)-maxTail):]): // the message itself
			if text != "" && told {
				return text
			}
			text, told = "", true
		case strings.HasPrefix(bare, "at ") || strings.HasPrefix(bare, "#") || strings.HasPrefix(bare, "stack:"):
			return text // stack frames follow
		case len(text)+len(bare) > most:
			return text + " […]"
		case bare == "" || line[0] == '>' || strings.Trim(bare, "-=_") == "" || strings.HasPrefix(bare, "For further information visit "):
		case text == "" && count:
			text = ": " + bare
		case text != "" && line[0] != ' ' && line[0] != '\t':
			text += "; " + bare
		default:
			text += " " + bare
		}
	}
	return text
}

// errorsIn joins the values of a document's members named "error", such as those in pandera's report.
func errorsIn(document string) (text string) {
	for line := range strings.Lines(document) {
		if _, why, ok := strings.Cut(result.CleanLine(line), `"error": `); ok {
			text += " " + why
		}
	}
	return cut(text, 3*maxMessage)
}

// beginsWith says whether the message begins with the rule and continues: "conflict" and "CONFLICT (content): …",
// "KeyError" and "KeyError: 'a'".
func beginsWith(message, rule string) bool {
	if len(message) < len(rule) || !strings.EqualFold(message[:len(rule)], rule) {
		return false
	}
	rest := message[len(rule):]
	return rest == "" || rest[0] == ':' || strings.HasPrefix(rest, " (")
}

// times says how many tests of the same name failed in the same way.
func times(f result.Finding) string {
	if f.Times < 2 {
		return ""
	}
	return fmt.Sprintf(" (%d times)", f.Times)
}

// remarks are further facts in parentheses: for a finding without a place, such as the test that was running when the
// process ended; the cell of a notebook, since lines count within the cell; the values for which a line fails.
func remarks(f result.Finding) string {
	if f.At != nil {
		if strings.HasPrefix(f.At.Label, "cell ") || strings.HasPrefix(f.At.Label, "docstring of ") || isExample(f.At.Label) || f.Expected == "" && f.Actual == "" && isContrast(f.At.Label) {
			return " (" + cut(result.CleanLine(f.At.Label), maxValue) + ")"
		}
		return meant(f.Suggestions)
	}
	var texts []string
	for i := range f.Related {
		r := &f.Related[i]
		if _, isCause := r.Cause(); r.At == nil && r.Message != "" && !isCause {
			texts = append(texts, cut(result.CleanLine(r.Message), maxValue))
		}
	}
	if len(f.Suggestions) > 0 {
		texts = append(texts, "help: "+cut(result.CleanLine(f.Suggestions[0]), maxValue))
	}
	if len(texts) == 0 {
		return ""
	}
	more := ""
	if n := len(texts) - maxPlaces; n > 0 {
		texts, more = texts[:maxPlaces], fmt.Sprintf(" and %d more", n)
	}
	return " (" + strings.Join(texts, ", ") + more + ")"
}

// isExample says whether the label gives the values for which a property test fails.
func isExample(label string) bool {
	return strings.HasPrefix(label, "Failing test case: ") || strings.HasPrefix(label, "Falsifying example: ") || strings.HasPrefix(label, result.WithinTest)
}

// isContrast says whether a compiler's label has the expected and the actual type, while its message is only
// "mismatched types".
func isContrast(label string) bool {
	return strings.HasPrefix(label, "expected ") && strings.Contains(label, ", found ")
}

// meant is the name that a tool suggests for a name that does not exist.
func meant(suggestions []string) string {
	for _, s := range suggestions {
		if strings.Contains(s, " similar name exists: ") || strings.HasPrefix(s, "perhaps you meant: ") {
			return " (help: " + cut(result.CleanLine(s), maxValue) + ")"
		}
	}
	return ""
}

// causes are the exceptions that led to the one in the message, unless the message contains them. Of a long chain, the
// first and the last ones are named.
func causes(f result.Finding, message string) string {
	var texts []string
	for i := range f.Related {
		cause, ok := f.Related[i].Cause()
		cause = result.CleanLine(cause)
		class, text, hasClass := strings.Cut(cause, ": ")
		switch {
		case !ok || cause == "" || tells(message, cause) || class == f.Rule && tells(message, text):
		case hasClass && text != "" && tells(message, text):
			texts = append(texts, strings.TrimSuffix(f.Related[i].Message, ": "+text))
		case i == len(f.Related)-1: // the root of a chain says what was wrong
			texts = append(texts, cut(result.CleanLine(f.Related[i].Message), maxMessage))
		default:
			texts = append(texts, cut(result.CleanLine(f.Related[i].Message), maxValue))
		}
	}
	if n := len(texts) - maxPlaces; n > 0 {
		texts = append(append(texts[:maxPlaces-1:maxPlaces-1], fmt.Sprintf("%d more", n)), texts[len(texts)-1])
	}
	if len(texts) == 0 {
		return ""
	}
	return "; " + strings.Join(texts, "; ")
}

// otherPlaces names further places in the workspace: the line of the test that called a failed helper, the other access
// of a race.
func otherPlaces(f result.Finding) string {
	var names []string
	add := func(l *result.Location) {
		if l == nil || l.External || l.Path == "" || f.At != nil && l.Path == f.At.Path && (l.Line == f.At.Line || l.Line == 0) {
			return
		}
		name := result.Location{Path: l.Path, Line: l.Line}.String()
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for i := range f.Locations {
		add(&f.Locations[i])
	}
	for i := range f.Frames {
		if f.Frames[i].Line > 0 {
			add(&f.Frames[i])
		}
	}
	for i := range f.Related {
		add(f.Related[i].At)
	}
	if len(names) == 0 {
		return ""
	}
	more := ""
	if n := len(names) - maxPlaces; n > 0 {
		names, more = names[:maxPlaces], fmt.Sprintf(" and %d more", n)
	}
	return " (see " + strings.Join(names, ", ") + more + ")"
}

// values adds the expected and the actual value, unless the message contains both.
func values(f result.Finding, message string) string {
	expected, actual := visible(f.Expected), visible(f.Actual)
	switch {
	case expected == "" && actual == "":
		return ""
	case tells(message, strings.TrimPrefix(expected, "not ")) && tells(message, actual), tells(message, single(expected)) && tells(message, single(actual)):
		return ""
	case actual == "":
		return fmt.Sprintf(" (expected %s)", cutOf(expected, maxValue, result.MaxValue))
	case expected == "":
		return fmt.Sprintf(" (got %s)", cutOf(actual, maxValue, result.MaxValue))
	}
	skip := 0
	if len(expected) > maxValue || len(actual) > maxValue {
		skip = max(shared(expected, actual)-lead, 0)
	}
	return fmt.Sprintf(" (expected %s, got %s)", cutFrom(expected, skip), cutFrom(actual, skip))
}

// single is a value with the quotes in which chai's messages have a text.
func single(value string) string {
	if len(value) > 2 && value[0] == '"' && value[len(value)-1] == '"' {
		return "'" + value[1:len(value)-1] + "'"
	}
	return value
}

// tells says whether a value occurs in a message, and not only as letters inside of a word.
func tells(message, value string) bool {
	inWord := func(i int) bool {
		return i >= 0 && i < len(message) && (message[i] >= utf8.RuneSelf || unicode.IsLetter(rune(message[i])) || message[i] >= '0' && message[i] <= '9')
	}
	for at := 0; value != "" && at <= len(message)-len(value); at++ {
		i := strings.Index(message[at:], value)
		if i < 0 {
			return false
		}
		at += i
		if end := at + len(value); !(inWord(at-1) && inWord(at)) && !(inWord(end-1) && inWord(end)) {
			return true
		}
	}
	return value == ""
}

// visible is a value on one line, with white space made visible, since values may differ only in that.
func visible(s string) string {
	s = result.Clean(s)
	plain := strings.IndexFunc(s, func(r rune) bool { return r != ' ' && unicode.IsSpace(r) }) < 0
	if plain {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r != ' ' && unicode.IsSpace(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// shared is how many bytes two texts have in common at their beginning, in whole characters.
func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return boundary(a, n)
}

// boundary is the largest position up to n at which s can be cut between characters.
func boundary(s string, n int) int {
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// cut shortens text to n bytes, between characters, and says by how many bytes.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n = boundary(s, n)
	return fmt.Sprintf("%s[… %d bytes]", s[:n], len(s)-n)
}

// cutOf is cut for a text of which at most limit bytes were kept. If a text has that
// length, its full length is not known.
func cutOf(s string, n, limit int) string {
	if shown := cut(s, n); shown == s || len(s) <= limit-utf8.UTFMax {
		return shown
	}
	return s[:boundary(s, n)] + "[… more]"
}

// cutFrom drops the first skip bytes of a value, and shortens its end.
func cutFrom(s string, skip int) string {
	if skip = boundary(s, min(skip, len(s))); skip == 0 {
		return cutOf(s, maxValue, result.MaxValue)
	}
	return fmt.Sprintf("[… %d bytes]%s", skip, cutOf(s[skip:], maxValue, result.MaxValue-skip))
}

// hasWord says whether text contains word as a whole word. An empty word always counts as contained.
func hasWord(text, word string) bool {
	if word == "" {
		return true
	}
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if (start == 0 || !inWord(before)) && (end == len(text) || !inWord(after)) {
			return true
		}
		from = start + 1
	}
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
