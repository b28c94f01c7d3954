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

// files adds the files that are listed below "The following files had format
// violations:".
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

// listed adds what a plugin printed in lists before it stopped the build: rows below a
// head, whose last word may be a file, and rows that end with a file. Where heads name files,
// a list below another is no finding.
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

// row reads a line of a list, or keeps the head of one.
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

// crashed adds the tests during which the process of the tests ended.
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

// through makes the last finding reach to the line of a reason.
func (w *stopped) through(s *read.Sink, reason int) {
	if f := s.Last(); f != nil {
		f.RawSpan.End = max(f.RawSpan.End, w.lines[reason].End)
	}
}

// orText declines where the answer is what was printed: a failure is
// never given up for that, nor tests that ran.
func (m *maven) orText(rep *tool.Report) *tool.Report {
	if m.asked && rep != nil && len(rep.Findings)+len(rep.Counts) == 0 {
		return nil
	}
	return rep
}

// isMavenQuestion: a goal of the command line that prints what was asked for, as in
// "--- maven-dependency-plugin:2.8:tree (default-cli) @ shop ---".
func isMavenQuestion(row string) bool {
	call, _, typed := strings.Cut(strings.TrimPrefix(row, "--- "), " (default-cli) @ ")
	plugin, _, _ := strings.Cut(call, ":")
	goal := call[strings.LastIndexByte(call, ':')+1:]
	return typed && (lex.IsOneOf(plugin, "help maven-help-plugin") || lex.HasAnyPrefix(goal, "tree", "list", "display", "analyze", "describe", "help"))
}
