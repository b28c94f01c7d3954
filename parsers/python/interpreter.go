package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// interpreterEnds are what the interpreter itself says where it cannot begin, by
// the text in the line, and what that means.
var interpreterEnds = []struct {
	has   string
	means result.Meaning
}{
	{": can't open file '", result.MeansUsage},
	{": No module named ", result.MeansUsage},
	{"unknown option -", result.MeansUsage},
	{"Fatal Python error: ", result.MeansCrashed},
	{"*** Error compiling '", result.MeansFindings},
}

func isInterpreter(line string) bool {
	_, _, ok := cutInterpreter(line)
	return ok || isCrashEnd(line)
}

// isCrashEnd: the last line of a fatal error, which under "| tail" may be all that
// reports it: "Extension modules: numpy.core._multiarray_umath (total: 1)".
func isCrashEnd(line string) bool {
	_, total, ok := strings.Cut(line, " (total: ")
	return ok && strings.HasPrefix(line, "Extension modules: ") && lex.IsDigits(strings.TrimSuffix(total, ")"))
}

// cutInterpreter reads "python: can't open file …", "/usr/bin/python3: No module
// named …" and what the interpreter says without its name.
func cutInterpreter(line string) (message string, means result.Meaning, ok bool) {
	for _, end := range interpreterEnds {
		prog, rest, has := strings.Cut(line, end.has)
		switch {
		case !has:
		case end.has[0] != ':' && prog == "":
			return line, end.means, true
		case end.has[0] == ':' && strings.HasPrefix(prog[strings.LastIndexByte(prog, '/')+1:], "python") && !strings.Contains(prog, " "):
			return strings.TrimPrefix(end.has, ": ") + rest, end.means, true
		}
	}
	return "", "", false
}

func interpreterLine(s *read.Sink, l tool.Line) bool {
	message, means, ok := cutInterpreter(l.Text)
	if !ok && isCrashEnd(l.Text) {
		if s.Meaning = result.MeansCrashed; len(s.Findings) == 0 {
			s.Find(l, result.Finding{Kind: result.Panic, Message: "the interpreter crashed: \"Extension modules:\" ends what it says of a fatal error, the rest is cut off"})
		}
		return true
	}
	if !ok {
		return compileReason(s, l)
	}
	s.Meaning = means
	f := result.Finding{Kind: result.GenericFinding, Message: message}
	switch means {
	case result.MeansCrashed:
		f.Kind, f.Message = result.Panic, strings.TrimPrefix(message, "Fatal Python error: ")
	case result.MeansFindings: // compileall: the reason stands below
		path := strings.TrimSuffix(strings.TrimPrefix(message, "*** Error compiling '"), "'...")
		f.Kind, f.Message, f.At = result.BuildError, "error compiling "+path, &result.Location{Path: path}
	}
	return s.Find(l, f)
}

// compileReason reads the lines below "*** Error compiling 'a.py'...", on one line as
// "Sorry: IndentationError: unexpected indent (a.py, line 3)".
func compileReason(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	why, ok := strings.CutPrefix(l.Text, "Sorry: ")
	if f == nil || f.Kind != result.BuildError || !ok {
		return false
	}
	s.More(l)
	if f.Message = why; strings.HasSuffix(why, ")") {
		i := strings.LastIndex(why, " (")
		path, line, placed := strings.Cut(strings.TrimSuffix(why[max(i, 0):], ")"), ", line ")
		if i > 0 && placed && lex.IsDigits(line) {
			f.Message, f.At = why[:i], &result.Location{Path: strings.TrimPrefix(path, " ("), Line: lex.Atoi(line)}
		}
	}
	return s.Break()
}
