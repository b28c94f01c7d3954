package golang

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// ginkgo reads the output of github.com/onsi/ginkgo/v2 inside of one test, which runs all of its specs:
//
//   - [FAILED] [0.000 seconds]
//     Cart when empty [It] adds
//     /src/m/cart/cart_test.go:17
//
//     [FAILED] Expected
//     <int>: 1
//     to equal
//     <int>: 2
//     In [It] at: /src/m/cart/cart_test.go:17 @ 11/21/26 07:59:16.672
//     ------------------------------
//     …
//     Summarizing 6 Failures:
//     …
//     FAIL! -- 2 Passed | 6 Failed | 1 Pending | 1 Skipped
//
// Each failed spec is a finding, in place of the test's own, if as many specs were read as the last line counts.
type ginkgo struct {
	specs  []*ginkgoSpec
	open   *ginkgoSpec
	told   *ginkgoSpec   // the failure that -vv prints above the verdict of the spec
	checks bool          // the output is gopkg.in/check.v1's
	begun  []*ginkgoSpec // what was open at each START of check.v1 that has no verdict yet
	listed int           // how many failures the list at the end has
	found  int           // failures counted by the last line; -1: no such line was read
}

type ginkgoSpec struct {
	head    string // "Cart when empty [It] adds"
	at      *result.Location
	text    []string
	it      *result.Location // the place of the spec, if a node before it failed
	frames  []result.Location
	spot    bool // only its place follows, in the list at the end
	spoke   bool // its failure text has begun
	ended   bool // "In [It] at:" was read
	paniced bool
	below   bool             // its names are below its failure, one container per line
	check   bool             // a test of gopkg.in/check.v1
	more    []result.Related // further failures
	span    result.Span
}

// maxSpecs bounds the specs of one test.
const maxSpecs = 2000

// ginkgoVerdicts are the verdicts of failed specs.
const ginkgoVerdicts = "FAILED PANICKED TIMEDOUT INTERRUPTED ABORTED"

// line takes a line of ginkgo's output.
func (g *ginkgo) line(s string, at result.Span) {
	s = ginkgoSpot(s)
	if rest, ok := strings.CutPrefix(s, "• ["); ok {
		g.open = nil
		verdict, _, _ := strings.Cut(rest, "]")
		if lex.IsOneOf(strings.TrimSuffix(verdict, "!"), ginkgoVerdicts) && len(g.specs) < maxSpecs {
			g.open = &ginkgoSpec{paniced: strings.HasPrefix(verdict, "PANICKED"), span: at}
			if g.told != nil {
				g.open.text, g.open.at, g.open.frames, g.open.spoke = g.told.text, g.told.at, g.told.frames, true
				g.open.ended, g.open.below, g.open.span.Start = true, true, g.told.span.Start
			}
			g.specs = append(g.specs, g.open)
		}
		g.told = nil
		return
	}
	g.above(s, at)
	if g.checkLine(s) || g.specs == nil {
		g.reach(at)
		return
	}
	switch {
	case strings.HasPrefix(s, "-----"):
		g.open = nil
	case strings.HasPrefix(s, "Summarizing "):
		g.open, g.listed = nil, lex.LeadingNumber(s[len("Summarizing "):])
	case g.listed > 0 && strings.HasPrefix(s, "  ["):
		g.missing(s, at)
	case strings.HasPrefix(s, "FAIL! -"):
		g.found = read.Counts(s)["failed"]
	case g.open != nil:
		g.open.line(s)
		g.reach(at)
	}
}

// above reads a failure in the timeline of a spec, which is printed before its verdict.
func (g *ginkgo) above(s string, at result.Span) {
	verdict, rest, ok := strings.Cut(strings.TrimPrefix(s, "  ["), "] ")
	if g.open == nil && ok && strings.HasPrefix(s, "  [") && lex.IsOneOf(verdict, ginkgoVerdicts) && !strings.HasPrefix(rest, "in [") {
		g.told = &ginkgoSpec{head: "[", paniced: verdict == "PANICKED", span: at}
	}
	if strings.HasPrefix(s, "-----") {
		g.told = nil
	}
	if g.told != nil {
		g.told.line(s)
	}
}

// reach widens the open spec's span to include at.
func (g *ginkgo) reach(at result.Span) {
	if g.open == nil {
		return
	}
	if g.open.span.End == 0 {
		g.open.span.Start = at.Start
	}
	g.open.span.End = max(g.open.span.End, at.End)
}

func (p *ginkgoSpec) line(s string) {
	text := strings.TrimSpace(s)
	verdict, rest, isVerdict := strings.Cut(strings.TrimPrefix(text, "["), "] ")
	switch {
	case p.head == "":
		p.head = text
	case p.spot:
		if at, ok := frame.Go(text); ok && p.at == nil {
			p.at = &at
		}
	case (p.below || !strings.Contains(p.head, "[")) && strings.HasPrefix(s, "  ") && text != "": // -vv: one line per container
		if _, placed := frame.Go(text); !placed {
			p.head += " " + text
		}
	case strings.HasPrefix(s, "  In [") && strings.Contains(s, "] at: "):
		_, spot, _ := strings.Cut(s, "] at: ")
		spot, _, _ = strings.Cut(spot, " @ ")
		if at, ok := frame.Go(spot); ok {
			p.at = &at
		}
		p.ended = true
	case p.ended:
		p.after(text)
	case strings.HasPrefix(text, "[It] ") && !p.spoke:
		if at, ok := frame.Go(rest); ok {
			p.it = &at
		}
	case strings.HasPrefix(s, "  [") && isVerdict && lex.IsOneOf(verdict, ginkgoVerdicts) && !strings.HasPrefix(rest, "in ["):
		p.spoke, p.text = true, append(p.text, rest)
	case p.spoke && len(p.text) < maxGoBuildText:
		p.text = append(p.text, strings.TrimPrefix(s, "  "))
	}
}

// all says whether as many failures were read as the last line counts.
func (g *ginkgo) all() bool {
	g.specs = slices.DeleteFunc(g.specs, (*ginkgoSpec).missed)
	return len(g.specs) > 0 && (g.found == len(g.specs) || g.checks && g.found == 0) // check.v1 may count after the test's own report
}

// findings adds a finding for each failed spec of the test.
func (g *ginkgo) findings(s *goSection, test *result.Finding) {
	for _, p := range g.specs {
		f := p.finding()
		f.Name = test.Name + "/" + specName(p.head)
		s.add(s.named(f))
	}
}

// finding is the finding of a spec, without its name.
func (p *ginkgoSpec) finding() result.Finding {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, At: p.at, Frames: p.frames}
	f.RawSpan = &result.Span{Start: p.span.Start, End: p.span.End}
	f.Message = joinWords(p.text)
	if f.Detail = lex.JoinBounded(p.text, maxGoDetail); f.Detail == f.Message {
		f.Detail = ""
	}
	fillGomega(&f, p.text)
	if p.paniced {
		f.Kind, f.At = result.Panic, nil
	}
	if p.check {
		f.At = p.at
		p.fillCheck(&f)
	}
	if p.it != nil {
		f.Related = append(f.Related, result.Related{Message: "the spec", At: p.it})
	}
	return f
}

// specName is a spec's name as ginkgo -focus matches it: without the kind of node, such as "[It] ".
func specName(head string) string {
	for _, node := range []string{"[It] ", "[BeforeEach] ", "[AfterEach] ", "[JustBeforeEach] ", "[JustAfterEach] ", "[BeforeAll] ", "[AfterAll] ", "[DeferCleanup (Each)] "} {
		head = strings.Replace(head, node, "", 1)
	}
	return head
}

// ginkgoTests reads the names and verdicts of specs printed by -v and -vv. The name of a spec that passed
// is above its verdict, any other below it; -vv prints one line per container:
//
//	------------------------------
//	Tank passes
//	/src/tank_test.go:9
//	• [0.001 seconds]
//	------------------------------
//	P [PENDING]
//	Tank
//	/src/tank_test.go:6
//	  is full
//	  /src/tank_test.go:13
type ginkgoTests struct {
	names   []string // of the spec and its containers; each is followed by a line with its place
	next    string   // a name whose place has not been read yet
	heading bool     // lines with names and places continue
	test    tool.Test
}

// line takes a line of the run.
func (g *ginkgoTests) line(s *read.Sink, line string) {
	mark, rest, ok := strings.Cut(line, " [")
	switch {
	case strings.HasPrefix(line, "-----"):
		g.end(s)
		g.begin()
	case ok && lex.IsOneOf(mark, "• ↺ P S") && strings.HasSuffix(rest, "]"):
		g.verdict(s, mark, rest[:len(rest)-1])
	case g.heading:
		g.head(line)
	}
}

func (g *ginkgoTests) begin() { g.names, g.next, g.heading = nil, "", true }

// verdict takes "• [0.001 seconds]", "• [FAILED] [0.001 seconds]", "P [PENDING]".
func (g *ginkgoTests) verdict(s *read.Sink, mark, rest string) {
	said, took, both := strings.Cut(rest, "] [")
	t := tool.Test{Outcome: tool.Failed}
	if took = strings.TrimSuffix(took, " seconds"); !both {
		took = strings.TrimSuffix(said, " seconds")
	}
	t.DurationMS, _ = lex.Millis(took)
	switch {
	case mark == "S":
		t.Outcome = tool.Skipped
	case mark == "P":
		t.Outcome = tool.Todo
	case mark == "↺":
		t.Outcome = tool.Flaky
	case !both && strings.HasSuffix(said, " seconds"):
		t.Outcome = tool.Passed
	}
	if g.test = t; len(g.names) > 0 && (t.Outcome == tool.Passed || t.Outcome == tool.Flaky) {
		g.end(s)
		g.names, g.heading = nil, false
		return
	}
	g.begin()
}

// head takes a line with a name or with a place.
func (g *ginkgoTests) head(line string) {
	text := strings.TrimLeft(line, " ")
	if len(line)-len(text) != 2*len(g.names) || text == "" || strings.HasPrefix(text, "> Enter [") {
		g.heading = false
		return
	}
	if at, placed := frame.Go(text); placed && at.Line > 0 && g.next != "" {
		g.names, g.next = append(g.names, g.next), ""
	} else if g.heading = g.next == ""; g.heading {
		g.next = strings.Clone(text)
	}
}

// end reports the spec if one was read. A name without a verdict, or a verdict without a name, means that a spec
// printed lines in ginkgo's own format.
func (g *ginkgoTests) end(s *read.Sink) {
	switch named := len(g.names) > 0; {
	case named && g.test.Outcome != "":
		g.test.ID = specName(strings.Join(g.names, " "))
		s.Ran(g.test)
	case g.test.Outcome != "", named && g.names[0][0] != '[':
		s.Unread("a spec prints what may be the verdict of another one")
	}
	g.test = tool.Test{}
}
