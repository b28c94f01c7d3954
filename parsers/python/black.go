package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("black", func(p *tool.Parser) {
	p.Is("black", result.Format, 1, "black 19.10 to 26.10: --check, --diff, --color, -v; -q prints nothing")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"would reformat ", "error: cannot format ", "error: cannot parse: "}, Sniff: isNoGodot, Parse: read.Text{Line: blackLine}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: blackLine}.Parse}) // other tools print the lines of a clean run, too
	p.Reads(read.PythonTrouble("black"))
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
