package jstest

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("deno", func(p *tool.Parser) {
	p.Is("deno", result.Generic, 1, "deno 1.30 to 2: run, check, fmt, and whatever else it does beside test and lint")
	p.Interprets = tool.Always
	p.ColumnUnit = "char"
	p.Matches = isDeno
	p.Reads(tool.Format{Name: "text", Parse: read.Fresh(func(d *denoRun) read.Text { return read.Text{Line: d.line, End: d.flush} })})
})

func isDeno(argv []string) bool {
	return argv[0] == "deno" && !tool.RunsSub("deno", "test", "lint")(argv)
}

// denoRun reads an error that ended a script, with its source and stack, what
// TypeScript says, and the files that deno fmt would change:
//
//	error: Uncaught (in promise) Error: x
//	    at file:///src/u.ts:1:7
//	TS2322 [ERROR]: Type 'string' is not assignable to type 'number'.
//	    at file:///src/types_test.ts:1:7
//	from /src/fmt.ts:
type denoRun struct {
	open bool
	text jserror.Text
}

func (d *denoRun) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	message, failed := strings.CutPrefix(l.Text, "error: ")
	rule, typed, isType := strings.Cut(l.Text, " [ERROR]: ")
	path, isFile := strings.CutPrefix(l.Text, "from ")
	switch {
	case isType && strings.HasPrefix(rule, "TS") && lex.IsDigits(rule[2:]):
		d.flush(s)
		s.Find(l, result.Finding{Kind: result.Diagnostic, Rule: rule, Message: typed})
		d.open = true
	case isFile && strings.HasSuffix(path, ":"):
		d.flush(s)
		s.Find(l, result.Finding{Kind: result.Diagnostic, Rule: "format", Message: "not formatted", At: &result.Location{Path: strings.TrimSuffix(path, ":")}})
	case strings.HasPrefix(l.Text, "Error checking: "):
		d.flush(s)
		s.Find(l, result.Finding{Kind: result.Diagnostic, Message: "could not be checked", At: &result.Location{Path: l.Text[len("Error checking: "):]}})
		d.open = true
	case strings.HasPrefix(message, "Type checking failed"), failed && strings.Contains(message, " not formatted file"):
		d.flush(s)
		s.Claim(lex.LeadingNumber(strings.TrimPrefix(message, "Found ")))
		s.Claimed = cmp.Or(s.Claimed, -1)
		s.Sign(l)
	case failed:
		d.flush(s)
		d.failed(s, l, message)
	case d.open:
		d.text.Add(l.Text)
		s.More(l)
	case strings.HasPrefix(text, "Found ") && strings.HasSuffix(text, " errors."):
		s.Sign(l)
	default:
		return strings.HasPrefix(text, "Check ") || strings.HasPrefix(text, "Checked ") || s.Last() != nil
	}
	return true
}

func (d *denoRun) failed(s *read.Sink, l tool.Line, message string) {
	uncaught, ok := strings.CutPrefix(message, "Uncaught ")
	f := result.Finding{Kind: result.GenericFinding}
	if uncaught = strings.TrimPrefix(uncaught, "(in promise) "); ok {
		f.Kind, s.Meaning = result.Panic, result.MeansCrashed
	}
	f.Rule, f.Message = jserror.CutClass(uncaught)
	if lex.HasAnyPrefix(message, "unexpected argument", "unrecognized subcommand", "invalid value", "the following required arguments", "Config file", "Module not found") {
		s.Meaning = result.MeansUsage
	}
	s.Find(l, f)
	d.open = true
}

// flush gives the last finding the first place of its own code.
func (d *denoRun) flush(s *read.Sink) {
	f, lines := s.Last(), d.text.Lines
	open := d.open
	d.open, d.text = false, jserror.Text{}
	if s.Break(); !open || f == nil {
		return
	}
	for _, t := range lines {
		if class, message := jserror.CutClass(strings.TrimSpace(t)); class != "" && f.Message == "could not be checked" {
			f.Rule, f.Message, f.At = class, message, nil
		}
		at, ok := jserror.Frame(strings.TrimSpace(t))
		if !ok || at.External {
			continue
		}
		if f.At == nil {
			f.At = &at
		} else if !slices.Contains(f.Frames, at) {
			f.Frames = append(f.Frames, at)
		}
	}
	f.Detail = ""
}
