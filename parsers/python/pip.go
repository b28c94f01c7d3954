package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// pip prints "ERROR:" for a warning, too: its resolver does so at the end of a successful install.
var _ = Room.Add(tool.AnyProgram, func(p *tool.Parser) {
	p.Is("pip", result.Package, 1, "pip 20 to 26: install, download, wheel, check")
	p.Matches = func(argv []string) bool { return strings.Trim(argv[0], "0123456789.") == "pip" }
	p.Programs = []string{"pip", "pip3"}
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{
		Name: "text", Starts: []string{"ERROR: No matching distribution found for ", "ERROR: Could not open requirements file: ", "ERROR: Cannot install ", "ERROR: ResolutionImpossible: ", "ERROR: Invalid requirement: ", "error: subprocess-exited-with-error", "error: externally-managed-environment"},
		Parse: parsePip,
	})
	p.Reads(tool.Format{Name: "messages", Parse: parsePip})
})

func parsePip(in *tool.Input) *tool.Report {
	p := &pipRun{}
	return read.Text{Line: p.line, End: p.end}.Parse(in)
}

type pipRun struct {
	trace  read.Traceback
	build  bool // a build step failed: its output follows
	failed int  // index of the step's finding

	conflict bool     // the requirements that conflict follow
	causes   []string // these requirements, at most maxCauses
}

// maxCauses bounds the requirements of a conflict that a message names.
const maxCauses = 4

// end adds the conflicting requirements to the finding; pip prints them on the other stream.
func (p *pipRun) end(s *read.Sink) {
	for i := range s.Findings {
		f := &s.Findings[i]
		if strings.Contains(f.Message, "have conflicting dependencies") && len(p.causes) > 0 {
			f.Message = strings.TrimSuffix(f.Message, ".") + ": " + strings.Join(p.causes, "; ")
		}
	}
}

// line reads the errors. For a failed build these are the step and the exception in its output:
//
//	error: subprocess-exited-with-error
//
//	× Getting requirements to build wheel did not run successfully.
//	╰─> [21 lines of output]
//	    RuntimeError: setup broke
func (p *pipRun) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if rest, ok := strings.CutPrefix(text, "× "); ok {
		p.step(s, l, rest)
		return true
	}
	if p.build {
		return p.output(s, l, text)
	}
	if f := s.Last(); f != nil && f.Message == "Exception:" && p.trace.Line(l.Text) { // pip itself broke
		if p.trace.Whole() {
			span := f.RawSpan
			*f = p.trace.Crash(s.Files())
			f.RawSpan, s.Meaning = span, result.MeansInternal
		}
		return s.More(l)
	}
	why, ok := strings.CutPrefix(l.Text, "ERROR: ")
	switch {
	case ok && strings.HasPrefix(why, "Could not find a version that satisfies the requirement "):
		return true // the next line is a shorter form of this error
	case ok && !strings.HasPrefix(why, "To modify pip, please run"):
		f := result.Finding{Message: why}
		if name, has := strings.CutPrefix(why, "No matching distribution found for "); has {
			f.Package = &result.PackageRef{Ecosystem: "pypi", Name: name[:len(name)-len(strings.TrimLeft(name, pipName))]}
		}
		return s.Find(l, f)
	case strings.HasPrefix(text, "ERROR: Failed building ") && len(s.Findings) == 0: // a search picked only some lines of the step
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: text[len("ERROR: "):]})
	case strings.HasPrefix(text, "error: "):
		return s.Sign(l)
	case l.Text == "The conflict is caused by:":
		p.conflict = true
		return s.Sign(l)
	case p.conflict && strings.HasPrefix(l.Text, "    "):
		if p.causes = append(p.causes, text); len(p.causes) > maxCauses {
			p.causes = p.causes[:maxCauses]
		}
		return s.Sign(l)
	case isPipConflict(l.Text):
		return s.Find(l, result.Finding{Message: l.Text, Package: &result.PackageRef{Ecosystem: "pypi", Name: strings.Fields(l.Text)[0]}})
	case strings.HasPrefix(l.Text, "Successfully installed ") || l.Text == "No broken requirements found.":
		return s.Sign(l)
	case s.Last() != nil && (strings.HasPrefix(l.Text, "    ") || strings.HasPrefix(l.Text, "Hint: ")):
		f := s.Last()
		if _, at, ok := strings.Cut(l.Text, "(from line "); ok && f.At == nil {
			f.At = requirementAt(at)
		}
		if name, _, _ := strings.Cut(text, " "); !strings.HasPrefix(l.Text, "     ") && strings.Contains(strings.ToLower(f.Message), "hashes ") { // lists one requirement per line
			head, _, _ := strings.Cut(f.Message, ". ")
			f.Message = head + "; " + name
		}
		return s.More(l)
	}
	p.conflict = p.conflict && text == ""
	s.Break()
	return strings.HasPrefix(l.Text, "[notice] ") || strings.HasPrefix(l.Text, "Requirement already satisfied: ")
}

// requirementAt reads "3 of req.txt)", the place of a requirement; nil if there is no line number.
func requirementAt(text string) *result.Location {
	line, path, ok := strings.Cut(strings.TrimSuffix(text, ")"), " of ")
	if !ok || !lex.IsDigits(line) {
		return nil
	}
	return &result.Location{Path: strings.TrimPrefix(path, "-r "), Line: lex.Atoi(line)}
}

// pipName lists the characters that a package's name may have.
const pipName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

// isPipConflict matches "flask 2.0.0 has requirement werkzeug>=2.0, but you have werkzeug 1.0.1."
func isPipConflict(text string) bool {
	words := strings.Fields(text)
	if len(words) < 5 {
		return false
	}
	rest := strings.Join(words[2:4], " ")
	return (rest == "has requirement" || rest == "requires") && strings.Contains(text, " but you have ") || rest == "requires "+words[3] && strings.HasSuffix(text, ", which is not installed.")
}

// step adds a finding for a failed step. pip reports the step twice, the second time without output.
func (p *pipRun) step(s *read.Sink, l tool.Line, what string) {
	what = strings.TrimSuffix(what, ".")
	if n := len(s.Findings); n > 0 && strings.HasPrefix(s.Findings[n-1].Message, what) {
		s.Sign(l)
		return
	}
	s.Find(l, result.Finding{Kind: result.BuildError, Message: what})
	p.trace, p.build, p.failed = read.Traceback{}, true, len(s.Findings)-1
}

// output takes a line that the step printed. A compiler's error becomes a finding of its own.
func (p *pipRun) output(s *read.Sink, l tool.Line, text string) bool {
	if text == "[end of output]" || p.failed >= len(s.Findings) {
		p.build = false
		return s.Break()
	}
	if f, ok := compilerError(text); ok {
		return s.Find(l, f)
	}
	f := &s.Findings[p.failed]
	first, _, _ := strings.Cut(f.Message, ": ")
	if p.trace.Line(strings.TrimPrefix(l.Text, "      ")) && p.trace.Whole() {
		f.Rule, f.Message, f.At = p.trace.Class(), first+": "+lex.Clip(p.trace.Last), p.trace.Own(s.Files())
	} else if f.Rule == "" && p.failed == len(s.Findings)-1 && (strings.HasPrefix(text, "error: ") || strings.HasPrefix(text, "configuration error: ")) {
		f.Message = first + ": " + lex.Clip(text) // of several errors, the last is why the step ended
	}
	return s.More(l)
}

// compilerError reads a compiler's error, "src/a.c:3:5: error: text", in the build of a package.
func compilerError(text string) (f result.Finding, ok bool) {
	d, ok := read.CutDiagnostic(text)
	f = result.Finding{Kind: result.BuildError, RawSeverity: d.Word, At: &d.At}
	f.Message, f.Rule = read.Brackets.Cut(d.Message)
	return f, ok && (d.Word == "error" || d.Word == "fatal error")
}

var _ = Room.Add("pip-audit", func(p *tool.Parser) {
	p.Is("pip-audit", result.Security, 1, "pip-audit 2: columns, markdown and json")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(auditedPackage, "/dependencies/*")}.Parse})
	p.Reads(tool.Format{Name: "columns", Parse: read.Text{Line: pipAuditLine}.Parse})
	p.Reads(read.PythonTrouble("pip-audit"))
})

// auditedPackage reads a package of the JSON: its vulnerabilities, or why it was skipped.
func auditedPackage(s *read.Sink, v *struct {
	Name, Version string
	Skipped       string `json:"skip_reason"`
	Vulns         []struct {
		ID    string
		Fixed []string `json:"fix_versions"`
	}
}) {
	if s.Signed = true; v.Skipped != "" {
		s.FindHere(result.Finding{Severity: result.SevWarning, Message: v.Skipped, Package: &result.PackageRef{Ecosystem: "pypi", Name: v.Name}})
	}
	for _, vuln := range v.Vulns {
		s.FindHere(vulnerable(v.Name, v.Version, vuln.ID, strings.Join(vuln.Fixed, ",")))
	}
}

func vulnerable(name, version, id, fixed string) result.Finding {
	message := name + " " + version + " is vulnerable"
	if fixed != "" {
		message += "; fixed in " + fixed
	}
	return result.Finding{Severity: result.SevError, Rule: id, Message: message, Package: &result.PackageRef{Ecosystem: "pypi", Name: name, Version: version, FixedVersion: fixed}}
}

// pipAuditLine reads a row of "Name Version ID Fix Versions", and errors.
func pipAuditLine(s *read.Sink, l tool.Line) bool {
	if why, ok := strings.CutPrefix(l.Text, "ERROR:pip_audit"); ok {
		_, why, _ = strings.Cut(why, ":")
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: why})
	}
	l.Text = strings.ReplaceAll(l.Text, " | ", "  ") // the table of -f markdown
	words := strings.Fields(l.Text)
	if strings.HasPrefix(l.Text, "No known vulnerabilities found") || strings.HasPrefix(l.Text, "Found ") && strings.Contains(l.Text, " known vulnerabilit") || strings.HasPrefix(l.Text, "Name ") {
		return s.Sign(l)
	}
	if len(words) > 2 && strings.Contains(l.Text, " could not be audited: ") {
		why := strings.TrimSpace(strings.TrimPrefix(l.Text, words[0]))
		return s.Find(l, result.Finding{Severity: result.SevWarning, Message: why, Package: &result.PackageRef{Ecosystem: "pypi", Name: words[0]}})
	}
	if len(words) < 3 || !isAdvisory(words[2]) {
		return false
	}
	fixed := ""
	if len(words) > 3 {
		fixed = words[3]
	}
	return s.Find(l, vulnerable(words[0], words[1], words[2], fixed))
}

// isAdvisory reports whether id is of an advisory: "PYSEC-2021-98", "GHSA-xxxx-…", "CVE-2020-1".
func isAdvisory(id string) bool { return lex.HasAnyPrefix(id, "PYSEC-", "GHSA-", "CVE-", "OSV-") }
