package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("codeceptjs codecept", func(p *tool.Parser) {
	p.Is("codeceptjs", result.Test, 1, "CodeceptJS 3 and 4: codeceptjs run, --steps, --verbose")
	p.ColumnUnit = "utf16"
	p.Filter = tool.Filter{Flag: "--grep", Spell: func(f *result.Finding) string { return f.Name }}
	p.Reads(tool.Format{Name: "text", Starts: []string{"-- FAILURES:", "CodeceptJS v"}, Parse: read.Numbered{
		Indent: "  ", Take: codeceptFailure, Ends: func(text string) bool { _, ok := codeceptTally(text); return ok }, Other: codeceptOther, Closes: true,
	}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Said{Errors: []string{"Error: "}, Fill: func(f *result.Finding) { f.Kind = result.GenericFinding }, End: read.Misused}.Parse})
})

// codeceptFailure reads a failure of the list: the feature, the scenario with a colon, what
// went wrong with its stack, the file, and the steps, the failed one with its place.
func codeceptFailure(s *read.Sink, b *read.Block) {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: b.Title, Message: "failed"}
	file, step := (*result.Location)(nil), (*result.Location)(nil)
	text := b.Body
	for i, line := range b.Body {
		said := strings.TrimSpace(line)
		name, named := strings.CutSuffix(said, ":")
		path, isFile := strings.CutPrefix(said, "◯ File: ")
		switch {
		case i == 0 && named:
			f.Name, f.ID = name, b.Title+": "+name
			text = b.Body[1:]
		case isFile:
			file = &result.Location{Path: path}
			text = b.Body[min(1, i):i]
		case strings.HasPrefix(said, "✖ I.") && step == nil:
			if j := strings.LastIndex(said, " at "); j > 0 {
				if at, ok := jserror.Frame(said[j+1:]); ok && !at.External {
					step = &at
				}
			}
		}
	}
	jserror.Explain(&f, text)
	switch {
	case step != nil:
		f.At, f.Frames = step, nil
	case f.At == nil:
		f.At = file
	}
	s.FindBlock(b, f)
}

// codeceptTally reads "  FAIL  | 1 passed, 2 failed   // 56ms" and "  OK  | 2 passed   // 5ms".
func codeceptTally(line string) (counts map[string]int, ok bool) {
	word, rest, ok := strings.Cut(strings.TrimSpace(line), " ")
	rest, ok2 := strings.CutPrefix(strings.TrimSpace(rest), "| ")
	if !ok || !ok2 || !lex.IsOneOf(word, "FAIL OK") {
		return nil, false
	}
	rest, _, ok = strings.Cut(rest, " // ")
	return read.Counts(rest), ok
}

func codeceptOther(s *read.Sink, l tool.Line) bool {
	counts, ok := codeceptTally(l.Text)
	if !ok {
		if version, is := strings.CutPrefix(l.Text, "CodeceptJS v"); is {
			s.Version, _, _ = strings.Cut(version, " ")
			s.Sign(l)
		}
		return s.Signed && s.Last() == nil && l.Stream == tool.Stdout
	}
	s.Tested = s.Scores(counts, "") > 0
	s.NoTests = !s.Tested
	return s.Close(l)
}
