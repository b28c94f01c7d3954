package vcs

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pre-commit prek", func(p *tool.Parser) {
	p.Is("pre-commit", result.Generic, 1, "pre-commit 2 to 4 and prek: hooks that failed, mistakes of the configuration")
	p.Runner, p.Heads = true, true
	p.Exits = map[int]result.Meaning{3: result.MeansInternal, 130: result.MeansInterrupted}
	p.Reads(tool.Format{Name: "text", Starts: []string{"- hook id: "}, Named: true, Parse: read.Lines((*hooks).line)})
})

// hooks reads the results of the hooks in a run:
//
//	flake8...............................................Failed
//	- hook id: flake8
//	- exit code: 1
//
//	a.py:1:1: F401 'os' imported but unused
type hooks struct {
	name    string // the hook whose head, "flake8....Failed", was read
	head    tool.Line
	failed  bool
	trouble bool // an error of pre-commit itself is being read
}

func (h *hooks) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " ")
	if name, state, ok := cutHook(text); ok {
		h.name, h.head, h.failed, h.trouble = name, l, state == "Failed", false
		s.Count(map[string]string{"Passed": "passed", "Failed": "failed", "Skipped": "skipped"}[state], 1)
		s.Sign(l)
		return s.Break()
	}
	switch {
	case h.name != "" && strings.HasPrefix(text, "- "):
		return h.fact(s, l, text)
	case strings.HasPrefix(text, "An error has occurred: "), strings.HasPrefix(text, "An unexpected error has occurred: "):
		_, why, _ := strings.Cut(text, ": ")
		rule, message, _ := strings.Cut(why, ": ")
		s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: strings.TrimSuffix(rule, ":"), Message: message})
		s.Meaning, h.trouble = result.MeansUsage, true
		if strings.HasPrefix(text, "An unexpected") {
			s.Meaning = result.MeansInternal
		}
	case strings.HasPrefix(text, "==> "), strings.HasPrefix(text, "=====> "):
		h.explain(s, l, text)
	case strings.HasPrefix(text, "No hook with id "), strings.HasPrefix(text, "[ERROR] "):
		s.Misuse(l, strings.TrimPrefix(text, "[ERROR] "))
	case strings.HasPrefix(text, "[WARNING] "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Message: text[len("[WARNING] "):]})
	case strings.HasPrefix(text, "[INFO] "):
	case h.trouble && s.Last() != nil:
		h.yaml(s.Last(), text)
		s.More(l)
	case h.failed && s.Last() != nil:
		return h.said(s, text)
	default:
		return false
	}
	return true
}

// cutHook reads "name....Failed" and "name....(no files to check)Skipped".
func cutHook(text string) (name, state string, ok bool) {
	for _, state = range [...]string{"Passed", "Failed", "Skipped"} {
		rest, has := strings.CutSuffix(text, state)
		if !has {
			continue
		}
		if i := strings.LastIndex(rest, ".("); i > 0 && strings.HasSuffix(rest, ")") {
			rest = rest[:i+1]
		}
		name = strings.TrimRight(rest, ".")
		return name, state, name != "" && len(rest)-len(name) >= 3
	}
	return "", "", false
}

// fact reads "- key: value" below the head of a hook. A failed hook is a finding, with the id that runs it again.
func (h *hooks) fact(s *read.Sink, l tool.Line, text string) bool {
	key, value, _ := strings.Cut(text[len("- "):], ": ")
	defer s.Reach(l)
	switch {
	case key == "hook id":
		if h.failed {
			s.Find(h.head, result.Finding{Kind: result.BuildError, Severity: result.SevFailure, ID: value, Message: "hook failed: " + h.name})
			s.Cover(l)
		}
		return true
	case key == "exit code" && s.Last() != nil:
		s.Last().Message += ", exit code " + value
		return true
	case key == "files were modified by this hook" && s.Last() != nil:
		s.Last().Message += ", files were modified by this hook"
		return true
	}
	return key == "duration"
}

// said keeps the first lines that a failed hook printed as the finding's detail. It returns false: the lines are left
// to the readers of other tools.
func (h *hooks) said(s *read.Sink, text string) bool {
	f := s.Last()
	if text == "" || strings.Count(f.Detail, "\n") >= 8 {
		return false
	}
	if strings.HasPrefix(text, "Executable `") && strings.HasSuffix(text, "` not found") {
		f.Message += ": " + text
	}
	f.Detail = strings.TrimPrefix(f.Detail+"\n"+text, "\n")
	return false
}

// yaml reads a line of an error of YAML in the configuration: the place, or text of the message.
func (h *hooks) yaml(f *result.Finding, text string) {
	if at, ok := read.YAMLMark(text); ok {
		if f.At != nil {
			f.At.Line, f.At.Column = at.Line, at.Column
		}
	} else if !strings.HasPrefix(text, " ") && !strings.HasPrefix(text, "Check the log at ") && text != "" {
		f.Message += ": " + text
	}
}

// explain reads the steps that lead to an error in the configuration, "==> File …". The last step, "=====> …", is the
// message.
func (h *hooks) explain(s *read.Sink, l tool.Line, text string) {
	if s.Last() == nil {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: "InvalidConfigError"})
		s.Meaning = result.MeansUsage
	}
	f := s.Last()
	if why, last := strings.CutPrefix(text, "=====> "); last {
		f.Message = why
	} else if path, file := strings.CutPrefix(text, "==> File "); file {
		f.At = &result.Location{Path: path}
	} else if f.Message == "" {
		f.Message = text
	}
	s.More(l)
}
