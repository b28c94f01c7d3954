package golang

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/jsontext"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// goVetReader reads what go vet -json prints (go doc cmd/vet): for each package one object, which the go command writes
// with tabs, one member per line. Lines of the go command may come between the objects; before Go 1.26, which
// printed the objects to stderr, they always do.
//
//	{
//		"example.com/m/p": {
//			"printf": [
//				{
//					"posn": "/src/m/p/p.go:15:14",
//					"end": "/src/m/p/p.go:15:16",
//					"message": "…",
//					"suggested_fixes": [ {"message": "…", "edits": […]} ],
//					"related": [ {"posn": "…", "message": "…"} ]
//				}
//			]
//		}
//	}
//
// An edit has byte offsets only, from which no line follows, so only a fix's message is kept.
type goVetReader struct {
	open  bool
	pkg   string
	rule  string
	text  strings.Builder // of the current diagnostic
	span  *result.Span    // of that diagnostic; nil outside of one
	all   []result.Finding
	spans []result.Span
}

// line takes a line, or returns false if it belongs to no object.
func (v *goVetReader) line(l tool.Line) bool {
	s := strings.TrimLeft(l.Text, "\t")
	depth := len(l.Text) - len(s)
	switch {
	case depth == 0 && s == "{":
		v.open = true
	case depth == 0 && s == "{}":
	case depth == 0 && s == "}" && v.open:
		v.open = false
	case !v.open || depth == 0 || s == "" || !strings.ContainsRune(`"{}[]`, rune(s[0])):
		return false
	default:
		v.member(depth, s, l)
	}
	v.spans = append(v.spans, result.Span{Start: l.Start, End: l.End})
	return true
}

// member takes a line inside of an object.
func (v *goVetReader) member(depth int, s string, l tool.Line) {
	if v.span != nil {
		v.text.WriteString(s)
		if depth > 3 {
			v.span.End = max(v.span.End, l.End)
		}
	}
	key, value := vetMember(s)
	switch {
	case depth == 1:
		v.pkg = key
	case depth == 2:
		v.rule = key
	case depth == 3 && s == "{":
		v.span = &result.Span{Start: l.Start, End: l.End}
		v.text.Reset()
		v.text.WriteString(s)
	case depth == 3 && strings.HasPrefix(s, "}") && v.span != nil:
		v.diagnostic(strings.TrimSuffix(v.text.String(), ","))
		v.span = nil
	case depth == 3 && (key == "error" || key == "err"): // of an analyzer
		v.keep(result.Finding{ID: v.pkg, Message: value, RawSpan: &result.Span{Start: l.Start, End: l.End}})
	}
}

// diagnostic turns a complete object into a finding.
func (v *goVetReader) diagnostic(object string) {
	var d struct {
		Posn, End, Message string
		Fixes              []struct{ Message string } `json:"suggested_fixes"`
		Related            []struct{ Posn, Message string }
	}
	if json.Unmarshal([]byte(object), &d) != nil || d.Message == "" || len(v.all) >= 2*tool.MaxFindings {
		return
	}
	f := result.Finding{At: cutPosition(d.Posn), RawSpan: v.span, Extra: map[string]any{"package": v.pkg}, Fixable: len(d.Fixes) > 0}
	f.Message, f.Detail, _ = strings.Cut(d.Message, "\n")
	if end := cutPosition(d.End); end != nil && f.At != nil {
		f.At.EndLine, f.At.EndColumn = end.Line, end.Column
	}
	for _, fix := range d.Fixes {
		f.Suggestions = append(f.Suggestions, fix.Message)
	}
	for _, r := range d.Related {
		f.Related = append(f.Related, result.Related{Message: r.Message, At: cutPosition(r.Posn)})
	}
	v.keep(f)
}

func (v *goVetReader) keep(f result.Finding) {
	f.Kind, f.Severity, f.Source, f.Rule = result.Diagnostic, result.SevError, goVetTool, v.rule
	v.all = append(v.all, f)
}

// vetMember splits `"key": "value",`.
func vetMember(s string) (key, value string) {
	rest, _ := strings.CutPrefix(s, `"`)
	key, value, _ = strings.Cut(rest, `": `)
	value, _ = strings.CutPrefix(strings.TrimSuffix(value, ","), `"`)
	return jsontext.Unescape(key), jsontext.Unescape(strings.TrimSuffix(value, `"`))
}

// go test, text and -json (go 1.20 to 1.26; cmd/test2json and "go help testflag" are the specification).
//
// Both formats feed one core (goRun): the text reader turns lines into the
// same calls as the events of -json, so that equal runs give equal findings.
//
// A finding's id is "<import path>.<test>", as in "example.com/ledger/money.TestParse/negative": the import path ends
// at the first dot after the last slash before "Test", "Fuzz", "Example" or "Benchmark". Suite holds the import path
// and Name the test, so that
//
//	go test <suite> -run '^TestParse$/^negative$'
//
// runs it again. A package that failed without any test to blame has its import path as id.
//
// Counts are of leaves: a test with subtests is not counted. Only -v and -json list
// passed and skipped tests; without them these are not guessed.
var _ = Room.Add(tool.AnyProgram, func(p *tool.Parser) {
	p.Is("go-test", result.Test, 4, "go 1.20 to 1.26, text and -json; gotestsum 1.8 to 1.13")
	p.Family, p.ColumnUnit = "go", "byte"
	p.Filter = tool.Filter{Flag: "-run", Spell: runPattern, Again: runAgain}
	p.Matches = func(argv []string) bool {
		return goSubArgs(argv, "test") != nil || isGotestsum(argv) || isGoBinary(argv)
	}
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.JUnit = goDialect
	p.Files = []tool.Files{{
		Flags:     append(tool.ReportFlags("--junitfile"), tool.FileFlag{Flag: "-out", Of: []string{"go-junit-report"}}, tool.FileFlag{Flag: "--out", Of: []string{"go-junit-report"}}),
		Variables: []string{"GOTESTSUM_JUNITFILE"},
	}}
	p.Reads(tool.Format{Name: "json", Starts: []string{`{"Time":"`, `{"Action":"`, `{"ImportPath":"`}, Sniff: isGoEvent, Parse: parseGoTestJSON})
	p.Reads(tool.Format{
		Name:   "text",
		Starts: goTestStarts(),
		Sniff:  isGoTestLine, Parse: parseGoTestText,
	})
	p.Reads(tool.Format{Name: "gotestsum", Starts: gotestsumStarts, Sniff: isGotestsumLine, Parse: parseGotestsum})
}, tool.WritesFiles)

// runPattern spells a test for -run, which matches each level of its name with a regular expression.
func runPattern(f *result.Finding) string {
	if f.Name == "" {
		return "" // the id is that of a package
	}
	levels := strings.Split(f.Name, "/")
	for i := range levels {
		levels[i] = read.Pattern(levels[i])
	}
	return strings.Join(levels, "/")
}

// runAgain returns arguments for go test that run the test with this id again.
func runAgain(id string, _ []string) []string {
	pkg, name, ok := cutGoID(id)
	if !ok {
		return nil
	}
	levels := strings.Split(name, "/")
	for i := range levels {
		levels[i] = "^" + regexp.QuoteMeta(levels[i]) + "$"
	}
	return []string{"go", "test", "-run", strings.Join(levels, "/"), pkg}
}

// cutGoID divides "example.com/a.TestB/c", an id, into package and test.
func cutGoID(id string) (pkg, name string, ok bool) {
	for i := 0; i < len(id); i++ {
		if rest := id[i+1:]; id[i] == '.' && isGoTestName(rest) && !strings.Contains(id[:i], ".Test") {
			return id[:i], rest, true
		}
	}
	return "", "", false
}

// isGotestsum says whether gotestsum runs tests; "gotestsum tool …" does not.
func isGotestsum(argv []string) bool {
	return len(argv) > 0 && argv[0] == "gotestsum" && (len(argv) < 2 || argv[1] != "tool")
}

// goTestStarts are beginnings of go test's lines, with those printed when no test is run.
func goTestStarts() []string {
	return slices.Concat([]string{
		"=== RUN   ", "--- FAIL: ", "--- PASS: ", "--- SKIP: ", "FAIL\t", "ok  \t", "?   \t", "panic: test timed out after ", "testing: ", "usage: go test ", "no packages to test",
	}, goTextStarts())
}

// isGoTestLine confirms that a line is go test's: runners of other languages print "--- FAIL" and "ok" too.
func isGoTestLine(line string) bool {
	s := strings.TrimLeft(line, " \t")
	switch {
	case strings.HasPrefix(s, "--- "):
		_, ok := readGoReport(line)
		return ok
	case lex.HasAnyPrefix(s, "FAIL\t", "ok  \t", "?   \t"):
		_, ok := readGoTrailer(line)
		return ok
	}
	if name, ok := strings.CutPrefix(s, "=== RUN   "); ok {
		return isGoTestName(strings.TrimSpace(name))
	}
	return lex.HasAnyPrefix(s, "panic: test timed out after ", "testing: ", "usage: go test ", "no packages to test") || s[0] != '{' && isGoText(line)
}
