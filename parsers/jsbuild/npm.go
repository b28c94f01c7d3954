package jsbuild

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("npm", func(p *tool.Parser) {
	p.Is("npm", result.Package, 1, "npm 6 to 12: what it says when it fails itself, and npm audit")
	p.Matches = isNPM
	p.Reads(tool.Format{Name: "audit-json", Starts: []string{`"auditReportVersion": `}, Parse: read.JSON{Items: read.Items(npmVulnerabilities, "/vulnerabilities")}.Parse})
	p.Reads(tool.Format{Name: "audit", Starts: []string{"# npm audit report"}, Parse: npmAudit})
	p.Reads(tool.Format{Name: "errors", Starts: []string{"Package …Current "}, Sniff: isOutdated, Parse: read.Text{Line: outdatedLine}.Parse})
	p.Reads(tool.Format{Name: "errors", Starts: []string{"npm error ", "npm ERR! ", "Unknown command: \""}, Parse: read.Fresh(func(n *npm) read.Text { return read.Text{Line: n.line, End: n.flush} })})
})

// isNPM reports whether npm does something itself, rather than run a script.
func isNPM(argv []string) bool {
	return argv[0] == "npm" && !tool.RunsSub("npm", "run", "run-script", "test", "t", "start", "stop", "restart", "exec", "x")(argv)
}

// npm reads the lines behind "npm error": the code, then the message, whose lines may begin with its kind ("404",
// "notarget"), in paragraphs.
type npm struct {
	code    string
	said    []string
	first   tool.Line
	last    int64
	command string // the command that a script ran
	script  string
	where   string // the folder of the package
	member  string // name of the package, if it is a workspace's
	refused string // why the last request failed: npm prints that as a warning
}

func (n *npm) line(s *read.Sink, l tool.Line) bool {
	text, ok := lex.CutAnyPrefix(l.Text, "npm error", "npm ERR!")
	switch {
	case strings.HasPrefix(l.Text, "Unknown command: \""):
		return s.Refuse(l, result.Finding{Message: l.Text})
	case !ok:
		if l.Text == "" && len(n.said) > 0 || n.command != "" {
			n.flush(s)
		}
		if request, reason, failed := strings.Cut(l.Text, " failed, reason: "); failed && lex.HasAnyPrefix(request, "npm warn ", "npm WARN ") {
			n.refused = strings.Clone(reason)
		}
		return false
	}
	if n.first.End == 0 {
		n.first = l
	}
	text = strings.TrimPrefix(text, " ")
	if strings.HasPrefix(text, "Lifecycle script `") {
		n.flush(s)
		n.first = l
	}
	n.last = l.End
	key, rest, _ := strings.Cut(text, " ")
	switch {
	case strings.HasSuffix(text, " from lock file") && strings.HasPrefix(text, "Missing: "), strings.HasPrefix(text, "Invalid: lock file's "):
		n.flush(s)
		s.Find(l, result.Finding{Rule: "EUSAGE", Message: text})
		s.Break()
	case strings.HasPrefix(text, "Lifecycle script `"):
		n.script, _, _ = strings.Cut(text[len("Lifecycle script `"):], "`")
	case key == "code" && (n.code == "" || n.command == "" && len(n.said) > 0): // a second one is another command's
		if n.code != "" {
			n.flush(s)
			n.first, n.last = l, l.End
		}
		n.code = rest
	case strings.HasPrefix(text, "A complete log of this run"), strings.HasPrefix(text, "    /"), text == "Test failed.  See above for more details.":
	case key == "location" || key == "path":
		n.where = rest
	case strings.HasPrefix(text, "command sh -c "):
		n.command = text[len("command sh -c "):]
	case key == "workspace":
		n.member, _, _ = lex.CutLast(rest, "@")
	case key == "command" || key == "errno" || key == "syscall":
	case len(n.said) < 30:
		n.said = append(n.said, strings.Clone(text))
	}
	return true
}

func (n *npm) flush(s *read.Sink) {
	f := result.Finding{Kind: result.Diagnostic, Rule: n.code}
	switch {
	case n.command != "":
		f.Kind, f.Rule, f.ID = result.BuildError, "", n.script
		f.Message = strings.TrimPrefix(n.member+": command failed: ", ": ") + n.command + n.threw(&f)
	case n.message() != "":
		f.Message = n.message()
	case n.code != "":
		f.Message = "npm failed"
	default:
		return
	}
	if n.command != "" && n.where != "" && f.At == nil {
		f.At = &result.Location{Path: n.where + "/package.json"}
	}
	if n.code == "EUSAGE" || strings.HasPrefix(f.Message, "Missing script") || n.code == "EJSONPARSE" {
		s.Meaning = result.MeansUsage
	}
	s.Find(tool.Line{Start: n.first.Start, End: n.last}, f)
	s.Break()
	*n = npm{}
}

// threw returns ": " and the message of the exception that ended a command, if node's report is in npm's own lines;
// else "". It sets the code and the place in f.
func (n *npm) threw(f *result.Finding) (why string) {
	i := slices.IndexFunc(n.said, func(t string) bool { _, message := jserror.CutClass(t); return message != t })
	if i < 0 {
		return ""
	}
	thrown := result.Finding{}
	jserror.Explain(&thrown, n.said[i:])
	for _, text := range n.said[i:] {
		if code, ok := strings.CutPrefix(strings.TrimSpace(text), "code: '"); ok {
			f.Rule, _, _ = strings.Cut(code, "'")
		}
	}
	f.At, f.Frames = thrown.At, thrown.Frames
	return ": " + thrown.Message
}

// message returns the text of the error, without the kind that begins every line, and without advice.
func (n *npm) message() string {
	var parts []string
	total := 0
	for _, text := range n.said {
		if key, rest, _ := strings.Cut(text, " "); lex.IsDigits(key) || lex.IsOneOf(key, "notarget ERESOLVE engine notsup JSON.parse network enoent") {
			text = rest
		}
		text = strings.TrimSpace(text)
		if lex.HasAnyPrefix(text, "To see a list", "Fix the upstream", "Clean install", "Note that you can also") {
			break
		}
		if text == "" || slices.Contains(parts, text) || lex.IsDigits(text) || total > 300 {
			continue
		}
		parts = append(parts, text)
		total += len(text)
	}
	message := strings.Join(parts, " ")
	if message != "" && n.refused != "" && !strings.Contains(message, n.refused) {
		message += ": " + n.refused
	}
	return message
}

// npmAudit reads the report: for each package a block that begins with its name and range, then its advisories; at
// the end, the counts.
func npmAudit(in *tool.Input) *tool.Report {
	a := &audit{}
	return read.Text{Line: a.line, Closes: true}.Parse(in)
}

type audit struct {
	name, span, severity string
	seen                 bool
}

func (a *audit) line(s *read.Sink, l tool.Line) bool {
	name, span, two := strings.Cut(l.Text, "  ")
	switch {
	case l.Text == "# npm audit report":
		a.seen = true
		s.Sign(l)
	case !a.seen:
		return false
	case strings.Contains(l.Text, " - https://github.com/advisories/"):
		title, url, _ := strings.Cut(strings.TrimSpace(l.Text), " - ")
		s.Find(l, a.finding(title, url))
	case two && name != "" && l.Text[0] != ' ' && !strings.Contains(name, " "):
		a.name, a.span, a.severity = name, strings.TrimSpace(span), ""
	case strings.HasPrefix(l.Text, "Severity: "):
		a.severity = l.Text[len("Severity: "):]
	case strings.Contains(l.Text, " vulnerabilit") && lex.LeadingNumber(l.Text) > 0:
		s.Count("vulnerabilities", lex.LeadingNumber(l.Text))
		s.Close(l)
	case strings.HasPrefix(l.Text, "fix available"), strings.HasPrefix(l.Text, "No fix available"):
		s.More(l)
	}
	return true
}

func (a *audit) finding(title, url string) result.Finding {
	return advisory(a.name, a.span, a.severity, title, url)
}

func advisory(name, span, severity, title, url string) result.Finding {
	return result.Finding{
		Kind: result.Vulnerability, Severity: auditLevel(severity), RawSeverity: severity, ID: name, Rule: url[strings.LastIndexByte(url, '/')+1:], RuleURL: url, Message: title,
		Package: &result.PackageRef{Ecosystem: "npm", Name: name, Range: span},
	}
}

func auditLevel(word string) result.Severity {
	if word == "low" || word == "info" {
		return result.SevWarning
	}
	return result.SevError
}

// npmVulnerabilities reads the packages of npm audit --json, by name. An object in "via" is an advisory of the
// package's own; a name there is a package with its own entry.
func npmVulnerabilities(s *read.Sink, all *map[string]struct {
	Name, Severity, Range string
	Via                   []npmVia
}) {
	var found []result.Finding
	for _, v := range *all {
		for _, via := range v.Via {
			if via.URL != "" {
				found = append(found, advisory(v.Name, v.Range, via.Severity, via.Title, via.URL))
			}
		}
	}
	findSorted(s, found)
	s.Counts["vulnerabilities"] = len(*all)
}

// isOutdated reports whether a line is the head of the table of npm outdated.
func isOutdated(line string) bool {
	return slices.Equal(strings.Fields(line)[:min(5, len(strings.Fields(line)))], []string{"Package", "Current", "Wanted", "Latest", "Location"})
}

// outdatedLine reads a row: "left-pad  MISSING  1.3.0  1.3.0  -  store". Exit code 1 only means that there are rows.
func outdatedLine(s *read.Sink, l tool.Line) bool {
	cells := strings.Fields(l.Text)
	switch {
	case isOutdated(l.Text):
		s.Path = "package.json"
		return s.Sign(l)
	case s.Path != "" && len(cells) >= 5 && !strings.HasSuffix(cells[0], ":"):
		return s.Find(l, result.Finding{
			Severity: result.SevWarning, Message: cells[0], At: &result.Location{Path: s.Path},
			Expected: cells[3], Actual: cells[1], Package: &result.PackageRef{Ecosystem: "npm", Name: cells[0], Version: cells[1], FixedVersion: cells[3]},
		})
	}
	return false
}

// npmVia is why a package is vulnerable: an advisory, or the name of another package.
type npmVia struct{ Title, URL, Severity string }

// UnmarshalJSON reads an advisory. A name leaves v empty.
func (v *npmVia) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return nil
	}
	type plain npmVia
	return json.Unmarshal(data, (*plain)(v))
}

// findSorted adds findings from an unordered JSON object in a fixed order, so that the limit of findings always keeps
// the same ones.
func findSorted(s *read.Sink, all []result.Finding) {
	slices.SortStableFunc(all, func(a, b result.Finding) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
	for _, f := range all {
		s.FindHere(f)
	}
}
