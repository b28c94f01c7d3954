package jvm

import (
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// rules adds a finding for each rule of the enforcer.
func (w *stopped) rules(s *read.Sink) (found bool) {
	for i, text := range w.reasons {
		class, ok := strings.CutSuffix(text, " failed with message:")
		_, class, numbered := strings.Cut(class, ": ")
		if !ok || !numbered || !strings.HasPrefix(text, "Rule ") {
			continue
		}
		var said []string
		for _, next := range w.reasons[i+1:] {
			if strings.HasPrefix(next, "Rule ") && strings.HasSuffix(next, " failed with message:") {
				break
			}
			said = append(said, strings.TrimSpace(next))
		}
		s.Find(w.lines[i], result.Finding{
			Kind: result.BuildError, ID: w.goal, Rule: class[strings.LastIndexByte(class, '.')+1:], Message: strings.Join(said[:min(len(said), 4)], ": "),
			Detail: lex.JoinBounded(said, 4<<10),
		})
		w.through(s, i+len(said))
		found = true
	}
	s.Break()
	return found
}

// files adds the files in a list such as that below "The following files had format violations:".
func (w *stopped) files(s *read.Sink) (found bool) {
	if !strings.HasSuffix(w.why, ":") {
		return false
	}
	for i, text := range w.reasons {
		file := strings.TrimSpace(text)
		if indent := len(text) - len(strings.TrimLeft(text, " ")); indent != 4 || !strings.Contains(path.Base(file), ".") || strings.ContainsAny(file, " :") {
			continue
		}
		s.Find(w.line, result.Finding{Kind: result.BuildError, ID: w.goal, Message: strings.TrimSuffix(w.why, ":"), At: &result.Location{Path: file}})
		w.through(s, i)
		found = true
	}
	s.Break()
	return found
}

// listed adds the rows of lists that a plugin printed before it stopped the build: rows below a head, and rows that
// end with a file. If any row has a file, only rows with files are findings.
//
//	[WARNING] Unused declared dependencies found:
//	[WARNING]    org.apache.commons:commons-lang3:jar:3.17.0:compile
//	[ERROR] Non complying file: /src/main/java/ex/A.java
func (w *stopped) listed(s *read.Sink, printed []tool.Line) (found bool) {
	for _, placed := range [...]bool{true, false} {
		head := ""
		for _, l := range printed {
			_, text := cutLevel(l.Text)
			if f, row := w.row(&head, text); row && (f.At != nil) == placed {
				found = s.Find(l, f)
			}
		}
		if found {
			break
		}
	}
	s.Break()
	return found
}

// row reads a row of a list, or sets head if the line is the head of a list.
func (w *stopped) row(head *string, text string) (f result.Finding, ok bool) {
	f = result.Finding{Kind: result.BuildError, ID: w.goal}
	said := strings.TrimSpace(text)
	if below := strings.HasPrefix(text, "   "); below {
		of, isHead := strings.CutSuffix(*head, ":")
		if isHead && strings.HasPrefix(of, "Files ") {
			f.At = &result.Location{Path: said}
		}
		f.Message, ok = of+": "+said, isHead
		said = of
	} else {
		*head = said
		f.Message, _, ok = strings.Cut(said, ": ")
	}
	if file := lastWord(said); f.At == nil && isMavenSource(file) {
		f.At = &result.Location{Path: file}
		return f, ok
	}
	return f, ok && strings.HasPrefix(text, "   ")
}

// crashed adds the tests that ran when the forked process crashed.
func (w *stopped) crashed(s *read.Sink) (found bool) {
	why, code, listed := -1, "", false
	seen := map[string]bool{}
	for i, text := range w.reasons {
		switch {
		case strings.HasPrefix(text, "The forked VM terminated"):
			why = i
		case strings.HasPrefix(text, "Process Exit Code: "):
			code = text
		case text == "Crashed tests:":
			listed = true
		case listed && !strings.Contains(text, " ") && !strings.Contains(text, "\t") && why >= 0:
			if !seen[text] {
				s.Find(w.lines[why], result.Finding{Kind: result.Panic, Severity: result.SevFailure, ID: text, Message: strings.TrimSpace(w.reasons[why] + " " + code)})
				w.through(s, i)
			}
			seen[text], found = true, true
		default:
			listed = false
		}
	}
	s.Break()
	return found
}

// through extends the span of the last finding to the line of a reason, given by its index.
func (w *stopped) through(s *read.Sink, reason int) {
	if f := s.Last(); f != nil {
		f.RawSpan.End = max(f.RawSpan.End, w.lines[reason].End)
	}
}

// orText returns nil if the command asks for a list, a tree or a value, so that the output itself is shown.
// A report with findings or counts is always kept.
func (m *maven) orText(rep *tool.Report) *tool.Report {
	if m.asked && rep != nil && len(rep.Findings)+len(rep.Counts) == 0 {
		return nil
	}
	return rep
}

// isMavenQuestion reports whether a goal of the command line prints a list, a tree or a value, as in
// "--- maven-dependency-plugin:2.8:tree (default-cli) @ shop ---".
func isMavenQuestion(row string) bool {
	call, _, typed := strings.Cut(strings.TrimPrefix(row, "--- "), " (default-cli) @ ")
	plugin, _, _ := strings.Cut(call, ":")
	goal := call[strings.LastIndexByte(call, ':')+1:]
	return typed && (lex.IsOneOf(plugin, "help maven-help-plugin") || lex.HasAnyPrefix(goal, "tree", "list", "display", "analyze", "describe", "help"))
}
