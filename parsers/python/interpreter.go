package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// interpreterEnds are what the interpreter itself says where it cannot begin, by
// what stands in the line, and what that means.
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
	return ok
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
	if !ok {
		return false
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
	s.Find(l, f)
	return true
}
