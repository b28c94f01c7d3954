package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
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
