package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// The formatters share these. A formatter shows its changes as a difference, or only names the file.

// unformatted is the finding for a file that a formatter would change. The readers add the file.
var unformatted = result.Finding{Rule: "unformatted", Message: "would reformat", Fixable: true}

// notThere reads an error of the operating system about a file that cannot be read: "[Errno 2] …".
func notThere(s *read.Sink, l tool.Line) bool {
	return s.MisuseIf(l, "[Errno ")
}

// These programs rewrite files in place, and exit with 1 if they rewrote any, so that a
// hook before a commit stops. They print the same lines, so one reader serves them all.

var (
	_ = Room.Add("pyupgrade", func(p *tool.Parser) { rewriter(p, "pyupgrade") })
	_ = Room.Add("add-trailing-comma", func(p *tool.Parser) { rewriter(p, "add-trailing-comma") })
	_ = Room.Add("reorder-python-imports", func(p *tool.Parser) { rewriter(p, "reorder-python-imports") })
)

func rewriter(p *tool.Parser, name string) {
	p.Is(name, result.Format, 1, name+": the files that were rewritten")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: rewroteLine}.Parse})
	p.Reads(read.PythonTrouble(name))
}

func rewroteLine(s *read.Sink, l tool.Line) bool {
	for _, says := range [...]string{"Rewriting", "Reordering imports in"} {
		if path, ok := strings.CutPrefix(l.Text, says+" "); ok && path != "" {
			return s.Find(l, result.Finding{Message: strings.TrimSuffix(says, " in"), At: &result.Location{Path: path}})
		}
	}
	return false
}

var _ = Room.Add("ssort", func(p *tool.Parser) {
	p.Is("ssort", result.Format, 1, "ssort 0.1x: --check, --diff")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Patch{Says: unsorted, Other: ssortLine}.Parse})
	p.Reads(read.PythonTrouble("ssort"))
})

var unsorted = result.Finding{Rule: "unsorted", Message: "is incorrectly sorted", Fixable: true}

// ssortLine reads "ERROR: syntax error in a.py: line 1, column 7" and "ERROR: 'a.py'
// is incorrectly sorted".
func ssortLine(s *read.Sink, l tool.Line) bool {
	text, ok := strings.CutPrefix(l.Text, "ERROR: ")
	if !ok {
		return strings.Contains(l.Text, " would be ") && (strings.HasPrefix(l.Text[1:], " file") || strings.Contains(l.Text, " files would"))
	}
	f := result.Finding{Message: text, At: place.InSentence(text)}
	if path, is := strings.CutSuffix(text, " "+unsorted.Message); is {
		f = unsorted
		f.At = &result.Location{Path: strings.Trim(path, "'")}
	} else if f.At != nil {
		f.Message, _, _ = strings.Cut(text, " in "+f.At.Path)
	} else if path, is := strings.CutSuffix(text, " does not exist"); is {
		f.Kind, f.At = result.GenericFinding, &result.Location{Path: strings.Trim(path, "'")}
	}
	return s.Find(l, f)
}

var _ = Room.Add("isort", func(p *tool.Parser) {
	p.Is("isort", result.Format, 1, "isort 4.3 to 9.0: --check, --diff")
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR: … Imports are incorrectly sorted"}, Parse: read.Rows{Rows: []read.Row{{Form: "ERROR: {path} Imports are {message}.", Fit: func(f *result.Finding) {
		f.Rule, f.Message, f.Fixable = "unsorted", "Imports are "+f.Message, true
	}}}}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Rows{Rows: []read.Row{{Form: "ERROR: Unrecoverable exception thrown when parsing {path}!{}", Fit: func(f *result.Finding) { f.Message = "cannot parse" }}}, Other: isortBroken}.Parse})
	read.InPython(p)
})

// isortBroken reads "Broken 1 paths", isort's only message about files that do not exist.
func isortBroken(s *read.Sink, l tool.Line) bool {
	return strings.HasPrefix(l.Text, "Broken ") && strings.HasSuffix(l.Text, " paths") && s.Misuse(l, l.Text+": no such file or directory")
}

var _ = Room.Add("black", func(p *tool.Parser) {
	p.Is("black", result.Format, 1, "black 19.10 to 26.10: --check, --diff, --color, -v; -q prints nothing")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"would reformat ", "error: cannot format ", "error: cannot parse: "}, Sniff: isNoGodot, Parse: read.Text{Line: blackLine}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: blackLine}.Parse}) // other tools print the lines of a clean run, too
	read.InPython(p)
})

// isNoGodot excludes the lines of gdformat, which prints black's texts about GDScript files.
func isNoGodot(line string) bool { return !strings.HasSuffix(line, ".gd") }

// blackLine reads a line for each file, and the closing lines:
//
//	would reformat a.py
//	error: cannot format b.py: Cannot parse: 1:6: def f(:
//	error: cannot parse: /src/b.py:1:6                    since 26
//	2 files would be reformatted, 1 file would fail to reformat.
func blackLine(s *read.Sink, l tool.Line) bool {
	if path, ok := strings.CutPrefix(l.Text, "would reformat "); ok {
		s.Find(l, result.Finding{Rule: "unformatted", Message: "would reformat", At: &result.Location{Path: path}, Fixable: true})
		return s.Break()
	}
	if rest, ok := strings.CutPrefix(l.Text, "error: cannot "); ok {
		return s.Find(l, blackError(rest))
	}
	counts := read.Counts(l.Text)
	switch {
	case lex.HasAnyPrefix(l.Text, "All done! ✨", "Oh no! 💥", "Oh no! 💔", "reformatted "):
		s.Sign(l)
		return s.Break()
	case counts["file"]+counts["files"] > 0 && (strings.HasSuffix(l.Text, "reformatted.") || strings.HasSuffix(l.Text, "unchanged.") || strings.HasSuffix(l.Text, "to reformat.")):
		return s.Close(l)
	case s.Last() == nil:
		return false
	case l.Text == "":
		s.Break()
		return false
	}
	if why, ok := strings.CutPrefix(l.Text, "ParseError: "); ok {
		s.Last().Message = "cannot parse: " + why
	}
	return s.More(l)
}

// blackError reads the text after "error: cannot ".
func blackError(rest string) result.Finding {
	f := result.Finding{Rule: "invalid-syntax", Message: "cannot parse"}
	if at, ok := strings.CutPrefix(rest, "parse: "); ok {
		if where, _, ok := place.Cut(at + ": "); ok {
			f.At = &where
		}
		return f
	}
	path, why, _ := strings.Cut(strings.TrimPrefix(rest, "format "), ": ")
	f.At, f.Message = &result.Location{Path: path}, why
	if head, where, ok := strings.Cut(why, ": "); ok && strings.HasPrefix(head, "Cannot parse") {
		if at, source, ok := place.Cut("x:" + where); ok {
			f.At.Line, f.At.Column, f.Message = at.Line, at.Column, head+": "+source
		}
	} else if !strings.Contains(why, "pars") {
		f.Rule = "cannot-format"
	}
	return f
}
