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
	Errors:   []string{"dpkg-deb: error: ", "dpkg-query: error: "},
	Warnings: []string{"dpkg: warning: ", "dpkg-query: warning: "}, Other: dpkgLine,
}

// notInstalled returns the package in "package 'x' is not installed", or "".
func notInstalled(message string) string {
	name, _ := strings.CutPrefix(message, "package '")
	name, _, installed := strings.Cut(name, "' is not installed")
	if !installed {
		return ""
	}
	return name
}

// dpkgLine reads "dpkg: error: text", and "dpkg: error processing package x
// (--configure):", whose reason stands below it.
func dpkgLine(s *read.Sink, l tool.Line) bool {
	if message, ok := strings.CutPrefix(l.Text, "dpkg: error: "); ok {
		if strings.HasPrefix(message, "unknown option ") || strings.HasPrefix(message, "need an action option") {
			s.Meaning = result.MeansUsage
		}
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
	}
	if message, ok := strings.CutPrefix(l.Text, "dpkg-query: "); ok {
		return s.Find(l, result.Finding{Kind: result.GenericFinding, ID: notInstalled(message), Message: message})
	}
	rest, ok := strings.CutPrefix(l.Text, "dpkg: error processing ")
	if !ok {
		return false
	}
	f := result.Finding{Kind: result.GenericFinding, Message: "error processing " + strings.TrimSuffix(rest, ":")}
	if what, name, has := strings.Cut(rest, " "); has && (what == "package" || what == "archive") {
		f.ID, _, _ = strings.Cut(name, " ")
	}
	return s.Find(l, f)
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
