package rust

import (
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
