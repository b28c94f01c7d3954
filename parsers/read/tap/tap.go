package tap

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// IsLine reports whether a line is one that only TAP has: the version or the plan.
func IsLine(line string) bool {
	line = strings.TrimSpace(line)
	if rest, ok := strings.CutPrefix(line, "TAP version "); ok {
		return lex.IsDigits(rest)
	}
	_, ok := plan(line)
	return ok
}

// Parse reads an input; it returns nil without any test point.
func Parse(in *tool.Input) *tool.Report { return (&reader{planned: -1}).parse(in) }

// Tests is Parse for tools whose test points are tests, not assertions: it also reports each test's outcome.
func Tests(in *tool.Input) *tool.Report { return (&reader{planned: -1, tells: true}).parse(in) }

// TestsJoined is Tests for a tool whose ids have joint between the names.
func TestsJoined(joint string) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		return (&reader{planned: -1, tells: true, joint: joint}).parse(in)
	}
}

// TestsCut is Tests for a tool that may append to a test's name why it failed, "unexpected signal after a.c:7": cut
// removes that, and says whether the test did not end by itself.
func TestsCut(cut func(name string) (rest, how string, ended bool)) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report { return (&reader{planned: -1, tells: true, cut: cut}).parse(in) }
}

func (r *reader) parse(in *tool.Input) *tool.Report {
	rep := read.Text{Line: r.line, End: r.end}.Parse(in)
	points := r.points + r.ended
	began := r.version || r.planned >= 0 || r.ended > 0
	empty := points == 0 && r.planned != 0 && (rep == nil || len(rep.Findings) == 0)
	if rep == nil || rep.Claimed <= 0 && (!began || empty) {
		return nil
	}
	rep.Complete = r.planned == r.points && r.bailout == ""
	rep.Tested = points > 0
	rep.NoTests = r.planned == 0 && points == 0
	return rep
}

// reader is the state of reading an output.
type reader struct {
	version bool
	planned int         // test points planned at the top level; -1 without a plan so far
	plan    result.Span // the line with the plan
	points  int         // test points at the top level
	ended   int         // test points of earlier runs in this output, which kept their plans
	first   string      // the number of this run's first test point
	seen    bool        // a test point was read, at any depth
	bailout string      // the line that gave up the run

	names  []string // names of the tests around the next one, by depth
	failed []int    // by depth: test points not ok since the last point one level above
	open   []opened // tests whose braces are open

	tells bool                                             // test points are tests, whose outcomes are reported
	cut   func(name string) (rest, how string, ended bool) // see TestsCut; may be nil
	joint string                                           // between names in ids; "" is " › "
	last  held                                             // the last test, until the lines below it have been read

	holder, holderName string // id and name of the last test point, if points inside it are not ok
	holderLine         tool.Line

	table  bool // the lines are rows of a table, as psql prints pgTAP's output
	indent int  // of the last test point
	yaml   *block
	about  *about            // the last test point that is not ok
	before []string          // comments since the last test point
	early  map[string]*about // lines about tests that are still to come, by name
}

// opened is a test that encloses others in braces.
type opened struct {
	line     tool.Line
	name     string
	failed   bool
	findings int // how many findings preceded it
}

// about collects the lines about one test.
type about struct {
	f      *result.Finding
	said   []string // comments and other lines below the test
	before []string // and above it
	told   bool     // YAML gave the reason; further lines may be about other tests
}

func (r *reader) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimLeft(l.Text, " \t")
	indent := len(l.Text) - len(text)
	if r.yaml != nil {
		switch {
		case text == "---" && indent == r.yaml.indent && r.about != nil && r.about.f != nil:
			r.further(s, l)
		case text == "..." && indent <= r.yaml.indent:
			r.last.take(r.yaml)
			r.ofHook(s)
			r.yaml = nil
			if r.about != nil {
				r.about.told = true
			}
		default:
			r.yaml.line(l.Text)
		}
		return s.More(l)
	}
	if _, planned := plan(text); planned {
		r.table = indent == 1 && (r.table || !r.seen) // else it is of a subtest
	}
	if r.table && indent == 0 && lex.HasAnyPrefix(text, "ok ", "not ok ") {
		r.table = false
	}
	if strings.HasPrefix(text, "# Looks like you planned ") {
		r.plan = result.Span{Start: l.Start, End: l.End}
	}
	if r.table {
		if indent == 0 || !lex.HasAnyPrefix(text, "ok ", "not ok ", "# ", "1..", "Bail out!") {
			return false // frames and heads
		}
		indent--
		if row, more := strings.CutSuffix(text, "+"); more { // the next row belongs to this one
			text = strings.TrimRight(row, " ")
		}
	}
	switch {
	case text == "":
		return false
	case strings.HasPrefix(text, "ok "), strings.HasPrefix(text, "not ok "), text == "ok", text == "not ok":
		return r.point(s, l, text, indent)
	case text == "---" && r.about != nil && r.about.f != nil:
		r.yaml = &block{indent: indent, f: r.about.f, before: r.about.before}
		return true
	case text == "---" && r.seen:
		r.yaml = &block{indent: indent, f: &result.Finding{Message: "not ok"}}
		return true
	case text[0] == '#':
		return r.comment(s, l, strings.TrimPrefix(text, "#"), indent)
	case text == "}" && len(r.open) > 0:
		r.close(s)
		return true
	}
	return r.other(s, l, text, indent)
}

// other takes the version, plans and "Bail out!", and lines below a test that is not ok, which may say why.
func (r *reader) other(s *read.Sink, l tool.Line, text string, indent int) bool {
	n, planned := plan(text)
	switch {
	case strings.HasPrefix(text, "TAP version ") && lex.IsDigits(text[len("TAP version "):]):
		r.version = true
		r.again()
		s.Sign(l)
	case planned && indent == 0:
		r.explainLast()
		r.again()
		r.planned, r.plan, r.about = n, result.Span{Start: l.Start, End: l.End}, nil
		s.Sign(l)
	case planned:
		r.explainLast()
		r.about = nil
	case strings.HasPrefix(text, "Bail out!"):
		if text = strings.TrimSpace(text); text != r.bailout { // each level repeats the line
			s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevError, Message: text})
		}
		r.bailout, r.about = strings.Clone(text), nil
	case r.about != nil && indent > r.indent:
		r.say(s, l, l.Text)
	default:
		return false
	}
	return true
}

// again begins another run in the same output, if this one kept its plan.
func (r *reader) again() {
	if r.points > 0 && r.points == r.planned {
		r.ended, r.points, r.planned = r.ended+r.points, 0, -1
	}
}

// point takes a test point.
func (r *reader) point(s *read.Sink, l tool.Line, text string, indent int) bool {
	r.explainLast()
	r.tell(s)
	bad := strings.HasPrefix(text, "not ")
	rest := strings.TrimPrefix(strings.TrimPrefix(text, "not "), "ok")
	number, name, directive, brace := cutPoint(rest)
	if number == "" && name == "" && rest != "" {
		return false
	}
	s.Cover(l)
	how, ended := "", false
	if r.cut != nil {
		name, how, ended = r.cut(name)
	}
	depth := r.depth(indent)
	r.indent, r.about, r.seen = indent, nil, true
	defer func() { r.before = nil }()
	if depth == 0 {
		if number == "1" {
			r.again()
		}
		if r.points++; r.points == 1 {
			r.first = number
		}
	}
	todo := strings.HasPrefix(directive, "todo")
	if brace {
		r.open = append(r.open, opened{line: l, name: name, failed: bad && !todo, findings: len(s.Findings)})
		r.setName(depth, name)
		return true
	}
	inner := r.take(depth, bad && !todo)
	came := outcomeOf(bad, directive)
	if ended && came == tool.Failed {
		came = tool.Errored
	}
	if r.hold(depth, name, came, bad && inner > 0); name == "" && came == tool.Passed && depth > 0 {
		s.Unread("a test has no name")
	}
	switch {
	case todo:
		s.Count("todo", 1)
	case strings.HasPrefix(directive, "skip"):
		s.Count("skipped", 1)
	case bad && inner == 0:
		r.fail(s, l, depth, name, number)
		endedSo(s, how, ended)
	case inner == 0 && !bad:
		s.Count("passed", 1)
	}
	if r.holder = ""; bad && inner > 0 && !todo {
		r.holder, r.holderName, r.holderLine = r.idOf(depth, name), name, l
	}
	return true
}

// take counts a test point, and returns how many points directly inside it were not ok.
func (r *reader) take(depth int, bad bool) (inner int) {
	for len(r.failed) < depth+2 {
		r.failed = append(r.failed, 0)
	}
	inner = r.failed[depth+1]
	clear(r.failed[depth+1:])
	if bad {
		r.failed[depth]++
	}
	return inner
}

// fail adds the finding of a test point.
func (r *reader) fail(s *read.Sink, l tool.Line, depth int, name, number string) {
	if name == "" {
		name = "test " + number
	}
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Message: "not ok", Name: name}
	f.ID = r.idOf(depth, name)
	s.Find(l, f)
	s.Count("failed", 1)
	if last := s.Last(); last != nil {
		r.about = &about{f: last}
		if e := r.early[name]; e != nil {
			e.f, r.about = last, e
			delete(r.early, name)
		}
		r.about.before = r.before
	}
}

// endedSo adds to the last failed test why it failed, and whether it did not end by itself.
func endedSo(s *read.Sink, how string, ended bool) {
	f := s.Last()
	if f != nil && how != "" {
		message, where, _ := strings.Cut(how, " after ")
		f.Message, f.At = message, place.LastColons(where+":0")
	}
	if ended {
		s.Count("failed", -1)
		s.Count("error", 1)
		if f != nil {
			f.Severity = result.SevError
		}
	}
}

// idOf is the id of a test: its name, preceded by those of the tests around it.
func (r *reader) idOf(depth int, name string) string {
	if depth == 0 {
		return name
	}
	return strings.Join(append(append([]string{}, r.names[:min(depth, len(r.names))]...), name), cmp.Or(r.joint, " › "))
}

// close ends a test in braces. If it failed and no test inside it is a finding, the test becomes one.
func (r *reader) close(s *read.Sink) {
	r.explainLast()
	o := r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	r.names = r.names[:min(len(r.names), len(r.open))]
	clear(r.failed[min(len(r.failed), len(r.open)+1):])
	if o.failed && len(s.Findings) == o.findings && s.Dropped == 0 {
		r.fail(s, o.line, len(r.open), o.name, "")
	}
	r.about = nil
}

// depth is how many tests contain a line.
func (r *reader) depth(indent int) int {
	if len(r.open) > 0 {
		return len(r.open)
	}
	return indent / 4
}

// cutPoint splits the text after "ok": number, description, directive.
func cutPoint(rest string) (number, name, directive string, brace bool) {
	rest = strings.TrimSpace(rest)
	if rest, brace = strings.CutSuffix(rest, " {"); rest != "" {
		if first, after, _ := strings.Cut(rest, " "); lex.IsDigits(first) {
			number, rest = first, strings.TrimSpace(after)
		} else if !strings.HasPrefix(rest, "- ") && !strings.HasPrefix(rest, "#") {
			return "", "", "", false
		}
	}
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "-"), " ")
	for {
		i := strings.LastIndex(rest, "# ")
		if i < 0 || i > 0 && rest[i-1] == '\\' {
			break
		}
		word := strings.ToLower(rest[i+2:])
		if !strings.HasPrefix(word, "todo") && !strings.HasPrefix(word, "skip") && !strings.HasPrefix(word, "time=") {
			break
		}
		if !strings.HasPrefix(word, "time=") {
			directive = word
		}
		rest = strings.TrimRight(rest[:i], " ")
	}
	return number, cutDuration(strings.ReplaceAll(rest, `\#`, "#")), directive, brace
}

// cutDuration removes " in 24ms" or "  (0.02s)" from a description.
func cutDuration(name string) string {
	if i := strings.LastIndex(name, " ("); i > 0 {
		seconds, parts, ok := strings.Cut(strings.TrimSuffix(name[i+2:], "s)"), ".")
		if ok && strings.HasSuffix(name, "s)") && lex.IsDigits(seconds) && lex.IsDigits(parts) {
			return strings.TrimRight(name[:i], " ")
		}
	}
	i := strings.LastIndex(name, " in ")
	if i <= 0 {
		return name
	}
	if n := strings.TrimSuffix(strings.TrimSuffix(name[i+4:], "sec"), "ms"); n != name[i+4:] && lex.IsDigits(n) {
		return name[:i]
	}
	return name
}

// explainLast completes the last finding with the lines about it.
func (r *reader) explainLast() {
	if r.about != nil && r.about.f != nil {
		r.about.explain()
	}
}

func (r *reader) end(s *read.Sink) {
	if r.yaml != nil {
		r.last.take(r.yaml)
	}
	r.tell(s)
	for len(r.open) > 0 {
		r.close(s)
	}
	r.explainLast()
	if r.planned > r.points && r.bailout == "" && !s.In.Truncated && (!s.In.Headless || r.first == "1") {
		s.Break()
		s.Add(result.Finding{
			Kind: result.TestFailure, Severity: result.SevError, ID: "plan", RawSpan: &r.plan,
			Message: "tests were planned that did not run: planned " + itoa(r.planned) + ", ran " + itoa(r.points),
		})
	}
}
