package language

import (
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
	lower := func(f *result.Finding) {
		f.RawSeverity, f.Rule = strings.ToLower(f.RawSeverity), strings.ToLower(f.Rule)
	}
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{End: read.Unseen, Closes: true, Rows: []read.Row{
		{Form: "  {severity} - {path}:{line}:{column} - {message} - {rule}"}, {Form: "  {severity} • {message} • {path}:{line}:{column} • {rule}"},
		{Form: "{severity} - {path}:{line}:{column} - {message} - {rule}"}, {Form: "{severity} • {message} • {path}:{line}:{column} • {rule}"},
		{Form: "{severity}|{}|{rule}|{path}|{line}|{column}|{}|{message}", Fit: lower},
		{Form: "{} issue found.{}", As: read.Close}, {Form: "{} issues found.{}", As: read.Close}, {Form: "No issues found!", As: read.Close}, {Form: "Analyzing {}", As: read.Skip},
	}}.Parse})
})

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
