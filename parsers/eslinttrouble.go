package parsers

import (
	"strconv"
	"strings"

	"cairn/result"
)

// maxESLintTrouble bounds the lines kept of one message: what is said first
// says why, and a stack is rarely deeper.
const maxESLintTrouble = 40

// Beginnings of what eslint says when it cannot go on.
const (
	eslintOops     = "Oops! Something went wrong! :("
	eslintWarnings = "ESLint found too many warnings (maximum: "
	eslintLoading  = "There was a problem loading formatter: "
	eslintOption   = "Invalid option '"
	eslintFormer   = " formatter is no longer part of core ESLint."
)

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

func (t *eslintTrouble) line(l Line) bool {
	s := strings.TrimRight(l.Text, " \t")
	if kind := t.kind(s); kind != "" {
		t.found = append(t.found, eslintStop{kind: kind, text: []string{s}, start: l.Start, end: l.End})
		t.open, t.blank = kind == eslintOops || kind == eslintLoading, 0
		return true
	}
	if !t.open {
		return false
	}
	return t.more(s, l)
}

func (t *eslintTrouble) kind(s string) string {
	switch {
	case s == eslintOops:
		return eslintOops
	case strings.HasPrefix(s, eslintWarnings):
		return eslintWarnings
	case strings.HasPrefix(s, eslintLoading):
		return eslintLoading
	case strings.HasPrefix(s, "The ") && strings.Contains(s, eslintFormer):
		return eslintFormer
	case t.named && strings.HasPrefix(s, eslintOption):
		return eslintOption
	}
	return ""
}

// more takes a further line of the open message. It ends with its stack, or
// where npm begins to speak.
func (t *eslintTrouble) more(s string, l Line) bool {
	stop := &t.found[len(t.found)-1]
	switch {
	case s == "":
		t.blank++
		t.open = !(stop.kind == eslintLoading || strings.HasPrefix(stop.text[len(stop.text)-1], "    at "))
		return t.open
	case isScriptTail(s), t.blank > 2:
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

// isScriptTail: what package managers print after a script that failed.
func isScriptTail(s string) bool {
	for _, start := range [...]string{"npm ", "error Command failed", " ELIFECYCLE", "\u2009ELIFECYCLE", "info Visit ", "make"} {
		if strings.HasPrefix(s, start) {
			return true
		}
	}
	return false
}

// report adds what was said to a report.
func (t *eslintTrouble) report(rep *Report) {
	for _, stop := range t.found {
		f := stop.finding()
		if stop.kind != eslintWarnings {
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
	case eslintLoading:
		f.Detail = strings.Join(s.text[1:], "\n")
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
	f.Message = strings.TrimPrefix(text[0], "Error: ")
	if strings.HasSuffix(f.Message, ":") && len(text) > 1 {
		f.Message += " " + strings.TrimSpace(text[1])
	}
	f.Detail = strings.Join(text[1:], "\n")
	if where, ok := s.after("Occurred while linting "); ok {
		f.Kind, f.At = result.Panic, &result.Location{Path: where}
		if path, line, ok := cutLineNumber(where); ok {
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

// atoi is the positive number that s is; 0 for all else.
func atoi(s string) int {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return 0
	}
	return int(n)
}
