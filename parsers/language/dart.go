package language

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("dart flutter", func(p *tool.Parser) {
	p.Is("dart-test", result.Test, 1, "dart test and flutter test, by their manual: the compact and expanded reporters")
	p.Family = "dart"
	p.Filter = tool.Filter{Flag: "--plain-name", Spell: func(f *result.Finding) string { return f.Name }}
	p.Matches = func(argv []string) bool {
		return tool.RunsSub("dart", "test")(argv) || tool.RunsSub("flutter", "test")(argv)
	}
	p.Reads(tool.Format{Name: "text", Starts: []string{"0…: Some tests failed.", "0…: All tests passed!"}, Sniff: isDartRow, Parse: read.Fresh(func(d *dartTest) read.Text { return read.Text{Line: d.line, End: d.flush, Closes: true} })})
})

var _ = Room.Add("dart flutter", func(p *tool.Parser) {
	p.Is("dart-analyze", result.Lint, 1, "dart analyze and flutter analyze, by their manual: default, --format=machine")
	p.Family = "dart"
	p.Matches = func(argv []string) bool {
		return tool.RunsSub("dart", "analyze")(argv) || tool.RunsSub("flutter", "analyze")(argv)
	}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: dartIssue, Closes: true}.Parse})
})

// dartIssue reads a row, in which the place stands behind the severity or behind the message:
//
//	  error - bin/app.dart:3:7 - Undefined name 'x'. - undefined_identifier
//	  error • Undefined name 'x' • lib/main.dart:5:7 • undefined_identifier
//	ERROR|COMPILE_TIME_ERROR|UNDEFINED_IDENTIFIER|/src/bin/app.dart|3|7|1|Undefined name 'x'.
func dartIssue(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if n, rest, _ := strings.Cut(text, " "); lex.IsDigits(n) && (strings.HasPrefix(rest, "issue found") || strings.HasPrefix(rest, "issues found")) || text == "No issues found!" {
		return s.Found(l, 0)
	}
	f, ok := cutDartIssue(text)
	if ok {
		s.Find(l, f)
		read.Unseen(s)
	}
	return ok || strings.HasPrefix(text, "Analyzing ")
}

func cutDartIssue(text string) (f result.Finding, ok bool) {
	if parts := strings.Split(text, "|"); len(parts) == 8 && lex.IsDigits(parts[4]) && lex.IsDigits(parts[5]) {
		return result.Finding{
			Severity: read.SeverityOf(parts[0]), RawSeverity: strings.ToLower(parts[0]), Rule: strings.ToLower(parts[2]), Message: parts[7],
			At: &result.Location{Path: parts[3], Line: lex.Atoi(parts[4]), Column: lex.Atoi(parts[5])},
		}, read.SeverityOf(parts[0]) != ""
	}
	mark := " • "
	if !strings.Contains(text, mark) {
		mark = " - "
	}
	parts := strings.Split(text, mark)
	if len(parts) < 4 || read.SeverityOf(parts[0]) == "" {
		return f, false
	}
	f = result.Finding{RawSeverity: parts[0], Severity: read.SeverityOf(parts[0]), Rule: parts[len(parts)-1]}
	for i, part := range parts[1 : len(parts)-1] {
		if at, rest, placed := place.Cut(part + ":"); placed && rest == "" && at.Column > 0 {
			f.At = &at
			f.Message = strings.Join(slices.Delete(slices.Clone(parts[1:len(parts)-1]), i, i+1), mark)
			return f, f.Message != ""
		}
	}
	return f, false
}

// dartTest reads the rows of a run, "00:02 +51 ~1 -3: test/a_test.dart: adds [E]". Below a failed test stand the
// expected value, the actual one and the stack: "test/a_test.dart 6:5  main.<fn>".
type dartTest struct{ said []string } // the lines below the last failed test

// cutDartRow cuts "00:02 +51 ~1 -3: name" into the counts of passed, skipped and failed tests, and the name.
func cutDartRow(line string) (counts [3]int, name string, ok bool) {
	head, name, ok := strings.Cut(line, ": ")
	words := strings.Fields(head)
	if !ok || len(words) < 2 || len(words[0]) != 5 || words[0][2] != ':' || !lex.IsDigits(words[0][:2]) {
		return counts, "", false
	}
	for _, word := range words[1:] {
		i := strings.IndexByte("+~-", word[0])
		if i < 0 || !lex.IsDigits(word[1:]) || len(word) > 8 {
			return counts, "", false
		}
		counts[i] = lex.Atoi(word[1:])
	}
	return counts, strings.TrimRight(name, " "), true
}

func isDartRow(line string) bool { _, _, ok := cutDartRow(line); return ok }

func (d *dartTest) line(s *read.Sink, l tool.Line) bool {
	counts, name, ok := cutDartRow(l.Text)
	if !ok {
		if s.Last() != nil && (strings.HasPrefix(l.Text, "  ") || l.Text == "") {
			if len(d.said) < 60 {
				d.said = append(d.said, strings.Clone(strings.TrimSpace(l.Text)))
			}
			return s.More(l)
		}
		d.flush(s)
		return false
	}
	d.flush(s)
	failed, isBad := strings.CutSuffix(name, " [E]")
	switch {
	case isBad:
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: failed, Name: failed, Message: "failed"}
		if path, test, ok := strings.Cut(failed, ": "); ok && strings.HasSuffix(path, ".dart") {
			f.Name, f.At = test, &result.Location{Path: path}
		}
		s.Find(l, f)
		read.Unseen(s)
	case name == "Some tests failed." || strings.HasPrefix(name, "All tests passed!") || name == "No tests ran.":
		s.Total(counts[2], map[string]int{"passed": counts[0], "skipped": counts[1], "failed": counts[2]})
		s.Ended(l)
	}
	return true
}

// flush gives the last failed test the message, values and place from the lines below its row.
func (d *dartTest) flush(s *read.Sink) {
	f, said := s.Last(), d.said
	d.said = nil
	if s.Break(); f == nil {
		return
	}
	placed := false
	for _, text := range said {
		label, value, _ := strings.Cut(text, ": ")
		words := strings.Fields(text)
		switch {
		case label == "Expected" && f.Expected == "":
			f.Expected = value
		case label == "Actual" && f.Actual == "":
			f.Actual = value
		case !placed && len(words) > 1 && strings.HasSuffix(words[0], ".dart") && !strings.Contains(words[0], ":") && strings.Contains(words[1], ":"):
			if at, _, ok := place.Cut(words[0] + ":" + words[1] + ":"); ok {
				f.At, placed = &at, true
			}
		}
	}
	if len(said) > 0 && said[0] != "" {
		f.Message = said[0]
	}
	f.Detail = strings.Join(said, "\n")
}
