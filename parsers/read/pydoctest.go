package read

import (
	"cmp"
	"path"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// DocOutput reads what Python's doctest prints about an example with the wrong output: the expected and the actual
// output below their headings, or one of three kinds of difference.
//
//	Expected:
//	    2
//	Got:
//	    1
//
// A nil DocOutput has read nothing.
type DocOutput struct {
	Raised string // "UNEXPECTED EXCEPTION: …"

	expected, got []string
	size          int
	in            byte     // the value that is being read: 'e' (expected), 'g' (got) or 0
	diff          string   // the heading of the difference that is being read
	second        bool     // in the second half of a context diff
	common        []string // lines in the first half that both values have
}

// The headings of the kinds of difference.
const (
	unifiedDiff = "Differences (unified diff with -expected +actual):"
	contextDiff = "Differences (context diff with expected followed by actual):"
	nDiff       = "Differences (ndiff with -expected +actual):"
)

// Open reports whether an indented line is part of a value.
func (d *DocOutput) Open() bool { return d != nil && (d.in != 0 || d.diff != "") }

// Told reports whether a value or an exception was read.
func (d *DocOutput) Told() bool {
	return d != nil && (len(d.expected)+len(d.got) > 0 || d.Raised != "")
}

// Line takes a heading, or an indented line below one. An empty line may end the actual output.
func (d *DocOutput) Line(line string) bool {
	switch {
	case line == "":
		if d.in == 'g' {
			d.in = 0
		}
		return false
	case line == "Expected:":
		d.in = 'e'
	case line == "Got:":
		d.in = 'g'
	case line == "Expected nothing":
		d.expected = append(d.expected, "nothing")
	case line == "Got nothing":
		d.got = append(d.got, "nothing")
	case line == unifiedDiff, line == contextDiff, line == nDiff:
		d.diff = line
	case strings.HasPrefix(line, "UNEXPECTED EXCEPTION: "):
		d.Raised = line
	case d.Open() && strings.HasPrefix(line, "    "):
		if d.size += len(line) - 4; d.size < 2*result.MaxValue && len(line) > 4 {
			d.value(line[4:])
		}
	default:
		return false
	}
	return true
}

// value reads a line of one value, or of a difference.
func (d *DocOutput) value(text string) {
	switch {
	case d.diff == contextDiff:
		d.context(text)
	case d.diff == nDiff:
		d.differing(text[0], strings.TrimPrefix(text[1:], " "))
	case d.diff == unifiedDiff:
		if !strings.HasPrefix(text, "@@ ") {
			d.differing(text[0], text[1:])
		}
	case d.in == 'e':
		d.expected = append(d.expected, text)
	default:
		d.got = append(d.got, text)
	}
}

// differing reads a line of a diff that shows both values at once.
func (d *DocOutput) differing(mark byte, text string) {
	if mark == '-' || mark == ' ' {
		d.expected = append(d.expected, text)
	}
	if mark == '+' || mark == ' ' {
		d.got = append(d.got, text)
	}
}

// context reads a line of a diff that shows one value after the other; it omits a half without changes.
func (d *DocOutput) context(text string) {
	body := strings.TrimPrefix(text[1:], " ")
	switch {
	case strings.HasPrefix(text, "***************"):
	case strings.HasPrefix(text, "*** ") && strings.HasSuffix(text, " ****"):
		d.second = false
	case strings.HasPrefix(text, "--- ") && strings.HasSuffix(text, " ----"):
		d.second = true
	case !d.second:
		d.expected = append(d.expected, body)
		if text[0] == ' ' {
			d.common = append(d.common, body)
		}
	case text[0] == ' ' && len(d.common) == 0:
		d.differing(' ', body)
	default:
		d.got = append(d.got, body)
	}
}

// came is the actual output. If a context diff omitted it, it is the expected output without the removed lines.
func (d *DocOutput) came() []string {
	if d.diff == contextDiff && len(d.got) == 0 {
		return d.common
	}
	return d.got
}

// Message says on one line what differs.
func (d *DocOutput) Message() string {
	d = cmp.Or(d, new(DocOutput))
	if d.Raised != "" {
		return d.Raised
	}
	return lex.Headline("expected " + strings.Join(d.expected, " ") + ", got " + strings.Join(d.came(), " "))
}

// Fill sets a finding's expected and actual output.
func (d *DocOutput) Fill(f *result.Finding) {
	if d.Told() && len(d.expected)+len(d.got) > 0 {
		f.Expected, f.Actual = strings.Join(d.expected, "\n"), strings.Join(d.came(), "\n")
	}
}

// Examples reads the failed examples of doctest, each below a line of stars:
//
//	File "/src/a.py", line 3, in a.f
//	Failed example:
//	    f()
//	Expected:
//	    2
//	Got:
//	    1
type Examples struct {
	Dir string // directory to which the paths are made relative

	open  bool
	tally bool   // the counts of each item are being read
	part  string // heading of the part being read: "Failed example:", "Exception raised:"
	found DocOutput
}

// Line takes a line; it returns false if the line belongs to no example.
func (e *Examples) Line(s *Sink, l tool.Line) bool {
	f := s.Last()
	switch at, id, ok := CutExample(l.Text); {
	case ok:
		*e = Examples{Dir: e.Dir, open: true}
		if e.Dir != "" && !result.IsAbsolute(at.Path) {
			at.Path = path.Join(e.Dir, at.Path)
		}
		return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, At: &at})
	case l.Text != "" && strings.Trim(l.Text, "*") == "":
		e.open = false
		return s.Break()
	case e.tally || strings.HasSuffix(l.Text, " had failures:"):
		e.tally = !strings.HasPrefix(l.Text, "***Test Failed*** ")
		return s.Break()
	case !e.open || f == nil:
		return false
	case e.found.Line(l.Text):
		e.part = ""
		e.found.Fill(f)
	case strings.HasSuffix(l.Text, ":") && l.Text[0] != ' ':
		e.part = l.Text
	case e.part == "Failed example:" && f.Name == "":
		f.Name = strings.TrimPrefix(l.Text, "    ")
		f.Message = "failed example: " + f.Name
	case e.part == "Exception raised:":
		text, own := strings.CutPrefix(l.Text, "    ")
		if !own && text != "" {
			e.open = false
			return s.Break() && false
		}
		if text != "" && text[0] != ' ' && !IsTraceHead(text) {
			f.Rule, _, _ = strings.Cut(strings.TrimSpace(text), ":")
			f.Actual = strings.TrimSpace(text)
		}
	}
	return s.More(l)
}

// CutExample reads `File "/src/a.py", line 3, in a.f`.
func CutExample(line string) (at result.Location, id string, ok bool) {
	rest, ok := strings.CutPrefix(line, `File "`)
	path, rest, has := strings.Cut(rest, `", line `)
	n, id, named := strings.Cut(rest, ", in ")
	return result.Location{Path: path, Line: lex.Atoi(n)}, id, ok && has && named && lex.IsDigits(n) && len(n) < 9
}
