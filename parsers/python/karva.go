package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("karva", func(p *tool.Parser) {
	p.Is("karva", result.Test, 1, "karva 0.0.1: full, concise")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"Starting …workers", "error[test-failure]…Test `", "error[fixture-failure]…Fixture `"}, Named: true, Parse: read.Blocks{
		Head: func(text string) (string, bool) {
			id, ok := strings.CutSuffix(text, ":")
			id, _, _ = strings.Cut(id, " (requires fixture `")
			return id, ok && id != "" && id[0] != ' ' && strings.Contains(id, "::")
		},
		Ends: func(text string) bool { return strings.HasPrefix(text, "────") },
		Take: karvaFailure, Test: karvaVerdict, Other: karvaLine, Closes: true,
	}.Parse})
})

// karvaVerdict reads "        FAIL [   0.001s] test_a::test_sum(a=2, b=3)".
func karvaVerdict(text string) (t tool.Test, ok bool) {
	word, rest, _ := strings.Cut(strings.TrimLeft(text, " "), " [")
	took, id, ok := strings.Cut(rest, "] ")
	t = tool.Test{ID: id, Outcome: read.Outcome(lex.Means(word, "passed: PASS; failed: FAIL; error: ERROR; skipped: SKIP"))}
	t.DurationMS, _ = lex.Millis(strings.TrimSpace(took))
	return t, ok && t.Outcome != ""
}

// karvaFailure reads the lines below a test's name. Tests that lack one fixture stand above the same lines.
func karvaFailure(s *read.Sink, b *read.Block) {
	s.FindBlock(b, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: b.Title, Detail: strings.Join(b.Body, "\n")})
	for i := len(s.Findings) - 1; i >= 0 && s.Findings[i].Message == "" && len(b.Body) > 0; i-- {
		for _, line := range b.Body {
			karvaTold(s, &s.Findings[i], line)
		}
	}
}

// karvaTold reads a head, where the test is and where it failed, and what was raised.
func karvaTold(s *read.Sink, f *result.Finding, line string) {
	info, says := strings.CutPrefix(line, "info: ")
	_, code, _ := strings.Cut(line, " |  ")
	arrow, _ := strings.CutPrefix(strings.TrimSpace(line), "--> ")
	at := place.LastColons(arrow)
	if short, rest, ok := place.Cut(line); ok {
		at, line = &short, rest
	}
	if head, ok := cutTyHead(strings.Replace(line, "] ", "]: ", 1)); ok {
		f.Rule, f.Message = head.Rule, head.Message
	} else if code = strings.TrimSpace(code); strings.HasPrefix(code, "assert ") {
		f.Message = code
	} else if says && strings.TrimSpace(info) == info && !strings.HasSuffix(info, ":") && !strings.HasSuffix(info, " failed here") {
		f.Message = info
	}
	if at != nil && (f.At == nil || !place.NewFiles(s.In.Workspace).External(at.Path)) {
		f.At = at
	}
}

// karvaLine reads "     Summary [   4.086s] 8 tests run: 3 passed, 4 failed, 1 error, 0 skipped".
func karvaLine(s *read.Sink, l tool.Line) bool {
	if f, ok := cutTyHead(strings.Replace(l.Text, "] ", "]: ", 1)); ok {
		return s.Find(l, f)
	}
	ran, counted, ok := strings.Cut(l.Text, " tests run: ")
	if !ok || !strings.HasPrefix(l.Text, "     Summary [") {
		return strings.HasPrefix(l.Text, "    Starting ") && s.Sign(l) || lex.IsOneOf(l.Text, "failures: diagnostics:")
	}
	n := read.Counts(counted)
	return s.Sum(l, lex.Atoi(ran[strings.LastIndexByte(ran, ' ')+1:]), n["failed"], n["error"]+n["errors"], n["skipped"])
}
