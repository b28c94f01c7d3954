package engine

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cairn/parsers/text/shell"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// cutForm matches the line that a host, a log or an agent has put in the place of lines that it left out:
//
//	… 120 lines omitted …            [... truncated 5000 bytes ...]       <output truncated>
//	Job's log exceeded limit of 4194304 bytes.                            [output clipped, log limit 2MiB reached]
var cutForm = sync.OnceValue(func() *regexp.Regexp {
	const opens, cut = `[\s\[(<{*=#…. -]*`, `(?:truncated|omitted|clipped)\b`
	return regexp.MustCompile(`(?i)^(?:` + strings.Join([]string{
		opens + `\+?[\d,.]+ ?(?:more )?(?:lines|bytes|char(?:acter)?s|[kmg]i?b)(?: of \w+)?(?: were)?[ :]+` + cut + `.{0,60}`,
		opens + `(?:\w+ ){0,2}(?:out ?put|logs?|content)(?: was| has been)?[ :]+` + cut + `.{0,60}`,
		`\s*(?:[\[(<…]|\.\.\.)[\s.…]*` + cut + `(?: lines)?(?: [\d,.-]+(?: ?\w+)?)?\W*`,
		`.{0,40}log exceeded limit of \d.*`, `.*exceeded the (?:maximum log length|log limit|limit of \d+ MB).*`, `Skipping [\d,.]+ [KMG]B\.\..*`,
	}, "|") + `)$`)
})

// cutWords are in the lines that cutForm matches.
var cutWords = []string{"runcated", "mitted", "lipped", "exceeded ", "Skipping "}

// heedCut says that the output had been cut before it came here. What is missing may hold a failure: unless the exit code
// is the tool's own, or the only tool is a test runner whose closing line follows, it is unknown whether the run failed.
func (s *Session) heedCut(r *result.ToolResult, parts []*claim, exit result.Exit) {
	unheard := func(p *tool.Parser) bool { return s.command.Unheard(p.Matches) }
	shows := !shell.PrintsOwn(s.command.Argv) && len(parts) > 0
	switch own := !failing(exit) && !s.command.Unheard(nil) && !shows && !slices.ContainsFunc(s.named, unheard); {
	case own, s.stats.bytes > maxShaped, failing(exit) && s.stats.bytes > maxLaid:
		return
	}
	term.RawLines(s.in.Source, term.Both, func(l term.RawLine) bool {
		if !slices.ContainsFunc(cutWords, func(w string) bool { return bytes.Contains(l.Text, []byte(w)) }) {
			return true
		}
		line := result.CleanLine(string(term.Resolve(l.Text[:min(len(l.Text), maxSign)])))
		if !cutForm().MatchString(line) || strings.HasSuffix(line, " to show") { // a tool that shortened a value says how to see it
			return true
		}
		result.SetExtra(&r.Extra, "cut", line)
		closed := len(parts) == 1 && extent(parts[0].report.Covered).End > l.End
		if r.Status == result.OK || r.Status == result.Passed && !closed {
			r.Status, r.StatusSource = result.Unknown, result.FromNothing
		}
		return false
	})
}
