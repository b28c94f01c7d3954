package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("karma", func(p *tool.Parser) {
	p.Is("karma", result.Test, 1, "karma 3 to 6: progress, dots, spec; what does not start")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Starts: []string{"Chrome…: Executed ", "HeadlessChrome…: Executed ", "Firefox…: Executed ", "WebKit…: Executed ", "Safari…: Executed ", "jsdom…: Executed "}, Named: true,
		Parse: read.Fresh(func(k *karma) read.Text { return read.Text{Line: k.line, End: k.end, Closes: true} })})
})

// karma reads failed tests as they come, and the counts, which karma prints anew after each test:
//
//	Chrome 120.0.0.0 (Linux 0.0.0) cart totals FAILED
//		Error: expected 2 to be 3
//		    at assertIs (kt/cart.js:1:46)
//	Chrome 120.0.0.0 (Linux 0.0.0): Executed 4 of 5 (3 FAILED) (skipped 1) (0.067 secs / 0.041 secs)
type karma struct {
	text     jserror.Text
	browsers map[string]map[string]int // the counts of each browser
	open     bool
	config   bool      // and it is a mistake of the configuration
	at       int       // of the failure in the findings
	last     tool.Line // that counts
	spec     karmaSpec
	none     string // karma's message if there are no tests
}

func (k *karma) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " ")
	browser, executed, counted := strings.Cut(text, ": Executed ")
	level, said, logged := cutKarmaLog(text)
	indented := text != "" && (text[0] == ' ' || text[0] == '\t')
	switch {
	case logged:
		k.flush(s)
		k.logged(s, l, level, said)
	case counted && strings.Contains(executed, " of "):
		k.flush(s)
		k.counts(s, l, browser, executed)
	case strings.HasPrefix(text, "TOTAL: "):
		k.flush(s)
		s.Sign(l)
	case !indented && isKarmaBrowser(text) && (strings.HasSuffix(text, " FAILED") || strings.HasSuffix(text, " ERROR")):
		k.flush(s)
		k.failed(s, l, text)
	case k.tree(s, l):
	case k.open && (indented || text == "" || k.config):
		k.text.Add(l.Text)
		s.More(l)
	case k.open:
		k.flush(s)
		return false
	default:
		return strings.Trim(text, ".") == "" && text != ""
	}
	return true
}

// cutKarmaLog reads "22 11 2026 16:11:21.421:INFO [karma-server]: text".
func cutKarmaLog(text string) (level, said string, ok bool) {
	for _, level = range [...]string{"INFO", "WARN", "ERROR", "DEBUG"} {
		if stamp, rest, has := strings.Cut(text, ":"+level+" ["); has && len(stamp) < 30 && strings.Trim(stamp, "0123456789 :.") == "" {
			_, said, ok = strings.Cut(rest, "]: ")
			return level, said, ok
		}
	}
	return "", "", false
}

// logged takes a line of karma's own log.
func (k *karma) logged(s *read.Sink, l tool.Line, level, said string) {
	s.Sign(l)
	if version, ok := strings.CutPrefix(said, "Karma v"); ok {
		s.Version, _, _ = strings.Cut(version, " ")
	}
	f := result.Finding{Kind: result.GenericFinding, Message: said}
	switch {
	case level == "WARN":
		f.Severity = result.SevWarning
	case level != "ERROR", strings.HasPrefix(said, "Error: Found ") && len(s.Findings) > 0:
		return
	case said == "Error in config file!", strings.HasPrefix(said, "Cannot load browser"), strings.HasPrefix(said, "Cannot find plugin"), strings.HasPrefix(said, "Config file"), strings.HasPrefix(said, "File "):
		s.Meaning = result.MeansUsage
		s.EndHere()
		k.config = true
	}
	s.Find(l, f)
	k.open, k.at = level == "ERROR", len(s.Findings)-1
}

// isKarmaBrowser: "Chrome 120.0.0.0 (Linux 0.0.0) cart totals".
func isKarmaBrowser(text string) bool {
	name, rest, ok := strings.Cut(text, " (")
	_, version, two := strings.Cut(name, " ")
	return ok && two && strings.Contains(rest, ") ") && strings.Trim(version, "0123456789. ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == "" && strings.ContainsAny(version, "0123456789")
}

func (k *karma) failed(s *read.Sink, l tool.Line, text string) {
	_, rest, _ := strings.Cut(text, ") ")
	id, _ := strings.CutSuffix(rest, " FAILED")
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Message: "failed"}
	if rest == "ERROR" {
		f = result.Finding{Kind: result.BuildError, Message: text}
		s.EndHere()
	}
	s.Find(l, f)
	k.open, k.at = true, len(s.Findings)-1
}

func (k *karma) flush(s *read.Sink) {
	if k.open && k.at < len(s.Findings) && len(k.text.Lines) > 0 {
		f := &s.Findings[k.at]
		message := f.Message
		lines := k.text.Lines
		if f.Kind != result.TestFailure { // the message, where it was thrown, and both again with the stack
			for i, t := range lines {
				if at := place.LastColons(strings.TrimSpace(t)); i == 0 && at != nil {
					f.At = at
				} else if path, line, ok := place.CutLineNumber(strings.TrimSpace(t)); i == 0 && ok {
					f.At = &result.Location{Path: path, Line: line}
				}
				if t = strings.TrimSpace(t); i > 0 && strings.Contains(t, "Error: ") {
					lines = lines[i:]
					break
				}
			}
		}
		if jserror.Explain(f, lines); f.Kind == result.GenericFinding && f.Message != message {
			f.Message = message + " " + f.Message
		}
		f.Detail = ""
	}
	k.open, k.config, k.text = false, false, jserror.Text{}
	s.Break()
}

// counts reads "4 of 5 (3 FAILED) (skipped 1) (0.067 secs / 0.041 secs)" and
// "1 of 1 SUCCESS (…)".
func (k *karma) counts(s *read.Sink, l tool.Line, browser, text string) {
	n := map[string]int{"executed": lex.LeadingNumber(text)}
	_, rest, _ := strings.Cut(text, " of ")
	n["total"] = lex.LeadingNumber(rest)
	n["failed"] = read.Counts(rest)["failed"]
	if _, skipped, ok := strings.Cut(rest, "(skipped "); ok {
		n["skipped"] = lex.LeadingNumber(skipped)
	}
	lex.Put(&k.browsers, browser, n)
	if k.last = l; n["total"] == 0 {
		k.none = text
	}
	if strings.Contains(text, " secs / ") && !strings.Contains(text, "(0 secs / ") {
		s.Close(l)
	}
	s.Sign(l)
}

func (k *karma) end(s *read.Sink) {
	k.flush(s)
	ran := 0
	for _, n := range k.browsers {
		ran += s.Scores(map[string]int{"passed": n["executed"] - n["failed"], "failed": n["failed"], "skipped": n["skipped"]}, "")
	}
	if len(k.browsers) > 0 {
		s.Tested, s.NoTests = ran > 0, ran == 0
		if k.none != "" && s.NoTests && s.Failures() == 0 {
			s.Find(k.last, result.Finding{Kind: result.GenericFinding, Message: "Executed " + k.none})
		}
	}
}

// karmaSpec reads the tree of karma-spec-reporter. What failed has its reason below it, behind a tab:
//
//	  cart
//	    ✓ adds
//	    ✗ removes
//		Expected 1 to be 2.
//	    - ships
type karmaSpec struct {
	suites []string
	blank  bool // the last line was empty, or one of the tree
}

var karmaMarks = map[string]read.Outcome{"✓": tool.Passed, "✗": tool.Failed, "✖": tool.Failed, "-": tool.Skipped, "ℹ": tool.Skipped}

// line takes a line of the tree. failed is called for a test that failed.
func (k *karmaSpec) line(s *read.Sink, l tool.Line, failed func(id string)) bool {
	text := strings.TrimLeft(l.Text, " ")
	indent := len(l.Text) - len(text)
	was := k.blank
	k.blank = text == ""
	if indent < 2 || indent%2 != 0 || text == "" || text[0] == '\t' {
		return false
	}
	depth := indent/2 - 1
	mark, title, _ := strings.Cut(text, " ")
	came := karmaMarks[mark]
	switch {
	case came != "" && depth <= len(k.suites) && len(k.suites) > 0:
		k.suites = k.suites[:depth]
		id := strings.TrimSpace(strings.Join(append(append([]string{}, k.suites...), title), " "))
		if came == tool.Failed {
			failed(id)
		} else {
			s.Ran(tool.Test{ID: id, Outcome: came})
		}
	case came == "" && was && depth <= len(k.suites):
		k.suites = append(k.suites[:depth], strings.Clone(text))
	default:
		return false
	}
	k.blank = true
	return true
}

// tree is line for karma, which has the failure that is open.
func (k *karma) tree(s *read.Sink, l tool.Line) bool {
	if k.open && k.at < len(s.Findings) && s.Findings[k.at].Kind != result.TestFailure {
		return false // the text of an error outside of tests
	}
	return k.spec.line(s, l, func(id string) {
		k.flush(s)
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Message: "failed"})
		k.open, k.at = true, len(s.Findings)-1
	})
}
