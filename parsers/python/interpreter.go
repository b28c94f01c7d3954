package python

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// interpreterEnds lists the interpreter's own errors, by a text in the line, with the meaning for the whole run.
var interpreterEnds = []struct {
	has   string
	means result.Meaning
}{
	{": can't open file '", result.MeansUsage},
	{": No module named ", result.MeansUsage},
	{"unknown option -", result.MeansUsage},
	{"Fatal Python error: ", result.MeansCrashed},
	{"Timeout (0:", ""}, // faulthandler prints it; the program may go on
	{"*** Error compiling '", result.MeansFindings},
	{"***   File \"", result.MeansFindings},
	{"*** Sorry: ", result.MeansFindings},
}

func isInterpreter(line string) bool {
	_, _, ok := cutInterpreter(line)
	return ok || isCrashEnd(line)
}

// isCrashEnd reports whether a line is the last of a fatal error's report, and the only one left under
// "| tail": "Extension modules: numpy.core._multiarray_umath (total: 1)".
func isCrashEnd(line string) bool {
	_, total, ok := strings.Cut(line, " (total: ")
	return ok && strings.HasPrefix(line, "Extension modules: ") && lex.IsDigits(strings.TrimSuffix(total, ")"))
}

// cutInterpreter reads "python: can't open file …", "/usr/bin/python3: No module
// named …" and the errors that begin without the interpreter's name, "Fatal Python error: …".
func cutInterpreter(line string) (message string, means result.Meaning, ok bool) {
	for _, end := range interpreterEnds {
		prog, rest, has := strings.Cut(line, end.has)
		switch {
		case !has:
		case end.has[0] != ':' && prog == "" && (end.means != "" || strings.HasSuffix(line, ")!")):
			return line, end.means, true
		case end.has[0] == ':' && strings.HasPrefix(prog[strings.LastIndexByte(prog, '/')+1:], "python") && !strings.Contains(prog, " "):
			return strings.TrimPrefix(end.has, ": ") + rest, end.means, true
		}
	}
	return "", "", false
}

// interpreter reads the interpreter's own errors, and those of compileall.
type interpreter struct {
	compiling string       // the file that compileall compiles
	stacks    *read.Stacks // the stacks below a fatal error
}

func (p *interpreter) line(s *read.Sink, l tool.Line) bool {
	if p.stacks != nil && p.stacks.Line(l.Text) {
		if f := s.Last(); f != nil {
			f.Frames = nil
			read.Locate(s.In, f, p.stacks.Frames)
		}
		return true
	}
	p.stacks = nil
	if path, ok := strings.CutPrefix(l.Text, "Compiling '"); ok && strings.HasSuffix(path, "'...") {
		p.compiling = strings.TrimSuffix(path, "'...")
		return s.Break()
	}
	message, means, ok := cutInterpreter(l.Text)
	if !ok && isCrashEnd(l.Text) {
		if s.Meaning = result.MeansCrashed; len(s.Findings) == 0 {
			s.Find(l, result.Finding{Kind: result.Panic, Message: "the interpreter crashed: \"Extension modules:\" ends what it says of a fatal error, the rest is cut off"})
		}
		return true
	}
	if !ok {
		return compileReason(s, l.Text, func() { s.More(l) })
	}
	s.Meaning = cmp.Or(means, s.Meaning)
	f := result.Finding{Kind: result.GenericFinding, Message: message}
	switch means {
	case result.MeansCrashed:
		f.Kind, f.Message, p.stacks = result.Panic, strings.TrimPrefix(message, "Fatal Python error: "), new(read.Stacks)
	case "":
		f.Kind, p.stacks = result.Diagnostic, new(read.Stacks)
	case result.MeansFindings: // compileall: the reason is below, or behind "*** Sorry: "
		if path, named := strings.CutPrefix(message, "*** Error compiling '"); named {
			p.compiling = strings.TrimSuffix(path, "'...")
		}
		f.Kind, f.Message, f.At = result.BuildError, "error compiling "+p.compiling, &result.Location{Path: p.compiling}
		s.Find(l, f)
		return compileReason(s, strings.TrimPrefix(message, "*** "), func() {})
	}
	return s.Find(l, f)
}

// compileReason reads the lines below "*** Error compiling 'a.py'...", on one line as
// "Sorry: IndentationError: unexpected indent (a.py, line 3)", which names the file
// without its directory.
func compileReason(s *read.Sink, text string, more func()) bool {
	f := s.Last()
	if f == nil || f.Kind != result.BuildError || text == "" {
		return false
	}
	more()
	text, sorry := strings.CutPrefix(text, "Sorry: ")
	class, why, isClass := strings.Cut(text, ": ")
	before, line, ok := strings.Cut(text, ", line ")
	switch file, framed := strings.CutPrefix(strings.TrimSpace(before), `File "`); {
	case framed && ok:
		f.At.Path, f.At.Line = strings.TrimSuffix(file, `"`), lex.LeadingNumber(line)
	case sorry:
		f.Rule, f.Message, f.At.Line = class, why, lex.LeadingNumber(line)
		if i := strings.LastIndex(before, " ("); i > 0 && ok {
			if name := before[i+2:]; f.At.Path != name && !strings.HasSuffix(f.At.Path, "/"+name) { // lines of several processes are mixed
				f.At.Path = name
			}
			f.Message = strings.TrimPrefix(before[:i], class+": ")
		}
		return s.Break()
	case isClass && strings.HasSuffix(class, "Error") && !strings.Contains(class, " "):
		f.Message, f.Rule = why, class
		return s.Break()
	}
	return true
}
