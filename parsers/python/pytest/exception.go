package pytest

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// exception is one exception of a chain, or one failure of a docstring.
type exception struct {
	message string // its first line
	first   string // the first line before a SyntaxError's own message replaced it
	class   string // as the location line names the class
	source  string // the line of code that failed
	library bool   // source is outside of the workspace
	frames  []result.Location
	rest    lex.Bounded // the text after the first line, such as the assertion's diff
	indent  int         // indentation of the message after "E"
	link    string      // if it is a cause: how it belongs to the exception below it
	set     bool
	values  *read.DocOutput // nil until output of a doctest came
}

func newException() exception { return exception{rest: lex.Bounded{Max: lex.MaxRest}} }

// begin takes the first line of the message.
func (e *exception) begin(line string) {
	e.set, e.message = true, lex.Headline(line)
	e.first = e.message
}

// syntax looks for the place and the message of a SyntaxError inside its text: `File "a.py", line 1`, then the code,
// and the message last.
func (e *exception) syntax(line string, p *place.Files) (told bool) {
	if !strings.HasPrefix(e.message, `File "`) {
		return false
	}
	if at, ok := frame.Python(line); ok && at.Function == "" && line == e.message {
		if result.IsAbsolute(at.Path) && !p.External(at.Path) {
			e.frame(at)
			e.source = "" // the code is the compiler's
		}
		return false
	}
	class, _, ok := strings.Cut(line, ": ")
	if told = ok && strings.HasSuffix(class, "Error") && !strings.ContainsAny(class, ` "'(`); told {
		e.message = lex.Headline(line)
	}
	return told
}

// shows says whether the code of a frame is shown instead of that of the frames above it.
func (e *exception) shows(library bool) bool {
	if library && e.source != "" && !e.library {
		return false
	}
	e.library = library
	return true
}

func (e *exception) frame(at result.Location) {
	if n := len(e.frames); n > 0 && e.frames[n-1] == at {
		return // a repeated frame of a recursion
	}
	if len(e.frames) >= lex.MaxFrames { // only the first and the last frames are kept
		e.frames = slices.Delete(e.frames, lex.MaxFrames/2, lex.MaxFrames/2+1)
	}
	at.Path, at.Function = lex.Headline(at.Path), lex.Headline(at.Function)
	e.frames = append(e.frames, at)
}

// output reads the expected and the actual output of a doctest.
func (e *exception) output(line string) bool {
	if e.values == nil {
		if !lex.HasAnyPrefix(line, "Expected", "Got", "Differences (", "UNEXPECTED EXCEPTION: ") {
			return false
		}
		e.values = new(read.DocOutput)
	}
	return e.values.Line(line)
}

// group reads the tree that Python prints of an exception group:
//
//	______ test_group ______
//	  + Exception Group Traceback (most recent call last):
//	  |   File "shop/test_cart.py", line 49, in test_group
//	  |     async with asyncio.TaskGroup() as tg:
//	  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
//	  +-+---------------- 1 ----------------
//	    | Traceback (most recent call last):
//	    |   File "shop/cart.py", line 11, in get
//	    |     raise LookupError(key)
//	    | LookupError: bad
func (b *block) group(line string, room *int) bool {
	if strings.HasPrefix(line, "  + Exception Group Traceback") {
		b.inGroup = true
		return true
	}
	if !b.inGroup {
		return false
	}
	e, inner, outermost := &b.err, strings.TrimLeft(line, " |+-"), strings.HasPrefix(line, "  | ")
	at, framed := frame.Python(inner)
	switch {
	case framed && outermost:
		e.frame(at)
	case framed && len(b.members) > 0:
		b.members[len(b.members)-1].frame(at)
	case framed:
	case outermost && !e.set && len(line) > 4 && line[4] != ' ':
		e.begin(inner)
	case outermost && !e.set:
		e.source = lex.CutText(inner, lex.MaxSource)
	case e.set && strings.HasPrefix(line, "  "):
		b.member(line, inner)
		e.rest.Add(line, room)
	default:
		return false
	}
	return true
}

// member takes a line of the tree that is no frame: the rule at which a member begins, or the member's message.
func (b *block) member(line, inner string) {
	n := len(b.members)
	switch {
	case strings.Contains(line, "+---") && lex.IsDigits(strings.Trim(line, " |+-")) && n < lex.MaxFrames:
		b.members = append(b.members, exception{link: result.CausedBy})
	case n == 0:
	case strings.HasSuffix(inner, "Traceback (most recent call last):"): // the text above was the member's cause
		b.members[n-1] = exception{link: result.CausedBy}
	case !b.members[n-1].set && inner != "" && strings.HasSuffix(line[:len(line)-len(inner)], "| "):
		b.members[n-1].begin(inner)
	}
}
