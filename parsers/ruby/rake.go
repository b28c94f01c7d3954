package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("bundle | bundler", func(p *tool.Parser) {
	p.Is("bundler", result.Package, 1, "Bundler 2: gems that are missing, Gemfiles that do not parse")
	p.Exits = map[int]result.Meaning{10: result.MeansUsage, 15: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"Could not find gem '", "Could not locate Gemfile", "bundler: failed to load command: ", "Bundler could not find compatible versions for ", "[!] There was an error parsing `Gemfile`"}, Named: true,
		Parse: read.Text{Line: bundlerLine}.Parse})
})

func bundlerLine(s *read.Sink, l tool.Line) bool {
	t := l.Text
	for _, start := range [...]string{
		"Could not find ", "Could not locate Gemfile", "bundler: failed to load command: ", "Bundler could not find compatible versions ", "[!] There was an error ",
		"Bundler can't satisfy ", "Could not fetch specs ", "Could not reach host ", "An error occurred while installing ", "Your Ruby version is ", "Your bundle is locked ", "Gem::",
		"bundler: command not found: ", "The following gems are missing", "The --deployment flag requires ", "The deployment setting requires ", "You are trying to install in deployment mode ",
		"The gemspecs for ", "The list of sources changed", "The dependencies in your gemfile changed",
	} {
		if strings.HasPrefix(t, start) && len(s.Findings) < 20 {
			return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.TrimPrefix(t, "[!] ")})
		}
	}
	last := s.Last()
	if t == "" && last != nil && !strings.HasPrefix(last.Message, "There was an error ") || last != nil && strings.HasPrefix(last.Message, "Could not locate ") {
		s.Break() // what follows is another program's: "bundle exec rake test || rake test"
		last = nil
	}
	if last == nil || t == "" {
		return t == "" || lex.HasAnyPrefix(t, "Don't run Bundler as root.", "installing your bundle as root", "users on this machine.")
	}
	if at, ok := frame.Ruby(strings.TrimPrefix(strings.TrimLeft(t, " #"), "from ")); ok && last.At == nil && read.Own(s.In, []result.Location{at}) != nil {
		last.At = &at
	}
	if _, why, ok := strings.Cut(t, "': "); ok && strings.HasSuffix(t, "(Bundler::GemNotFound)") {
		last.Message, last.Rule = strings.TrimSuffix(why, " (Bundler::GemNotFound)"), "Bundler::GemNotFound"
	}
	return s.More(l)
}

var _ = Room.Add("rake", func(p *tool.Parser) {
	p.Is("rake", result.Pipeline, 1, "Rake 12 and 13: the task that failed")
	p.Matches = func([]string) bool { return false } // the tools that tasks run report more than rake
	p.Reads(tool.Format{Name: "text", Starts: []string{"rake aborted!", "(See full trace by running task with --trace)"}, Parse: read.Text{Line: rakeLine}.Parse})
})

// rakeLine reads "rake aborted!" and the lines below: a message, frames, the tasks that led there.
func rakeLine(s *read.Sink, l tool.Line) bool {
	last := s.Last()
	switch {
	case l.Text == "rake aborted!":
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: ""})
	case last == nil && (strings.HasPrefix(l.Text, "Command failed with status (") || strings.HasPrefix(l.Text, "Tasks: TOP => ")): // "| tail" cut "rake aborted!"
		message, _ := strings.CutPrefix(l.Text, "Tasks: TOP => ")
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
		if message != l.Text {
			s.Last().ID, s.Last().Message = message, "failed"
		}
		return true
	case last == nil:
		return false
	case strings.HasPrefix(l.Text, "Tasks: TOP => "):
		last.ID = strings.TrimPrefix(l.Text, "Tasks: TOP => ")
	case strings.HasPrefix(l.Text, "(See full trace by "):
		return s.Close(l)
	case last.Message == "":
		last.Message = l.Text
	default:
		if at, ok := frame.Ruby(l.Text); ok && last.At == nil && read.Own(s.In, []result.Location{at}) != nil {
			last.At = &at
		}
	}
	return s.More(l)
}

var _ = Room.Add("mix elixir elixirc | iex", func(p *tool.Parser) {
	p.Is("mix", result.Build, 1, "mix compile and other tasks of Elixir 1.12 to 1.18: warnings and errors of the compiler, tasks that fail")
	p.Reads(tool.Format{Name: "text", Starts: []string{"== Compilation error in file ", "** (Mix) ", "** (…Error) ", "Compilation failed due to warnings while ", "└─ … .ex:"}, Parse: read.Text{Line: mixLine}.Parse})
	p.Reads(tool.Format{Name: "warnings", Parse: read.Text{Line: mixLine}.Parse})
})

// mixLine reads diagnostics of the compiler, in the old form (left) and the new one, and errors of mix:
//
//	warning: variable "x" is unused           error: undefined variable "x"
//	  lib/ledger.ex:4: Ledger.unused/1          │
//	                                          5 │  x
//	                                            └─ lib/ledger.ex:5:2: Ledger.f/0
//
//	** (TokenMissingError) test/a_test.exs:4:1: missing terminator: )
func mixLine(s *read.Sink, l tool.Line) bool {
	t := strings.TrimLeft(l.Text, " ")
	if word, message, ok := strings.Cut(t, ": "); ok && (word == "warning" || word == "error") {
		return s.Find(l, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Message: message})
	}
	if class, message, ok := cutRaised(l.Text); ok {
		f := result.Finding{Kind: result.BuildError, Rule: class, Message: message}
		if at, rest, ok := place.Cut(message); ok {
			f.At, f.Message = &at, rest
		}
		if class == "Mix" {
			f.Kind = result.GenericFinding
		}
		return s.Find(l, f)
	}
	if strings.HasPrefix(t, "Compilation failed due to warnings ") { // which are none otherwise
		return s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevError, Message: t})
	}
	if strings.HasPrefix(t, "== Compilation error in file ") {
		return s.Sign(l)
	}
	last := s.Last()
	if last == nil || l.Text == "" {
		return last != nil
	}
	where := strings.TrimPrefix(t, "└─ ")
	if at, ok := frame.Elixir(where); ok && at.External {
	} else if ok && len(t) < len(l.Text) {
		if last.At == nil {
			last.At = &at
		} else if len(last.Related) < result.MaxFrames && (at.Path != last.At.Path || at.Line != last.At.Line) {
			last.Related = append(last.Related, result.Related{At: &at})
		}
	} else if l.Text[0] != ' ' && !strings.HasSuffix(t, " locations:") { // "Invalid call found at 2 locations:" goes on
		s.Break()
		return false
	}
	return s.More(l)
}

// cutRaised reads "** (KeyError) key :k not found".
func cutRaised(text string) (class, message string, ok bool) {
	rest, ok := strings.CutPrefix(text, "** (")
	if !ok {
		return "", "", false
	}
	class, message, ok = strings.Cut(rest, ") ")
	return class, message, ok
}
