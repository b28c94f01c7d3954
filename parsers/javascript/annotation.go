package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// annotation reads a command of GitHub's log, as linters write it:
//
//	::warning file=src/a.js,line=3,col=7,title=rule::message
func annotation(line string) (f result.Finding, title string, ok bool) {
	rest, ok := strings.CutPrefix(line, "::")
	head, text, has := strings.Cut(rest, "::")
	level, params, _ := strings.Cut(head, " ")
	if !ok || !has || read.SeverityOf(level) == "" && level != "notice" {
		return f, "", false
	}
	at := result.Location{}
	for part := range strings.SplitSeq(params, ",") {
		switch key, value, _ := strings.Cut(part, "="); key {
		case "file":
			at.Path = githubText.Replace(value)
		case "title":
			title = githubText.Replace(value)
		case "line":
			at.Line = lex.Atoi(value)
		case "col", "column":
			at.Column = lex.Atoi(value)
		}
	}
	message, _, _ := strings.Cut(githubText.Replace(text), "\n")
	f = result.Finding{Severity: read.SeverityOf(level), RawSeverity: level, Message: strings.TrimSpace(message)}
	if level == "notice" {
		f.Severity = result.SevInfo
	}
	if at.Path != "" {
		f.At = &at
	}
	return f, title, at.Path != "" && f.Message != ""
}

// annotations is a format of such lines, the titles of which are rules; fix may
// change a finding.
func annotations(fix func(f *result.Finding)) func(in *tool.Input) *tool.Report {
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		f, title, ok := annotation(l.Text)
		if !ok {
			return false
		}
		f.Rule = title
		if fix != nil {
			fix(&f)
		}
		s.Find(l, f)
		return true
	}}.Parse
}

// firstLines are those in which a program complains of what it was given.
const firstLines = 3

// usage reads what a program says of its own flags and configuration, on stderr
// and in its first lines: starts begin such a line and are taken off it where they
// end with a blank.
func usage(starts ...string) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		lines, from := map[tool.Stream]int{}, tool.Stdout
		rep := read.Text{Line: func(s *read.Sink, l tool.Line) bool {
			if strings.TrimSpace(l.Text) != "" {
				lines[l.Stream]++
			}
			if f := s.Last(); f != nil && l.Stream != from {
				return false
			} else if f != nil {
				moreOfMessage(f, l.Text)
				if at, ok := cutFrame(strings.TrimSpace(l.Text)); ok && f.At == nil && isOwn(at) {
					f.At = &at
				}
				s.More(l)
				return true
			}
			for _, start := range starts {
				if rest, ok := strings.CutPrefix(strings.TrimLeft(l.Text, " "), start); ok && len(s.Findings) == 0 && lines[l.Stream] <= firstLines {
					if !strings.HasSuffix(start, " ") {
						rest = strings.TrimLeft(l.Text, " ")
					}
					class, message := cutClass(rest)
					from = l.Stream
					s.Find(l, result.Finding{Rule: class, Message: strings.TrimSpace(message)})
					return true
				}
			}
			return false
		}}.Parse(in)
		if rep != nil {
			rep.Meaning = result.MeansUsage
		}
		return rep
	}
}
