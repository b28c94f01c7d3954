package c

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("cpplint | cpplint.py", func(p *tool.Parser) {
	p.Is("cpplint", result.Lint, 1, "cpplint 1.5 to 2.0: emacs, vs7, eclipse, sed; junit by way of the linters' JUnit")
	p.Exits = map[int]result.Meaning{32: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Other: cpplintTotal, Rows: []read.Row{ // emacs, vs7 and eclipse; line 0 means the whole file
		{Form: "{path}:{line}:  {message}  [{rule}] [{word}]"}, {Form: "{path}({line}): error cpplint: [{rule}] {message} [{word}]"}, {Form: "{path}:{line}: warning: {message}  [{rule}] [{word}]"},
		{Form: "Done processing {}", As: read.Skip},
	}}.Parse})
})

func cpplintTotal(s *read.Sink, l tool.Line) bool {
	n, ok := strings.CutPrefix(l.Text, "Total errors found: ")
	return ok && s.Found(l, lex.Atoi(n))
}

// In the log lines of cmakelang's programs, the word after the severity is a place in their own source.
var _ = Room.Add("cmake-format cmake-lint | cmake-annotate", func(p *tool.Parser) {
	p.Is("cmakelang", result.Lint, 1, "cmakelang 0.6: cmake-format --check, cmake-lint")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{
		Rows: []read.Row{
			{Form: "ERROR {word}: Check failed: {path}", As: read.Error, Fit: unformattedCMake},
			{Form: "WARNING {word}: While processing {path}", As: read.InPath},
			{Form: "{path}:{line},{column}: [{rule}] {message}", As: read.Warning},
			{Form: "CRITICAL {message}:", As: read.Error, Fit: cutCMakeLogger},
			{Form: "ERROR {message}", As: read.Misuse},
		},
		Below: read.Indented,
	}.Parse)})
})

func unformattedCMake(f *result.Finding) {
	f.Rule, f.Message, f.Fixable = "unformatted", "Check failed", true
}

// cutCMakeLogger removes "__main__.py:635: " from a message.
func cutCMakeLogger(f *result.Finding) {
	if logger, message, ok := strings.Cut(f.Message, ": "); ok && strings.Contains(logger, ".py:") {
		f.Message = message
	}
}

var _ = Room.Add("flawfinder", func(p *tool.Parser) {
	p.Is("flawfinder", result.Security, 1, "flawfinder 2.x: text, --singleline, --columns, --csv, --sarif")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(flawfinderLog)})
	p.Reads(tool.Format{Name: "csv", Starts: []string{"File,Line,Column,DefaultLevel,Level,Category,Name,"}, Named: true, Parse: read.TableByShape("File,Line,Column,DefaultLevel,Level,", flawfinderRow)})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Flawfinder version "}, Named: true, Parse: read.Linter{Plain: true, Accept: flawfinderHit, Severity: flawfinderLevel, Below: flawfinderText, Other: flawfinderLine}.Parse})
	p.Reads(read.PythonTrouble("flawfinder"))
})

// flawfinderLevel returns the severity for a level of risk, 0 to 5, as in flawfinder's SARIF.
func flawfinderLevel(level string) result.Severity {
	return cmp.Or(result.Severity(lex.Means(level, "error: 4, 5; warning: 3")), result.SevInfo)
}

// flawfinderHit reads "[4] (buffer) strcpy:" behind a place and, with --singleline, the text in the same line.
func flawfinderHit(d *read.Diagnostic) bool {
	head, message, _ := strings.Cut(d.Message, ":")
	level, name, ok := strings.Cut(strings.TrimPrefix(head, "["), "] (")
	if !ok || !lex.IsDigits(level) {
		return false
	}
	d.Word, d.Rule, d.Message = level, strings.Replace(name, ") ", "/", 1), lex.OnOneLine(message)
	return true
}

// flawfinderText joins the lines of a message, indented by two, without the line of source that --context shows.
func flawfinderText(s *read.Sink, l tool.Line) bool {
	text, ok := strings.CutPrefix(l.Text, "  ")
	if f := s.Last(); ok && f != nil && !strings.HasPrefix(text, " ") && f.Source == "" {
		f.Message = lex.OnOneLine(f.Message + " " + text)
	}
	return ok
}

// flawfinderLine takes the lines before and after the hits.
func flawfinderLine(s *read.Sink, l tool.Line) bool {
	switch text := l.Text; {
	case strings.HasPrefix(text, "Flawfinder version "):
		s.Sign(l)
	case strings.HasPrefix(text, "Hits = "):
		s.Problems(lex.LeadingNumber(text[len("Hits = "):]))
		s.Close(l)
	case text == "No hits found.":
		s.Close(l)
	case strings.HasPrefix(text, "Warning: Skipping non-existent file "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Message: strings.TrimPrefix(text, "Warning: ")})
	default:
		return text == "FINAL RESULTS:" || text == "ANALYSIS SUMMARY:" || strings.HasPrefix(text, "Examining ") || strings.HasPrefix(text, "Number of rules (primarily ") || s.Closed()
	}
	return true
}

// flawfinderRow gives a row of CSV the severity of its level.
func flawfinderRow(f *result.Finding) {
	f.Severity = flawfinderLevel(f.RawSeverity)
}

// flawfinderLog removes the rule's name, "buffer/strcpy:", from a message in SARIF.
func flawfinderLog(f *result.Finding) {
	_, f.Message, _ = strings.Cut(f.Message, ":")
	f.Message = lex.OnOneLine(f.Message)
}

var _ = Room.Add("splint", func(p *tool.Parser) {
	p.Is("splint", result.Lint, 1, "Splint 3.1, C: the text it prints")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Finished checking --- "}, Named: true, Parse: read.Text{Line: splintLine}.Parse})
})

// splintLine reads a warning. Its message continues in lines that are indented more than the explanation, which ends
// with the flag that turns the warning off:
//
//	a.c: (in function find)
//	a.c:163:28: Operands of >= have incompatible types (int, size_t):
//	                         (end - path) >= sizeof((element))
//	  To allow arbitrary integral types to match long unsigned, use +longintegral.
func splintLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if f := s.Last(); f != nil && strings.HasPrefix(l.Text, "  ") {
		if strings.HasPrefix(l.Text, "    ") && !isExplained(f.Detail) {
			f.Message = lex.OnOneLine(f.Message + " " + text)
		}
		s.More(l)
		_, use, _ := strings.Cut(lex.OnOneLine(f.Detail), "(Use ")
		if flag, _, ok := strings.Cut(strings.TrimPrefix(use, "either "), " "); ok && strings.HasPrefix(flag, "-") {
			f.Rule = flag[1:]
		}
		return true
	}
	if count, ok := strings.CutPrefix(l.Text, "Finished checking --- "); ok {
		s.Problems(lex.LeadingNumber(count))
		return s.Close(l)
	}
	if strings.HasPrefix(l.Text, "*** ") || strings.HasPrefix(l.Text, "Cannot open file: ") {
		return s.Misuse(l, strings.TrimPrefix(text, "*** "))
	}
	path, rest, ok := strings.Cut(l.Text, ": (in ")
	if ok && isSourceName(path) && strings.HasSuffix(rest, ")") {
		return s.Break()
	}
	if at, message, ok := place.Cut(l.Text); ok && at.Line > 0 {
		return s.Find(l, result.Finding{Severity: result.SevWarning, Message: message, At: &at})
	}
	s.Break()
	return text == "" || strings.HasPrefix(l.Text, "Splint 3")
}

// isExplained reports whether the explanation has begun, which ends the message.
func isExplained(detail string) bool {
	for line := range strings.Lines(detail) {
		if !strings.HasPrefix(line, "    ") {
			return true
		}
	}
	return false
}

var _ = Room.Add("doxygen", func(p *tool.Parser) {
	p.Is("doxygen", result.Lint, 1, "doxygen 1.9 to 1.13: warnings of the documentation and of the Doxyfile")
	own := func(f *result.Finding) { f.Kind = result.GenericFinding }
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Below: doxygenBelow, Usage: []string{"error: Unknown option ", "error: configuration file "}, Rows: []read.Row{
		{Form: "{place} {severity}: {message}"}, {Form: "{severity}: {message} at line {line}, file {path}", Fit: own}, {Form: "{severity}: {message}", Fit: own},
	}}.Parse)})
})

// doxygenBelow takes the names at the end of a message, one per line.
func doxygenBelow(s *read.Sink, l tool.Line) bool {
	names := strings.HasPrefix(l.Text, "  ")
	if f := s.Last(); names && f != nil && strings.HasSuffix(f.Message, ":") {
		f.Message += " " + strings.TrimSpace(l.Text)
	}
	return names
}
