package golang

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Linters of Go that are programs of their own print "path:3:7: text" without a rule. Messages about their own work
// begin with the linter's name, or with "-" for a package that could not be loaded. Compile errors are printed among
// these lines, once with a relative and once with an absolute path.
var (
	_ = goLinters(result.Lint, "errcheck", "ineffassign", "gocritic", "gocyclo", "gocognit", "misspell", "nakedret", "deadcode", "goconst",
		"unparam", "unconvert", "bodyclose", "exhaustive", "go-errorlint", "modernize", "golint")
	_ = goLinters(result.Build, "wire", "stringer", "mockgen")
)

func goLinters(kind result.Kind, names ...string) bool {
	for _, name := range names {
		Room.Add(name, func(p *tool.Parser) {
			p.Is(name, kind, 1, name+": text, what it says of packages that do not load, usage")
			p.ColumnUnit = "byte"
			p.Reads(tool.Format{Name: "text", Parse: func(in *tool.Input) *tool.Report {
				g := goLint{name: name + ": ", builds: kind == result.Build}
				return read.Text{Line: g.line, End: dropRepeated}.Parse(in)
			}})
		})
	}
	return true
}

// unverbose takes the name of the function off "os.Remove\tdefer os.Remove(p)", as errcheck
// -verbose writes it before the source.
func unverbose(message string) string {
	called, source, ok := strings.Cut(strings.TrimSpace(message), "\t")
	if !ok || strings.Contains(called, " ") || !strings.Contains(called, ".") || strings.HasSuffix(called, ")") {
		return message
	}
	return source
}

// goLint reads the output of one linter.
type goLint struct {
	name    string // "errcheck: "
	loading bool   // compile errors follow
	builds  bool   // the tool generates code; its messages say why it could not
}

func (g *goLint) line(s *read.Sink, l tool.Line) bool {
	text := l.Text
	if s.MisuseIf(l, "flag provided but not defined: ") {
		return true
	}
	if strings.HasPrefix(text, "Usage of ") && len(s.Findings) == 0 {
		s.Misuse(l, strings.TrimSuffix(text, ":")+": called without what it needs")
	}
	if s.Meaning == result.MeansUsage {
		return true // the list of options
	}
	if said, ok := g.own(text); ok {
		g.load(s, l, said)
		return true
	}
	if f, ok := goMeasure(text); ok {
		return s.Find(l, f)
	}
	d, ok := read.CutDiagnostic(strings.TrimPrefix(text, g.name))
	switch {
	case ok && strings.HasSuffix(d.At.Path, ".go"):
		f := result.Finding{Message: unverbose(d.Message), At: &d.At, Severity: result.SevWarning}
		if g.loading || g.builds || strings.HasPrefix(text, g.name) {
			f.Kind, f.Severity = result.BuildError, result.SevError
			f.Message = oneError(f.Message)
		} else if rule, rest, found := strings.Cut(d.Message, ": "); found && g.name == "gocritic: " && !strings.Contains(rule, " ") {
			f.Rule, f.Message = rule, rest
		}
		return s.Find(l, f)
	case s.Last() != nil && strings.HasPrefix(text, "\t"):
		return s.More(l)
	case strings.HasPrefix(text, g.name):
		g.summary(s, l, text[len(g.name):])
		return true
	}
	s.Break()
	return false
}

// own cuts a message about loading packages out of "-: # example.com/a",
// "error: failed to check packages: …: [-: # example.com/a", "2026/11/22 19:41:30 …".
func (g *goLint) own(text string) (said string, ok bool) {
	if said, ok = strings.CutPrefix(strings.TrimPrefix(text, g.name), "-: "); ok {
		return said, true
	}
	if said, ok = strings.CutPrefix(text, "error: "); ok {
		return said, true
	}
	if date, rest, found := strings.Cut(text, " "); found && len(date) == len("2026/11/22") && strings.Trim(date, "0123456789/") == "" {
		_, said, ok = strings.Cut(rest, " ")
	}
	return said, ok
}

func (g *goLint) load(s *read.Sink, l tool.Line, said string) {
	g.loading = true
	if pkg, ok := strings.CutPrefix(said, "# "); ok && !strings.Contains(pkg, " ") {
		return // the header with the package of the lines that follow
	}
	said, inner, _ := strings.Cut(strings.TrimSuffix(said, "]"), ": [-: ")
	if inner != "" && !strings.HasPrefix(inner, "# ") {
		said = inner
	}
	s.Find(l, result.Finding{Kind: result.GenericFinding, Message: said})
}

// oneError cuts a line with several errors after the first. The other errors begin with absolute paths.
func oneError(message string) string {
	for i := 0; ; {
		next := strings.Index(message[i:], " /")
		if next < 0 {
			return message
		}
		if i += next; read.PlaceOf(message[i+1:]) != nil {
			return message[:i]
		}
		i++
	}
}

// summary takes a line with the tool's name. After findings such a line only sums them up. A message about something
// that the tool skips is no failure.
func (g *goLint) summary(s *read.Sink, l tool.Line, said string) {
	f := result.Finding{Kind: result.GenericFinding, Message: said}
	date, rest, _ := strings.Cut(said, " ")
	if strings.Count(date, "/") == 2 {
		if _, f.Message, _ = strings.Cut(rest, " "); strings.HasPrefix(f.Message, "Found ") || strings.HasPrefix(f.Message, "Processing ") {
			return
		}
	} else if len(s.Findings) > 0 && !strings.Contains(said, ": ") || strings.HasSuffix(said, ": generate failed") {
		return
	}
	if strings.HasPrefix(f.Message, "Error parsing file ") || strings.HasPrefix(f.Message, "could not get file info ") {
		f.Severity = result.SevWarning
	}
	s.Find(l, f)
}

// goMeasure reads "9 pkg Function path.go:21:1" (gocyclo) and "path.go:38:18:2 other occurrence(s) of …" (goconst).
func goMeasure(text string) (f result.Finding, ok bool) {
	if words := strings.Fields(text); len(words) == 4 && lex.IsDigits(words[0]) {
		at := read.PlaceOf(words[3])
		return result.Finding{Message: strings.Join(words[:3], " "), At: at, Severity: result.SevWarning}, at != nil && at.Line > 0
	}
	if where, rest, found := strings.Cut(text, " other occurrence(s) of "); found {
		if i := strings.LastIndexByte(where, ':'); i > 0 {
			at := read.PlaceOf(where[:i])
			return result.Finding{Message: where[i+1:] + " other occurrence(s) of " + rest, At: at, Severity: result.SevWarning}, at != nil
		}
	}
	return f, false
}

// dropRepeated drops findings that repeat another one: compiler and package loader both report the same place.
func dropRepeated(s *read.Sink) {
	var kept []result.Finding
	for _, f := range s.Findings {
		same := func(g result.Finding) bool {
			return f.At != nil && g.At != nil && f.At.Line == g.At.Line && f.At.Column == g.At.Column && f.Message == g.Message &&
				(strings.HasSuffix(f.At.Path, strings.TrimPrefix(g.At.Path, ".")) || strings.HasSuffix(g.At.Path, strings.TrimPrefix(f.At.Path, ".")))
		}
		if !slices.ContainsFunc(kept, same) {
			kept = append(kept, f)
		}
	}
	s.Findings = kept
}

var _ = Room.Add("gofmt goimports gofumpt golines gci", func(p *tool.Parser) {
	p.Is("gofmt", result.Format, 1, "gofmt, goimports, gofumpt, golines, gci: -l, -d, and files that do not parse")
	p.ColumnUnit = "byte"
	p.Exits = map[int]result.Meaning{2: result.MeansFindings}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: gofmtLine}.Parse})
})

// gofmtLine reads the path of a file that is not formatted (-l), a diff (-d), or a syntax error.
func gofmtLine(s *read.Sink, l tool.Line) bool {
	t := l.Text
	unformatted := result.Finding{Severity: result.SevWarning, Message: "is not formatted", At: &result.Location{Path: t}}
	switch head := strings.Fields(t); {
	case len(head) >= 3 && head[0] == "diff" && strings.TrimSuffix(head[len(head)-2], ".orig") == head[len(head)-1]:
		unformatted.At.Path = head[len(head)-1]
		return s.Find(l, unformatted)
	case s.Last() != nil && s.Last().Message == unformatted.Message && s.Last().Detail+t != "" && (s.Last().Detail != "" || strings.HasPrefix(t, "--- ")):
		if hunk, ok := strings.CutPrefix(t, "@@ -"); ok && s.Last().At.Line == 0 {
			s.Last().At.Line = lex.LeadingNumber(hunk)
		}
		return s.More(l)
	case l.Stream == tool.Stdout && strings.HasSuffix(t, ".go") && !strings.ContainsAny(t, " :"):
		return s.Find(l, unformatted)
	}
	if d, ok := read.CutDiagnostic(t); ok && l.Stream == tool.Stderr {
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: d.Message, At: &d.At})
	}
	if l.Stream == tool.Stderr && lex.HasAnyPrefix(t, "stat ", "lstat ", "flag provided ") {
		return s.Misuse(l, t)
	}
	trouble := lex.HasAnyPrefix(t, "Error: ", "golines: error: ") || strings.HasPrefix(t, "[") && strings.Contains(t, "] FATAL ") // "[2026-11-22 19:41:04] FATAL error …"
	return l.Stream == tool.Stderr && trouble && s.Find(l, result.Finding{Kind: result.GenericFinding, Message: t})
}

var _ = Room.Add("revive", func(p *tool.Parser) {
	p.Is("revive", result.Lint, 1, "revive 1: default, plain, unix, friendly, stylish, json, ndjson, checkstyle, sarif; the default names no rule")
	p.ColumnUnit = "byte"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(func(f *result.Finding) {
		f.Rule = strings.TrimPrefix(f.Rule, "revive/")
		f.Message, _, _ = strings.Cut(f.Message, " (confidence ")
	})})
	p.Reads(tool.Format{Name: "stylish", Parse: read.Text{Line: staticcheckRow}.Parse})
	p.Reads(tool.Format{Name: "json", Parse: reviveFailures.Parse})
	p.Reads(tool.Format{Name: "friendly", Starts: []string{"⚠  https://revive.run/r#", "✘  https://revive.run/r#"}, Parse: read.Text{Line: reviveFriendly}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Plain: true, Default: result.SevWarning, Accept: reviveAccept, Other: reviveTrouble}.Parse})
})

const reviveRules = "https://revive.run/r#"

// reviveAccept cuts the rule out of the message: format plain appends the rule's address, unix prepends "[rule]".
func reviveAccept(d *read.Diagnostic) bool {
	if message, rule, ok := strings.Cut(d.Message, " "+reviveRules); ok {
		d.Message, d.Rule = message, rule
	} else if rule, message, ok := strings.Cut(d.Message, "] "); ok && strings.HasPrefix(rule, "[") {
		d.Message, d.Rule = message, rule[1:]
	}
	return strings.HasSuffix(d.At.Path, ".go")
}

func reviveTrouble(s *read.Sink, l tool.Line) bool {
	return l.Stream == tool.Stderr && len(s.Findings) == 0 && s.MisuseIf(l, "cannot ", "flag provided ", "initializing revive - ", "linting - ", "formatting - ")
}

// reviveFriendly reads "  ⚠  https://revive.run/r#exported  text", and the place on the line below.
func reviveFriendly(s *read.Sink, l tool.Line) bool {
	t := strings.TrimLeft(l.Text, " ")
	if _, rest, ok := strings.Cut(t, reviveRules); ok && (strings.HasPrefix(t, "⚠") || strings.HasPrefix(t, "✘")) {
		rule, message, _ := strings.Cut(rest, " ")
		f := result.Finding{Severity: result.SevWarning, Rule: rule, RuleURL: reviveRules + rule, Message: strings.TrimLeft(message, " ")}
		if strings.HasPrefix(t, "✘") {
			f.Severity = result.SevError
		}
		return s.Find(l, f)
	}
	if last := s.Last(); last != nil && last.At == nil {
		if at, rest, ok := place.Cut(t); ok && rest == "" {
			last.At = &at
			return true
		}
	}
	count, rule, _ := strings.Cut(t, "  ") // a row of the closing table
	return t == "" || lex.HasAnyPrefix(t, "⚠ ", "✘ ", "Warnings:", "Errors:") || lex.IsDigits(count) && !strings.Contains(rule, " ")
}

// reviveFailures: a failure without a rule is a file that does not parse.
var reviveFailures = read.Objects{At: []string{"/*", ""}, Path: "Position.Start.Filename", Line: "Position.Start.Line", Column: "Position.Start.Column",
	EndLine: "Position.End.Line", EndColumn: "Position.End.Column", Rule: "RuleName", Severity: "Severity", Message: "Failure",
	Accept: func(f *result.Finding) bool { return f.Message != "" && f.At.Path != "" },
	Fit: func(f *result.Finding) {
		if f.Rule != "" {
			f.RuleURL = reviveRules + f.Rule
		}
	}}
