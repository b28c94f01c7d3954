package own

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"cairn/parsers"
	"cairn/result"
)

// Parser is the parser for commands that the rule matches; nil if the rule runs an
// executable.
func (r *Rule) Parser() *parsers.Parser {
	switch {
	case r.as != nil:
		return r.as
	case r.efm != nil:
		return r.parser("errorformat", r.parseEfm)
	case len(r.lines) > 0:
		return r.parser("lines", r.parseLines)
	case len(r.Forms) > 0:
		return r.parser("forms", r.parseForms)
	}
	return nil
}

func (r *Rule) parser(format string, parse func(*parsers.Input) *parsers.Report) *parsers.Parser {
	return &parsers.Parser{Tool: r.Name, Kind: r.Kind, Version: 1, Formats: []parsers.Format{{Name: format, Parse: parse}}}
}

// parseLines makes findings of the lines that match one of the rule's expressions.
func (r *Rule) parseLines(in *parsers.Input) *parsers.Report {
	rep := in.NewReport()
	rep.Complete = true
	for l := range in.Lines() {
		if f, ok := r.finding(l.Text); ok {
			rep.Add(f)
			if tells(f, l.Text) {
				rep.Cover(l)
			}
		}
	}
	if len(rep.Findings) == 0 {
		return nil
	}
	return rep
}

// parseForms makes findings of the lines that have one of the rule's forms. A line that
// looks like an error stays in the result as text unless a finding holds all of it.
func (r *Rule) parseForms(in *parsers.Input) *parsers.Report {
	rep := parsers.ParseRows(r.Forms, in)
	if rep == nil {
		return nil
	}
	read := rep.Covered
	rep.Covered, rep.Complete, rep.Tested, rep.Meaning = nil, true, false, "" // a rule may not decide the status
	for l := range in.Lines() {
		if holdsLine(read, l) && (!alarming(l.Text) || slices.ContainsFunc(rep.Findings, func(f result.Finding) bool {
			return holdsLine([]result.Span{*f.RawSpan}, l) && tells(f, l.Text)
		})) {
			rep.Cover(l)
		}
	}
	return rep
}

func holdsLine(spans []result.Span, l parsers.Line) bool {
	return slices.ContainsFunc(spans, func(s result.Span) bool { return s.Start <= l.Start && l.Start < s.End })
}

// finding is the finding of a line, by the first expression that matches.
func (r *Rule) finding(text string) (f result.Finding, ok bool) {
	for _, form := range r.lines {
		if m := form.FindStringSubmatch(text); m != nil {
			return r.fromGroups(form, m), true
		}
	}
	return f, false
}

func (r *Rule) fromGroups(form *regexp.Regexp, m []string) result.Finding {
	f := result.Finding{Kind: result.Diagnostic, Severity: r.Severity}
	var at result.Location
	for i, name := range form.SubexpNames() {
		switch text := strings.TrimSpace(m[i]); name {
		case "path":
			at.Path = text
		case "line":
			at.Line = number(text)
		case "column":
			at.Column = number(text)
		case "end_line":
			at.EndLine = number(text)
		case "severity":
			f.RawSeverity = text
			if s := severityOf(text); s != "" {
				f.Severity = s
			}
		case "rule":
			f.Rule = text
		case "id":
			f.ID = text
		case "message":
			f.Message = text
		}
	}
	if at.Path != "" {
		f.At = &at
	}
	return f
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// tells says whether a finding may replace a line without loss: the finding is an
// error, or the line does not look like one; and the finding holds all words of the
// line.
func tells(f result.Finding, line string) bool {
	if f.Severity != result.SevError && f.Severity != result.SevFailure && alarming(line) {
		return false
	}
	return holds(f, line)
}

func holds(f result.Finding, line string) bool {
	said := []string{string(f.Severity), f.RawSeverity, f.ID, f.Name, f.Rule, f.Message, f.Expected, f.Actual, f.Detail}
	if f.At != nil {
		said = append(said, f.At.String(), strconv.Itoa(f.At.EndLine))
	}
	known := map[string]bool{}
	for _, text := range said {
		for _, w := range split(text) {
			known[w] = true
		}
	}
	for _, w := range split(line) {
		if !known[w] {
			return false
		}
	}
	return true
}

func split(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

var alarm = sync.OnceValue(func() *regexp.Regexp { // compiled at first use: most runs need none
	return regexp.MustCompile(`(?i)error|fail|fatal|panic|exception|traceback|abort|crash|kill|segfault|segmentation|denied|refused|cannot|can't|could not|unable|undefined|not found|no such|missing|invalid|assert|✗|✘|✖|❌`)
})

// alarming says whether a person would look at the line first.
func alarming(line string) bool { return alarm().MatchString(line) }
