package tap

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// block is a block of YAML below a test point. It has a reader of its own, since some producers write invalid YAML.
// Keys at any depth count, the first of each name.
type block struct {
	indent int
	f      *result.Finding
	values map[string]string
	key    string // key of a text that continues on lines …
	margin int    // … with a deeper indent than this
	quote  bool   // … or until a quote
	fold   bool   // the lines are joined by blanks

	members bool     // the expected or actual value is an object
	before  []string // comments above the test
}

// maxFrames bounds the frames kept besides the deepest.
const maxFrames = 3

// maxYAML bounds the value of one key, in bytes.
const maxYAML = 8 << 10

func (b *block) line(line string) {
	text := strings.TrimLeft(line, " ")
	indent := len(line) - len(text)
	switch {
	case b.quote:
		b.add(text)
		if b.quote = !strings.HasSuffix(text, `"`) || strings.HasSuffix(text, `\"`); !b.quote {
			b.values[b.key] = unquote(b.values[b.key])
			b.key = ""
		}
		return
	case b.key != "" && (indent > b.margin || text == ""):
		b.add(text)
		return
	case b.key != "" && indent == b.margin && (text == "}" || text == "]"):
		b.add(text)
	}
	b.key = ""
	if at, rest, ok := place.Cut(strings.TrimPrefix(text, "- ")); ok && rest == "|+" { // "- t.c:6: |+"
		if b.values["message"] == "" {
			b.f.At = &at
			b.begin("message", rest, indent)
		}
		return
	}
	key, value, ok := cutKey(strings.TrimPrefix(text, "- "))
	if !ok || value != "" && value[0] != ' ' {
		return
	}
	b.begin(strings.Trim(key, `'"`), strings.TrimSpace(value), indent)
}

// cutKey splits "key: value"; a key with blanks is quoted.
func cutKey(text string) (key, value string, ok bool) {
	if len(text) > 1 && (text[0] == '\'' || text[0] == '"') {
		end := strings.Index(text[1:], text[:1]+":")
		if end < 0 {
			return "", "", false
		}
		return text[1 : 1+end], text[end+3:], true
	}
	key, value, ok = strings.Cut(text, ":")
	key = strings.TrimRight(key, " ") // qunit has all colons in one column
	return key, value, ok && !strings.Contains(key, " ")
}

func (b *block) begin(key, value string, indent int) {
	if b.values == nil {
		b.values = map[string]string{}
	}
	if _, has := b.values[key]; has {
		key += " again"
	}
	b.values[key] = ""
	b.fold = strings.HasPrefix(value, ">")
	switch {
	case value == "" && lex.IsOneOf(key, "expected actual wanted found"): // its members are not the test's
		b.key, b.margin, b.members = key, indent, true
	case value == "{" || value == "[": // JSON on several lines
		b.values[key] = value
		b.key, b.margin = key, indent
	case value == "|-" || value == "|" || value == "|+" || value == ">-" || value == ">" || value == ">+" || strings.HasPrefix(value, "|2"):
		b.key, b.margin = key, indent
	case strings.HasPrefix(value, `"`) && (len(value) == 1 || !strings.HasSuffix(value, `"`)):
		b.key, b.quote = key, true
		b.values[key] = value
	default:
		b.values[key] = unquote(value)
	}
}

func (b *block) add(text string) {
	if v := b.values[b.key]; len(v) < maxYAML {
		switch {
		case v == "":
		case b.fold:
			v += " "
		default:
			v += "\n"
		}
		b.values[b.key] = v + text
	}
}

func unquote(s string) string {
	if len(s) > 1 && (s[0] == '\'' || s[0] == '"') && s[len(s)-1] == s[0] {
		if s[0] == '"' {
			return strings.ReplaceAll(strings.ReplaceAll(s[1:len(s)-1], `\"`, `"`), `\\`, `\`)
		}
		return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
	}
	return s
}

// first is the first of the keys that has a value.
func (b *block) first(keys ...string) string {
	for _, k := range keys {
		if v := strings.TrimSpace(b.values[k]); v != "" && v != "~" {
			return v
		}
	}
	return ""
}

// fill completes the finding.
func (b *block) fill() {
	f := b.f
	message := b.first("message", "error", "failureType")
	message = cmp.Or(message, b.first("assertion", "operator"))
	if lines := strings.Split(message, "\n"); placeIn(lines[0]) != nil || message == "test failed" {
		a := about{f: f, said: lines} // bats; node, of a file that did not load
		if message == "test failed" {
			a.said = b.thrown()
		}
		a.explain()
		f.Rule, f.Message = jserror.CutClass(f.Message)
	}
	if message != "" && f.Message == "not ok" {
		f.Message = oneReason(message)
	}
	if name := b.first("name", "type"); strings.HasSuffix(name, "Error") && name != "Error" {
		f.Rule = name
	}
	f.Operator = b.first("operator")
	f.Expected, f.Actual = b.first("expected", "wanted"), b.first("actual", "found")
	if b.members {
		f.Expected, f.Actual = jserror.Differing(f.Expected, f.Actual)
	}
	if f.Expected == "" && f.Actual == "" {
		f.Expected, f.Actual = differing(b.values["diff"])
	}
	if f.Message == "not ok" {
		f.Message = b.ended()
	}
	f.Detail = lex.JoinBounded(strings.Split(message, "\n"), 2<<10)
	b.place()
}

// differing returns the removed and the added lines of a difference below "--- expected", "+++ actual".
func differing(diff string) (expected, actual string) {
	var minus, plus []string
	for line := range strings.SplitSeq(diff, "\n") {
		switch line = strings.TrimSpace(line); {
		case line == "--- expected" || line == "+++ actual":
		case strings.HasPrefix(line, "-"):
			minus = append(minus, strings.TrimSuffix(strings.TrimSpace(line[1:]), ","))
		case strings.HasPrefix(line, "+"):
			plus = append(plus, strings.TrimSuffix(strings.TrimSpace(line[1:]), ","))
		}
	}
	return lex.JoinBounded(minus, result.MaxValue), lex.JoinBounded(plus, result.MaxValue)
}

// ended says how the process of a test file ended, from node-tap's block.
func (b *block) ended() string {
	if code := b.first("exitCode"); code != "0" && lex.IsDigits(code) {
		return "exit code " + code
	}
	if signal := b.first("signal"); strings.HasPrefix(signal, "SIG") {
		return "signal " + signal
	}
	return "not ok"
}

// thrown returns the message and the places of an error that ended a process, from the comments above; of an abort,
// the signal and the stack, "1: formatHelp (file:///srv/lib/help.js:444:37)".
func (b *block) thrown() (said []string) {
	for _, c := range b.before {
		text := strings.TrimSpace(c)
		if text == "----- JavaScript stack trace -----" {
			said = []string{b.ended()}
			continue
		}
		if n, frame, _ := strings.Cut(text, ": "); len(said) > 0 && lex.IsDigits(n) {
			text = "at " + frame
		}
		if len(said) == 0 && trace.IsThrown(text) || len(said) > 0 && strings.HasPrefix(text, "at ") {
			said = append(said, text)
		}
	}
	return said
}

// oneReason is the first line of a text, joined with the next if the first ends with a colon.
func oneReason(text string) string {
	lines := strings.Split(text, "\n")
	if !strings.HasSuffix(lines[0], ":") {
		return lines[0]
	}
	for _, l := range lines[1:] {
		switch l = strings.TrimSpace(l); {
		case l == "":
		case l[0] == '+' || l[0] == '-' || l[0] == '{':
			return lines[0]
		default:
			return lines[0] + " " + l
		}
	}
	return lines[0]
}

// place sets the place: the deepest frame of the stack, or else the value of "at", "location", or "file" and
// "line".
func (b *block) place() {
	f := b.f
	if f.At != nil && f.At.Path != "" {
		return
	}
	for line := range strings.SplitSeq(b.values["stack"], "\n") {
		at := framed(strings.TrimSpace(line))
		switch {
		case at == nil || at.Path == "" || !strings.Contains(at.Path, "/"):
		case f.At == nil || f.At.Path == "":
			f.At = at
		case len(f.Frames) < maxFrames && (at.Path != f.At.Path || at.Line != f.At.Line):
			f.Frames = append(f.Frames, *at)
		}
	}
	if f.At != nil && f.At.Path != "" {
		return
	}
	for _, key := range [...]string{"at", "location"} {
		if at := framed(strings.ReplaceAll(b.first(key), "\n", " ")); at != nil && at.Path != "" {
			f.At = at
			return
		}
	}
	path := b.first("file", "fileName")
	if expired := b.first("expired"); strings.Contains(expired, ".") { // "TAP" is the run itself
		path = expired
	}
	if path != "" {
		f.At = &result.Location{Path: path, Line: lex.Atoi(b.first("line", "lineNumber")), Column: lex.Atoi(b.first("column", "columnNumber"))}
	}
}

// further begins another error of the same test, behind "---" in the block, as vitest writes those of expect.soft
// and of attempts.
func (r *reader) further(s *read.Sink, l tool.Line) {
	r.yaml.fill()
	was := r.about.f
	s.Find(l, result.Finding{Kind: was.Kind, Severity: was.Severity, ID: was.ID, Name: was.Name, Message: "not ok"})
	if last := s.Last(); last != nil {
		r.about.f, r.yaml = last, &block{indent: r.yaml.indent, f: last}
	}
}

// ofHook adds the failure of a hook. Node reports it with the test that contains those that failed or were
// cancelled because of it.
func (r *reader) ofHook(s *read.Sink) {
	if r.holder == "" || r.yaml.values["failureType"] != "hookFailed" {
		return
	}
	f := *r.yaml.f
	f.Kind, f.Severity, f.ID, f.Name = result.TestFailure, result.SevFailure, r.holder, r.holderName
	s.Find(r.holderLine, f)
	s.Break()
	r.holder = ""
}

// Explain completes a finding from lines "key: value", as printed by reporters that have read TAP.
func Explain(f *result.Finding, lines []string) {
	b := block{f: f}
	for _, line := range lines {
		b.line(line)
	}
	b.fill()
}
