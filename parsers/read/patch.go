package read

import (
	"path"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/shell"
	"cairn/parsers/tool"
	"cairn/result"
)

// Patch reads the difference that a formatter would make, in the form of "diff -u". Each file is a finding, at the
// first line that would change.
//
//	--- original/src/a.py
//	+++ fixed/src/a.py
//	@@ -5,3 +5,4 @@
type Patch struct {
	Says  result.Finding                  // the rule and message of each finding
	Other func(s *Sink, l tool.Line) bool // takes lines outside of differences; may be nil

	alike bool // a head counts only if both its names are the same file's
}

// Differs is the message for a file in a difference that an unknown program printed.
const Differs = "differs"

// differing reads the differences that an unknown program prints before it fails, as most formatters do that only
// check. The output of programs that compare files is no failure, and "--- expected" and "+++ actual" are no files.
func differing(in *tool.Input) *tool.Report {
	c := in.Command()
	if shell.ShowsDifferences(c) {
		return nil
	}
	return Patch{Says: result.Finding{Message: Differs}, alike: true}.Parse(in)
}

// Parse reads an input.
func (t Patch) Parse(in *tool.Input) *tool.Report {
	p := &patches{Patch: t}
	return Text{Line: p.line}.Parse(in)
}

type patches struct {
	Patch
	before string // path in a head whose second line is still to come
	path   string // file of the current difference
	old    int    // the next line number in the old file, 0 once a change was seen
	left   int    // how many lines of the old file the hunk still has
	hunk   bool
}

func (p *patches) line(s *Sink, l tool.Line) bool {
	text := l.Text
	after, isAfter := strings.CutPrefix(text, "+++")
	isAfter = isAfter && (after == "" || after[0] == ' ')
	before, isBefore := strings.CutPrefix(text, "--- ")
	hunk, isHunk := strings.CutPrefix(text, "@@ -")
	switch {
	case isBefore && (!p.hunk || p.left == 0):
		p.before, p.hunk = before, false
		s.Break()
	case isAfter && p.before != "":
		p.path, p.before, p.hunk = p.pathOf(p.before, after), "", false
		s.Break()
	case isHunk && (p.path != "" || p.hunk):
		p.begin(s, l, hunk)
	case p.hunk && (text == "" || strings.IndexByte("+-\\ ", text[0]) >= 0):
		// A removed comment of SQL or Lua looks like a head. It is a head only if the second line follows.
		p.before = before
		p.content(s.kept(), text)
		s.More(l)
	default:
		if p.hunk {
			p.hunk = false
			s.Break()
		}
		return p.Other != nil && p.Other(s, l)
	}
	return true
}

// begin takes the first line of a hunk; in "5,3", 5 is the first line and 3 the number of lines before the change.
// The first hunk of a file gives its finding.
func (p *patches) begin(s *Sink, l tool.Line, hunk string) {
	line := lex.LeadingNumber(hunk)
	p.left = 1
	if n, ok := strings.CutPrefix(strings.TrimLeft(hunk, "0123456789"), ","); ok {
		p.left = lex.LeadingNumber(n)
	}
	if p.path == "" {
		s.More(l)
		p.old = 0
		return
	}
	f := p.Says
	f.At = &result.Location{Path: p.path, Line: max(line, 1)}
	s.Find(l, f)
	p.path, p.old, p.hunk = "", max(line, 1), true
}

// content counts a line of a hunk: the finding is at the first changed line.
func (p *patches) content(f *result.Finding, text string) {
	kind := byte(' ')
	if text != "" {
		kind = text[0]
	}
	if kind == ' ' || kind == '-' {
		p.left = max(p.left-1, 0)
	}
	switch {
	case p.old == 0 || kind == '\\':
	case kind == ' ':
		p.old++
	case f != nil:
		f.At.Line, p.old = p.old, 0
	}
}

// pathOf is the file named by the two names in a head, without what distinguishes them: "a/" and "b/", "original/"
// and "fixed/", or "(original)" at the end. If one name is no file, it is the other.
func (t Patch) pathOf(before, after string) string {
	before, after = cutStamp(before), cutStamp(after)
	switch {
	case t.alike && !place.IsFile(before) && !place.IsFile(after):
		return ""
	case after == "" || after == devNull:
		return before
	case t.alike && before != devNull && path.Base(before) != path.Base(after):
		return ""
	}
	dir, rest, ok := strings.Cut(before, "/")
	other, same, both := strings.Cut(after, "/")
	if ok && both && dir != other && rest == same {
		return rest
	}
	return after
}

// devNull is the name in a head, on every system, for a file that does not exist.
const devNull = "/dev/null"

// cutStamp removes the time or remark behind a name.
func cutStamp(name string) string {
	name, _, _ = strings.Cut(name, "\t")
	if i := strings.LastIndex(name, " ("); i > 0 && strings.HasSuffix(name, ")") {
		name = name[:i]
	}
	return strings.TrimSpace(name)
}
