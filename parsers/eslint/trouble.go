package eslint

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/tool"
	"cairn/result"
)

// maxESLintTrouble bounds the lines kept of one message: what is said first
// says why, and a stack is rarely deeper.
const maxESLintTrouble = 40

// Beginnings of what eslint says when it cannot go on.
const (
	eslintOops     = "Oops! Something went wrong! :("
	eslintWarnings = "ESLint found too many warnings (maximum: "
	eslintUnpruned = "There are suppressions left that do not occur anymore."
	eslintLoading  = "There was a problem loading formatter: "
	eslintWriting  = "There was a problem writing the output file:"
	eslintFormer   = " formatter is no longer part of core ESLint."
	eslintFlat     = "You're using eslint.config.js, some command line flags are no longer available."
)

// eslintStops are all of these that begin a line. Those that are not eslint's
// alone count where the command names it.
var eslintStops = [...]struct {
	start  string
	shared bool
	more   bool // the message goes on
	rule   string
}{
	{start: eslintOops, more: true},
	{start: eslintWarnings, rule: "max-warnings"},
	{start: eslintUnpruned, rule: "unpruned-suppressions"},
	{start: eslintLoading, more: true},
	{start: eslintWriting, more: true, shared: true},
	{start: "The suppressions file does not exist. Please run the command with `--suppress-all`"},
	{start: "Cannot write to output file path, it is a directory: ", shared: true},
	{start: "Invalid option '", shared: true},
	{start: "Invalid value for option '", shared: true},
	{start: "Value for '", shared: true},
	{start: "The --", shared: true},
}

// eslintTrouble reads what one stream says about the run itself.
type eslintTrouble struct {
	named bool // the command names eslint
	found []eslintStop
	open  bool // the last one goes on
	blank int  // empty lines since
}

// eslintStop is one message.
type eslintStop struct {
	kind  string // how it begins
	text  []string
	start int64
	end   int64
}

func (t *eslintTrouble) line(l tool.Line) bool {
	s := strings.TrimRight(l.Text, " \t")
	if strings.HasPrefix(s, eslintFlat) {
		return t.named
	}
	if kind := t.kind(s); kind != "" {
		t.found = append(t.found, eslintStop{kind: kind, text: []string{s}, start: l.Start, end: l.End})
		t.open, t.blank = kind == eslintOops || kind == eslintLoading || kind == eslintWriting, 0
		return true
	}
	if !t.open {
		return false
	}
	return t.more(s, l)
}

func (t *eslintTrouble) kind(s string) string {
	if s == "" || strings.IndexByte("OETCIV", s[0]) < 0 {
		return ""
	}
	for i := range eslintStops {
		if stop := &eslintStops[i]; (t.named || !stop.shared) && strings.HasPrefix(s, stop.start) {
			return stop.start
		}
	}
	if strings.HasPrefix(s, "The ") && strings.Contains(s, eslintFormer) {
		return eslintFormer
	}
	return ""
}

// more takes a further line of the open message. It ends with its stack, or
// where npm begins to speak.
func (t *eslintTrouble) more(s string, l tool.Line) bool {
	stop := &t.found[len(t.found)-1]
	switch {
	case s == "":
		t.blank++
		t.open = !(stop.kind == eslintLoading || strings.HasPrefix(stop.text[len(stop.text)-1], "    at "))
		return t.open
	case trace.IsScriptTail(s), t.blank > 2:
		t.open = false
		return false
	}
	t.blank = 0
	if len(stop.text) < maxESLintTrouble {
		stop.text = append(stop.text, s)
	}
	stop.end = max(stop.end, l.End)
	return true
}

// report adds what was said to a report.
func (t *eslintTrouble) report(rep *tool.Report) {
	for _, stop := range t.found {
		f := stop.finding()
		if f.Rule == "" || f.Kind == result.Panic {
			rep.Meaning = result.MeansUsage
		}
		if v, ok := stop.after("ESLint: "); ok {
			rep.Version = v
		}
		if f.Kind == result.Panic {
			rep.Meaning = result.MeansInternal
		}
		rep.Counts["error"]++
		rep.Add(f)
	}
}

func (s eslintStop) finding() result.Finding {
	f := result.Finding{
		Kind: result.GenericFinding, Severity: result.SevError, Message: s.text[0],
		RawSpan: &result.Span{Start: s.start, End: s.end},
	}
	switch s.kind {
	case eslintWarnings:
		f.Rule = "max-warnings"
	case eslintUnpruned:
		f.Rule = "unpruned-suppressions"
	case eslintLoading, eslintWriting:
		f.Detail = strings.Join(s.text[1:], "\n")
		if s.kind == eslintWriting && len(s.text) > 1 {
			f.Message += " " + strings.TrimPrefix(s.text[1], "Error: ")
		}
	case eslintOops:
		s.oops(&f)
	}
	return f
}

// oops: the reason stands below the version.
func (s eslintStop) oops(f *result.Finding) {
	text := s.text[1:]
	if len(text) > 0 && strings.HasPrefix(text[0], "ESLint: ") {
		text = text[1:]
	}
	if len(text) == 0 {
		return
	}
	f.Message, f.At = eslintReason(text)
	f.Detail = strings.Join(text[1:], "\n")
	if where, ok := s.after("Occurred while linting "); ok {
		f.Kind, f.At = result.Panic, &result.Location{Path: where}
		if path, line, ok := place.CutLineNumber(where); ok {
			f.At = &result.Location{Path: path, Line: line}
		}
	}
	if rule, ok := s.after(`Rule: "`); ok {
		f.Rule = strings.TrimSuffix(rule, `"`)
	}
}

// after is what follows a word at the beginning of a line.
func (s eslintStop) after(word string) (string, bool) {
	for _, line := range s.text {
		if rest, ok := strings.CutPrefix(line, word); ok {
			return rest, true
		}
	}
	return "", false
}
