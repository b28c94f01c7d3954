package rust

import (
	"path"
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
		s.Found(l, lex.Atoi(n))
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

var _ = Room.Add("cargo-deny | cargo", func(p *tool.Parser) {
	p.Is("cargo-deny", result.Security, 2, "cargo-deny 0.14 to 0.19: text and --format json")
	p.Family = "cargo"
	p.Matches = runs("cargo-deny", "deny")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(denyItem, "")}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: denyLine}.Parse})
})

// denyItem reads one line of the JSON log, a diagnostic about crates. The first crate is the affected one, the others
// are further versions of it.
func denyItem(s *read.Sink, v *struct {
	Type   string
	Fields struct {
		Code, Message, Severity string
		Graphs                  []struct {
			Krate struct{ Name, Version string }
		}
		Advisory struct{ ID, Package, URL string }
	}
}) {
	d := v.Fields
	if v.Type != "diagnostic" || d.Message == "" {
		return
	}
	f := result.Finding{Severity: read.SeverityOf(d.Severity), RawSeverity: d.Severity, Rule: d.Code, Message: d.Message}
	if len(d.Graphs) > 0 && d.Graphs[0].Krate.Name != "" {
		deniedCrate(&f, d.Graphs[0].Krate.Name, d.Graphs[0].Krate.Version)
	}
	deniedFor(&f, d.Advisory.ID)
	s.FindHere(f)
}

func deniedCrate(f *result.Finding, name, version string) {
	if f.Package = (&result.PackageRef{Ecosystem: "crates.io", Name: name, Version: version}); !strings.Contains(f.Message, name) {
		f.Message += ": " + name + " " + version
	}
}

func deniedFor(f *result.Finding, id string) {
	if strings.HasPrefix(id, "RUSTSEC-") {
		f.Kind, f.ID, f.RuleURL = result.Vulnerability, id, "https://rustsec.org/advisories/"+id
	}
}

// denyLine reads a diagnostic, its place and notes, and the tree of crates that depend on
// the affected crate, which is the first one:
//
//	error[vulnerability]: Buffer overflow in insert_many
//	  ┌─ /home/dev/app/Cargo.lock:8:1
//	  │
//	8 │ smallvec 1.11.0 registry+https://github.com/rust-lang/crates.io-index
//	  │ ━━━━━━━━━━━━━━━ security vulnerability detected
//	  │
//	  ├ ID: RUSTSEC-2021-0003
//	  ├ smallvec v1.11.0
//	    └── app v0.1.0
//
//	advisories FAILED, bans ok, licenses ok, sources ok
func denyLine(s *read.Sink, l tool.Line) bool {
	head, message, told := strings.Cut(l.Text, "]: ")
	word, code, coded := strings.Cut(head, "[")
	_, logged, isLog := strings.Cut(l.Text, " [ERROR] ")
	f := s.Last()
	switch {
	case told && coded && read.SeverityOf(word) != "":
		return s.Find(l, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Rule: code, Message: message})
	case isLog && strings.HasPrefix(l.Text, "20"):
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: logged})
	case strings.HasPrefix(l.Text, "error: unexpected argument ") || strings.HasPrefix(l.Text, "error: invalid value "):
		return s.Misuse(l, strings.TrimPrefix(l.Text, "error: "))
	case isDenyEnd(l.Text):
		return s.Close(l)
	case l.Text == "":
		return s.Break()
	case s.Open():
		s.More(l)
		denied(f, strings.TrimLeft(l.Text, " "))
		return true
	}
	return false
}

// denied takes a line below a diagnostic. A line number in Cargo.lock is ignored: it counts lines of a list that
// cargo-deny makes of the file.
func denied(f *result.Finding, text string) {
	if f == nil {
		return
	}
	if at, ok := strings.CutPrefix(text, "┌─ "); ok && f.At == nil {
		if f.At = read.PlaceOf(at); f.At != nil && (path.Base(f.At.Path) == "Cargo.lock" || strings.Contains(at, "+http")) {
			f.At = nil
		}
	}
	if fact, ok := strings.CutPrefix(text, "├ "); ok {
		id, isID := strings.CutPrefix(fact, "ID: ")
		name, rest, _ := strings.Cut(fact, " ")
		version, _, _ := strings.Cut(rest, " ")
		if isID {
			deniedFor(f, id)
		} else if len(version) > 1 && version[0] == 'v' && lex.IsDigits(version[1:2]) && f.Package == nil {
			deniedCrate(f, name, version[1:])
		}
	}
}

// isDenyEnd says whether a line has the closing verdicts: "advisories ok, bans FAILED".
func isDenyEnd(line string) bool {
	for part := range strings.SplitSeq(line, ", ") {
		check, verdict, _ := strings.Cut(part, " ")
		if !lex.IsOneOf(check, "advisories bans licenses sources") || !lex.IsOneOf(verdict, "ok FAILED") {
			return false
		}
	}
	return line != ""
}
