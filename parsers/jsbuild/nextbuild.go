package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("next", func(p *tool.Parser) {
	p.Is("next", result.Build, 1, "Next.js 13 to 16: next build with Turbopack and webpack; what it prints of ESLint is ESLint's")
	p.ColumnUnit, p.Runner = "utf16", true
	p.Reads(tool.Format{Name: "text", Starts: []string{"▲ Next.js "}, Parse: parseNext})
	p.Reads(tool.Format{Name: "messages", Parse: parseNext})
})

// nextBuild reads the errors of a build, each below the path of its file:
//
//	Failed to compile.
//
//	./app/page.js:1:1
//	Error: Module not found: Can't resolve './nothere'
//
// and errors of pages that could not be prerendered:
//
//	Error occurred prerendering page "/". Read more: https://…
//	Error: no rows
type nextBuild struct {
	at    *result.Location // the file named last, if its message has not come
	page  string           // the page whose error is being read; it could not be rendered
	shown int              // number of the line of source shown last
	frame bool             // the last message has a frame of source, in which "^" marks its line
	ended tool.Line        // the line that says that the build stopped
	threw *result.Location // the last place in a source file from a stack
	above string           // the last line that is only a script's path
	font  string           // a script with a font that could not be loaded; the reason follows
}

// nextProgress lists beginnings of lines about progress, and of lines that repeat an error.
var nextProgress = []string{
	"✓ ", "Creating an optimized production build", "Running TypeScript", "Finished TypeScript", "Linting and checking ", "Skipping ", "Collecting ", "Generating static pages", "Finalizing page optimization",
	"Error: Turbopack build failed with ", "https://nextjs.org/docs/", "at <unknown> (", "at ignore-listed frames", "Import trace ", "Import traces:", "Caused by:", "Syntax Error",
}

func parseNext(in *tool.Input) *tool.Report {
	n := &nextBuild{}
	return read.Text{Line: n.line, End: n.end}.Parse(in)
}

func (n *nextBuild) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if at := sourceOf(text); at != nil {
		n.threw = at
	}
	if strings.HasPrefix(text, "Export encountered ") || strings.HasPrefix(text, "⨯ Next.js build worker exited with code") && n.ended.Text == "" {
		n.ended = l
		n.ended.Text = strings.Clone(text)
	}
	if jserror.IsScript(text) {
		n.above = strings.Clone(text)
	}
	switch {
	case strings.HasPrefix(text, "▲ Next.js "):
		s.Version, _, _ = strings.Cut(strings.TrimPrefix(text, "▲ Next.js "), " ")
		s.Sign(l)
	case text == "Failed to compile.", text == "Failed to type check.", text == "> Build error occurred", strings.HasPrefix(text, "> Build failed because of "), strings.Contains(text, "Next.js build worker exited with code"):
		s.Break()
	case strings.HasPrefix(text, "Error occurred prerendering page "), strings.HasPrefix(text, "Export encountered "):
		n.rendering(s, text)
	case text == "`next/font` error:":
		n.font = n.above
		s.Break()
	case n.font != "" && text != "":
		s.Find(l, result.Finding{Kind: result.BuildError, Rule: "next/font", Message: text, At: &result.Location{Path: n.font}})
		n.font = ""
	case n.page != "":
		n.notRendered(s, l, text)
	case lex.HasAnyPrefix(text, nextProgress...):
		s.Break()
	case strings.HasPrefix(l.Text, "./"):
		return n.file(s, text)
	case n.frame && n.ofFrame(s, l, text):
	case s.Last() != nil && (jserror.IsExcerpt(text) || text == "Parsing ecmascript source code failed"):
		s.More(l)
	case n.at != nil && text != "":
		return n.wrong(s, l, text)
	default:
		return n.misused(s, l, text)
	}
	return true
}

// file takes "./app/page.js" and "./app/page.js:1:1".
func (n *nextBuild) file(s *read.Sink, text string) bool {
	s.Break()
	n.at, n.frame = nil, false
	if at, rest, ok := place.Cut(text + ":"); ok && rest == "" {
		n.at = &at
	} else if jserror.IsScript(text) {
		n.at = &result.Location{Path: text}
	}
	return n.at != nil
}

// wrong takes the message, which is on the line below the path of its file.
func (n *nextBuild) wrong(s *read.Sink, l tool.Line, text string) bool {
	at := n.at
	n.at = nil
	message, isError := strings.CutPrefix(text, "Error: ")
	rule := ""
	if word, rest, ok := strings.Cut(text, ": "); ok && lex.IsOneOf(strings.ReplaceAll(word, " ", "-"), "Type-error SyntaxError Syntax-error Module-not-found") {
		isError = true
		if message = rest; word != "Module not found" {
			rule = word
		} else {
			message = text
		}
	}
	if !isError {
		return false
	}
	message, framed := strings.CutPrefix(strings.TrimSpace(message), "x ")
	s.Find(l, result.Finding{Kind: result.BuildError, Rule: rule, Message: strings.TrimSpace(message), At: at})
	n.frame, n.shown = framed, 0
	return true
}

// ofFrame takes the lines of a frame, and further messages with frames.
func (n *nextBuild) ofFrame(s *read.Sink, l tool.Line, text string) bool {
	message, more := strings.CutPrefix(l.Text, "  x ")
	number, _, numbered := strings.Cut(text, " |")
	switch last := s.Last(); {
	case last == nil:
		return false
	case more:
		s.Find(l, result.Finding{Kind: result.BuildError, Message: message, At: &result.Location{Path: last.At.Path}})
		n.shown = 0
		return true
	case numbered && lex.IsDigits(number):
		n.shown = lex.Atoi(number)
	case strings.HasPrefix(text, ": ") && strings.Contains(text, "^") && last.At.Line == 0:
		last.At.Line = n.shown
	case text == "" && last.At.Line > 0 || strings.HasPrefix(text, "Caused by:"):
		n.frame = false
		return false
	}
	return s.More(l)
}

// rendering takes the line that says that a page could not be rendered.
func (n *nextBuild) rendering(s *read.Sink, text string) {
	s.Break()
	n.page = ""
	if rest, ok := strings.CutPrefix(text, "Error occurred prerendering page "); ok {
		n.page, _, _ = strings.Cut(rest, ". Read more")
		n.page = strings.Clone(n.page)
	}
}

// notRendered takes the error of such a page. Its stack is mostly in the built files.
func (n *nextBuild) notRendered(s *read.Sink, l tool.Line, text string) {
	if s.Last() != nil {
		if f := s.Last(); f.At == nil {
			f.At = n.threw
		}
		if s.More(l); text == "}" || text == "" {
			n.page = ""
			s.Break()
		}
		return
	}
	n.threw = nil
	class, message := jserror.CutClass(text)
	s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, ID: "page " + strings.Trim(n.page, `"`), Message: message})
}

// sourceOf returns the place of a frame in a source file, "at <unknown> (app/page.js:1:36)"; nil for the built files,
// where most frames are.
func sourceOf(text string) *result.Location {
	rest, ok := strings.CutPrefix(text, "at <unknown> (")
	at := place.LastColons(strings.TrimSuffix(rest, ")"))
	if !ok || at == nil || strings.Contains(at.Path, ".next/") || strings.Contains(at.Path, "node_modules/") {
		return nil
	}
	return at
}

// end adds a finding for a build that stopped, if there is no other: "| tail" may leave only the line that says so.
func (n *nextBuild) end(s *read.Sink) {
	if len(s.Findings) == 0 && n.ended.Text != "" {
		s.Find(n.ended, result.Finding{Kind: result.BuildError, Message: strings.TrimPrefix(n.ended.Text, "⨯ "), At: n.threw})
	}
}

// misused reads next's messages when it cannot begin a build.
func (n *nextBuild) misused(s *read.Sink, l tool.Line, text string) bool {
	if len(s.Findings) > 0 || !lex.HasAnyPrefix(text, "error: unknown option ", "error: unknown command ", "Invalid project directory provided", "> Couldn't find any `pages` or `app` directory", "⨯ Failed to load next.config") {
		return false
	}
	return s.Misuse(l, strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(text, "error: "), "⨯ "), "> "))
}
