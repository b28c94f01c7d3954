package rust

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("cargo-audit | cargo", func(p *tool.Parser) {
	p.Is("cargo-audit", result.Security, 1, "cargo-audit 0.17 to 0.22: text, --json and SARIF")
	p.Family = "cargo"
	p.Matches = runs("cargo-audit", "audit")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(auditItem, "/vulnerabilities/list/*",
		"/warnings/unmaintained/*", "/warnings/unsound/*", "/warnings/notice/*", "/warnings/yanked/*")}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "text", Starts: []string{"    Scanning Cargo.lock for vulnerabilities ("}, Named: true, Parse: read.Fresh(func(a *audit) read.Text { return read.Text{Line: a.line, End: a.end} })})
})

// auditItem reads a crate and an advisory about it.
func auditItem(s *read.Sink, v *struct {
	Kind     string
	Advisory struct{ ID, Title string }
	Versions struct{ Patched []string }
	Package  struct{ Name, Version string }
}) {
	s.FindHere(audited(v.Package.Name, v.Package.Version, v.Kind, v.Advisory.ID, v.Advisory.Title, strings.Join(v.Versions.Patched, " OR ")))
}

// audited is the finding for an advisory. kind is not empty if cargo-audit only warns about it.
func audited(crate, version, kind, id, title, fixed string) result.Finding {
	f := result.Finding{Kind: result.Vulnerability, Rule: id, Message: crate + " " + version + ": " + title,
		Package: &result.PackageRef{Ecosystem: "crates.io", Name: crate, Version: version, FixedVersion: fixed}}
	if kind != "" {
		f.Severity, f.RawSeverity = result.SevWarning, kind
	}
	if id == "" { // a yanked version has no advisory
		f.Rule, f.Message = kind, crate+" "+version+" is "+kind
	} else {
		f.RuleURL = "https://rustsec.org/advisories/" + id
	}
	if fixed != "" {
		f.Message += "; fixed in " + fixed
	}
	return f
}

// audit is the block of an advisory that is being read:
//
//	Crate:     smallvec
//	Version:   1.11.0
//	Warning:   unsound
//	Title:     Buffer overflow in insert_many
//	ID:        RUSTSEC-2021-0003
//	Solution:  Upgrade to >=1.6.1
//	Dependency tree:
//	…
type audit struct {
	block  map[string]string
	denied int
}

func (a *audit) line(s *read.Sink, l tool.Line) bool {
	key, value, keyed := strings.Cut(l.Text, ":")
	value = strings.TrimSpace(value)
	message, failed := strings.CutPrefix(l.Text, "error: ")
	switch {
	case key == "Crate" && keyed:
		a.block = map[string]string{}
		s.Find(l, result.Finding{Kind: result.Vulnerability, Message: value})
		fallthrough
	case keyed && a.block != nil && lex.IsOneOf(key, "Version Warning Title Date ID URL Severity Solution"):
		a.block[key] = value
		s.More(l)
		a.fill(s.Last())
	case failed:
		a.block = nil
		a.failure(s, l, message)
	case strings.HasPrefix(l.Text, "warning: ") && strings.Contains(l.Text, " allowed warning"), isAuditStep(l.Text):
		s.Sign(l)
	case s.Open() && l.Text != "":
		s.More(l)
		if a.block == nil {
			because(s.Last(), l.Text)
		}
	default:
		s.Break()
		return false
	}
	return true
}

func isAuditStep(line string) bool {
	word, _, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
	return strings.HasPrefix(line, "    ") && lex.IsOneOf(word, "Loaded Scanning Fetching Updating")
}

// fill completes the finding from the fields of the block.
func (a *audit) fill(f *result.Finding) {
	if f == nil {
		return
	}
	span, detail := f.RawSpan, f.Detail
	fixed, _ := strings.CutPrefix(a.block["Solution"], "Upgrade to ")
	if strings.HasPrefix(fixed, "No ") {
		fixed = ""
	}
	*f = audited(a.block["Crate"], a.block["Version"], a.block["Warning"], a.block["ID"], a.block["Title"], fixed)
	if f.RawSpan, f.Detail = span, detail; f.Severity == "" {
		f.Severity = result.SevError
	}
}

// failure reads how many crates are affected, or why there was no audit. It does not count as a failure
// if a crate could not be looked up among the yanked ones.
func (a *audit) failure(s *read.Sink, l tool.Line, message string) {
	n, what, _ := strings.Cut(message, " ")
	f := result.Finding{Kind: result.GenericFinding, Message: message}
	switch {
	case lex.IsDigits(n) && len(n) < 8 && strings.HasPrefix(what, "vulnerabilit"):
		s.Claim(lex.Atoi(n))
		s.Close(l)
		return
	case lex.IsDigits(n) && len(n) < 8 && strings.HasPrefix(what, "denied warning"):
		a.denied = lex.Atoi(n)
		s.Close(l)
		return
	case strings.HasPrefix(message, "couldn't check if the package is yanked"):
		f.Severity = result.SevWarning
	case strings.HasPrefix(message, "unexpected argument "), strings.HasPrefix(message, "invalid value "):
		s.Meaning = result.MeansUsage
	}
	s.Find(l, f)
}

// because adds the last cause of a failure to f, or the place of an error in a lock file.
func because(f *result.Finding, line string) {
	line = strings.TrimPrefix(strings.TrimSpace(line), "-> ")
	head, _, _ := strings.Cut(f.Message, "; ")
	if strings.Contains(line, "TOML parse error at line ") {
		_, path, _ := strings.Cut(head, "Couldn't load ")
		placeConfig(f, path, line)
		return
	}
	if f.Kind == result.GenericFinding && line != "Caused by:" && !strings.ContainsAny(line, "|") && !strings.HasPrefix(line, "tip: ") &&
		!strings.HasPrefix(line, "Usage: ") && !strings.HasPrefix(line, "For more ") && !strings.Contains(head, line) {
		f.Message = head + "; " + line
	}
}

// end makes each warning a failure if all warnings were denied.
func (a *audit) end(s *read.Sink) {
	var warnings []*result.Finding
	for i := range s.Findings {
		if f := &s.Findings[i]; f.Kind == result.Vulnerability && f.Severity == result.SevWarning {
			warnings = append(warnings, f)
		}
	}
	if a.denied == len(warnings) {
		for _, f := range warnings {
			f.Severity = result.SevError
		}
	}
}
