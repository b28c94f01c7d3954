package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("apt apt-get | apt-cache", func(p *tool.Parser) {
	p.Is("apt", result.Package, 1, "apt, apt-get and apt-cache 1.x to 2.x: errors and warnings")
	p.Reads(tool.Format{Name: "text", Starts: []string{"E: Unable to locate package ", "E: Package '", "E: Version '", "E: Failed to fetch ", "E: Could not get lock ", "E: Sub-process "}, Parse: aptText.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(aptText.Parse)})
})

var aptText = read.Said{Errors: []string{"E: "}, Warnings: []string{"W: "}, Fill: fillApt}

// fillApt names the package that an error is about.
func fillApt(f *result.Finding) {
	if rest, ok := lex.CutAnyPrefix(f.Message, "Unable to locate package ", "Package '"); ok {
		f.ID, _, _ = strings.Cut(rest, "'")
	}
}

var _ = Room.Add("dpkg | dpkg-deb dpkg-query", func(p *tool.Parser) {
	p.Is("dpkg", result.Package, 1, "dpkg, dpkg-deb and dpkg-query 1.19 to 1.22: errors")
	p.Reads(tool.Format{Name: "text", Starts: []string{"dpkg: error ", "dpkg: error: ", "dpkg-deb: error: "}, Parse: dpkgText.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(dpkgText.Parse)})
})

var dpkgText = read.Said{
	Errors: []string{"dpkg-deb: error: ", "dpkg-query: error: "}, Warnings: []string{"dpkg: warning: ", "dpkg-query: warning: "}, Whole: []string{"dpkg: error", "dpkg-query: "},
	Usage: []string{"dpkg: error: unknown option ", "dpkg: error: need an action option"}, Fill: fillDpkg,
}

// fillDpkg names the package in "error processing package x (--configure):", whose reason stands below it, and in
// "package 'x' is not installed".
func fillDpkg(f *result.Finding) {
	f.Message, _ = lex.CutAnyPrefix(f.Message, "dpkg: error: ", "dpkg: ", "dpkg-query: ")
	f.Message = strings.TrimSuffix(f.Message, ":")
	if rest, ok := lex.CutAnyPrefix(f.Message, "error processing package ", "error processing archive ", "package '"); ok {
		f.ID = rest[:strings.IndexAny(rest+" ", " '")]
	}
}

var _ = Room.Add("lintian", func(p *tool.Parser) {
	p.Is("lintian", result.Lint, 1, "lintian 2.x: tags by package, with --info folded")
	p.RuleURL = tool.RulesAt("https://lintian.debian.org/tags/")
	p.Exits = map[int]result.Meaning{25: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{
		Usage: []string{"Unknown option: "}, Notes: []string{"error parsing options"}, Other: lintianLine,
	}.Parse)})
})

// lintianLine reads "E: hello source: tag more [debian/control:3]". A path inside a built package is no file in the
// repository, and stays in the message.
func lintianLine(s *read.Sink, l tool.Line) bool {
	letter, rest, ok := strings.Cut(l.Text, ": ")
	name, text, told := strings.Cut(rest, ": ")
	if !ok || !told || letterSeverity(letter) == "" || strings.Count(name, " ") > 1 {
		if strings.HasSuffix(l.Text, " is not a readable file") {
			return s.Misuse(l, l.Text)
		}
		return strings.HasPrefix(l.Text, "N:")
	}
	rule, _, _ := strings.Cut(text, " ")
	f := result.Finding{Severity: letterSeverity(letter), RawSeverity: letter, Rule: rule, ID: name, Message: text}
	if i := strings.LastIndex(text, " [debian/"); i > 0 && strings.HasSuffix(text, "]") {
		where := text[i+2 : len(text)-1]
		f.At, f.Message = &result.Location{Path: where}, text[:i]
		if path, line, placed := place.CutLineNumber(where); placed {
			f.At = &result.Location{Path: path, Line: line}
		}
	}
	return s.Find(l, f)
}

// letterSeverity returns the severity of a letter that linters of packages print, E, W, I, P or X; "" for another.
func letterSeverity(letter string) result.Severity {
	return result.Severity(lex.Means(letter, "error: E; warning: W; info: I, P, X"))
}

var _ = Room.Add("appstreamcli", func(p *tool.Parser) {
	p.Is("appstreamcli", result.Lint, 1, "appstreamcli validate 0.12 to 1.0: text, yaml")
	p.Reads(tool.Format{Name: "yaml", Starts: []string{"- tag: "}, Parse: appstreamYAML.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: appstreamLine}.Parse)})
})

// appstreamYAML reads --format yaml: one key on each line, and explanations that go on in indented lines.
var appstreamYAML = read.Rows{Closes: true, Rows: []read.Row{
	{Form: "File: {path}", As: read.InPath},
	{Form: "- tag: {rule}", Fit: func(f *result.Finding) { f.Message = f.Rule }},
	{Form: "  severity: pedantic", As: read.Fill, Fit: func(f *result.Finding) { f.Severity = result.SevInfo }},
	{Form: "  severity: {severity}", As: read.Fill}, {Form: "  component: {id}", As: read.Fill}, {Form: "  line: {line}", As: read.Fill}, {Form: "  hint: {message}", As: read.Fill},
	{Form: "Passed: {}", As: read.Close},
}, Below: func(s *read.Sink, l tool.Line) bool { return s.Last() != nil && (l.Text == "" || l.Text[0] == ' ') }}

// appstreamLine reads "E: org.x.App:5: tag text", with "~" instead of a line that is not known, and the counts. The
// file is taken from the command line.
func appstreamLine(s *read.Sink, l tool.Line) bool {
	letter, rest, ok := strings.Cut(l.Text, ": ")
	where, text, told := strings.Cut(rest, ": ")
	id, line, placed := lex.CutLast(where, ":")
	switch {
	case strings.HasPrefix(l.Text, "File '") && strings.HasSuffix(l.Text, "' does not exist."):
		return s.Misuse(l, l.Text)
	case strings.Contains(l.Text, "Validation failed: ") || strings.HasPrefix(l.Text, "✔ Validation was successful"):
		if n := read.CountsBehind(l.Text); n["error"] > 0 {
			s.Claim(n["error"])
		}
		return s.Close(l)
	case ok && told && placed && letterSeverity(letter) != "" && (line == "~" || lex.IsDigits(line)):
		rule, message, _ := strings.Cut(text, " ")
		f := result.Finding{Severity: letterSeverity(letter), RawSeverity: letter, Rule: rule, ID: id, Message: message}
		if message == "" {
			f.Message = rule
		}
		if file := read.OnlyFile(s.In, ".xml"); file != "" {
			f.At = &result.Location{Path: file, Line: lex.LeadingNumber(line)}
		}
		return s.Find(l, f)
	case s.Last() != nil && strings.HasPrefix(l.Text, "   "):
		return s.More(l)
	}
	return false
}

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
		lex.Put(&d.printed, d.name, append(d.printed[d.name], l.Text))
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
