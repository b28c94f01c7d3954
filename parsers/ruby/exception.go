package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ruby irb", func(p *tool.Parser) {
	p.Is("ruby", result.Generic, 1, "Ruby 2.7 to 3.4: exceptions that nothing rescued, errors of syntax, warnings")
	p.Interprets = tool.Always
	p.Files = []tool.Files{{Shared: true}} // a script may be a test
	p.Reads(tool.Format{Name: "exception", Starts: []string{"from /…:in `", "from /…:in '"}, Named: true, Parse: parseRuby})
}, tool.WritesFiles)

// rubyTrace reads an uncaught exception: its place, message and class, and the frames below.
//
//	lib/shelf.rb:5:in `find': no such book: 1 (KeyError)
//		from bin/shelf:3:in `<main>'
type rubyTrace struct {
	open   bool
	raised int // the index of the finding that the frames belong to
	frames []result.Location
	bug    bool // the interpreter crashed
	thread bool // the next exception ended a thread, and not the program
}

func parseRuby(in *tool.Input) *tool.Report {
	r := &rubyTrace{}
	return read.Text{Line: r.line, End: r.end}.Parse(in)
}

func (r *rubyTrace) line(s *read.Sink, l tool.Line) bool {
	t := l.Text
	if from, ok := strings.CutPrefix(t, "\tfrom "); ok && r.open {
		if at, ok := frame.Ruby(from); ok && len(r.frames) < 100 && at.Path != "(irb)" {
			r.frames = append(r.frames, at)
		}
		return s.More(l)
	}
	if strings.HasSuffix(t, " terminated with exception (report_on_exception is true):") && strings.Contains(t, "#<Thread:") {
		r.end(s)
		r.thread = true
		return s.Break()
	}
	if f, at, ok := cutException(t); ok {
		if r.thread {
			r.thread, f.Kind, f.Severity = false, result.GenericFinding, result.SevWarning
		}
		if r.open && s.Last() != nil && len(r.frames) > 0 && l.Stream == tool.Stderr { // the cause is printed below the exception
			last := s.Last()
			last.Related = append(last.Related, result.Related{Message: result.CausedBy + strings.TrimPrefix(f.Rule+": "+f.Message, ": "), At: f.At})
			return s.More(l)
		}
		r.end(s)
		if inner, message, ok := place.Cut(f.Message); ok && f.Rule == "SyntaxError" { // in a template, raised by the template's reader
			at, f.At, f.Message = inner, &inner, message
		}
		s.Find(l, f)
		r.open, r.raised, r.frames = true, len(s.Findings)-1, nil
		if f.At != nil {
			r.frames = []result.Location{at}
		}
		return true
	}
	if message, ok := strings.CutPrefix(t, "ruby: "); ok {
		f := result.Finding{Kind: result.GenericFinding, Message: message}
		s.Find(l, f)
		s.Break()
		s.Meaning = result.MeansUsage
		return true
	}
	at, message, ok := place.CutPlace(t)
	switch {
	case ok && strings.HasPrefix(message, "warning: "):
		return s.Find(l, result.Finding{Severity: result.SevWarning, Message: strings.TrimPrefix(message, "warning: "), At: &at})
	case ok && strings.HasPrefix(message, "[BUG] "): // the interpreter crashed; a dump of its state follows
		r.bug = true
		return s.Find(l, result.Finding{Kind: result.Panic, Message: message, At: &at})
	case r.bug:
		return s.More(l)
	case ok && strings.HasPrefix(message, "syntax error"):
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: "SyntaxError", Message: message, At: &at})
	case t == "Syntax OK":
		return s.Sign(l)
	case s.Last() != nil && l.Stream == tool.Stderr:
		return s.More(l)
	}
	return false
}

// end makes the innermost frame in the workspace the finding's place; without such a frame, the innermost frame
// outside of an installed gem. A line in a gem is no place to mend, and stays among the frames.
func (r *rubyTrace) end(s *read.Sink) {
	if len(r.frames) > 0 && r.raised < len(s.Findings) {
		f := &s.Findings[r.raised]
		if own := read.Own(s.In, r.frames); own != nil {
			f.At = own
		} else if f.At != nil && isInstalled(f.At.Path) {
			f.At, f.Frames = outermost(r.frames)
		}
	}
	r.open, r.frames = false, nil
}

// outermost returns the first frame that is not in a gem, or nil, and the eight frames nearest to the exception.
func outermost(frames []result.Location) (at *result.Location, nearest []result.Location) {
	for i := range frames {
		frames[i].External = true
		if at == nil && !isInstalled(frames[i].Path) {
			at = &frames[i]
		}
	}
	return at, frames[:min(len(frames), 8)]
}

// cutException reads "path:5:in `find': no such book: 1 (KeyError)".
func cutException(t string) (f result.Finding, at result.Location, ok bool) {
	typed, asked := strings.CutPrefix(t, "(irb):") // typed code is in no file
	if asked {
		t = "irb:" + typed
	}
	at, rest, ok := place.CutPlace(t)
	inside, message, found := strings.Cut(rest, ": ")
	if !ok || !found && !strings.HasPrefix(rest, "in ") {
		return f, at, false
	}
	if strings.HasPrefix(rest, "in ") {
		at.Function = strings.Trim(strings.TrimPrefix(inside, "in "), "`'")
	} else {
		message = rest
	}
	i := strings.LastIndex(message, " (")
	if i < 0 || !strings.HasSuffix(message, ")") || !isClass(message[i+2:len(message)-1]) {
		return f, at, false
	}
	class := message[i+2 : len(message)-1]
	f = result.Finding{Kind: result.BuildError, Rule: class, Message: message[:i]}
	if !asked {
		where := at
		f.At = &where
	}
	return f, at, true
}

// isClass reports whether word looks like a class: "KeyError", "Shelf::NotFound".
func isClass(word string) bool {
	if word == "" || word[0] < 'A' || word[0] > 'Z' {
		return false
	}
	return strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:") == ""
}

// isInstalled reports whether path is in Ruby itself, in a gem, or the short script in /usr/bin that starts a gem.
func isInstalled(path string) bool {
	if strings.HasPrefix(path, "<") || strings.Contains(path, "/gems/") || strings.Contains(path, "/lib/ruby/") {
		return true
	}
	i := strings.LastIndex(path, "/bin/")
	return i >= 0 && path[0] == '/' && !strings.ContainsAny(path[i+len("/bin/"):], "./")
}
