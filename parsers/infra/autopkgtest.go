package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// debianTests reads autopkgtest's rows for the tests of a package. The output of a test stands between brackets and
// is left to the readers of the test's own tools:
//
//	autopkgtest [14:20:22]: test upstream-version: [-----------------------
//	popt is not 1.20
//	autopkgtest [14:20:23]: test upstream-version: -----------------------]
//	autopkgtest [14:20:23]: @@@@@@@@@@@@@@@@@@@@ summary
//	upstream-version     FAIL non-zero exit status 3
type debianTests struct {
	name    string              // the test that is running, or ""
	printed map[string][]string // the first 200 lines of each test's output
	summary bool                // the rows of the summary follow
}

func (d *debianTests) test(s *read.Sink, l tool.Line) bool {
	_, said, own := strings.Cut(strings.TrimPrefix(l.Text, "autopkgtest ["), "]: ")
	own = own && strings.HasPrefix(l.Text, "autopkgtest [")
	name, what, _ := strings.Cut(strings.TrimPrefix(said, "test "), ": ")
	words := strings.Fields(l.Text)
	switch {
	case own && strings.HasPrefix(what, "[---"):
		d.name = name
	case own:
		d.name, d.summary = "", strings.HasPrefix(said, "@@@@") && strings.HasSuffix(said, "@ summary")
	case d.name != "" && len(d.printed[d.name]) < 200:
		if d.printed == nil {
			d.printed = map[string][]string{}
		}
		d.printed[d.name] = append(d.printed[d.name], l.Text)
		return false
	case d.summary && len(words) > 1:
		return d.came(s, l, words)
	default:
		return false
	}
	return s.Sign(l)
}

// came reads a row of the summary, "upstream-version     FAIL non-zero exit status 3".
func (d *debianTests) came(s *read.Sink, l tool.Line, words []string) bool {
	outcome := map[string]read.Outcome{"PASS": read.Passed, "FAIL": read.Failed, "SKIP": read.Skipped, "FLAKY": read.XFailed}[words[1]]
	if outcome == "" {
		return false
	}
	s.Counted(tool.Test{ID: words[0], Outcome: outcome})
	if outcome != read.Failed {
		return s.Sign(l)
	}
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: words[0], Message: strings.Join(words[2:], " ")}
	if why := read.Reason(d.printed[words[0]]); why != "" {
		f.Message += ": " + why
	}
	s.Claim(1)
	s.Find(l, f)
	return s.Break()
}
