package golang

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("govulncheck", func(p *tool.Parser) {
	p.Is("govulncheck", result.Security, 1, "govulncheck 1: text, -show verbose and traces, -json and SARIF")
	p.ColumnUnit = "byte"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansFindings}
	p.Reads(tool.Format{Name: "json", Parse: parseVulnJSON})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "text", Starts: []string{"=== Symbol Results ==="}, Named: true, Parse: read.Lines((*vulns).line)})
})

// vulns reads sections. The first lists vulnerabilities that the code calls, the others those it merely requires:
//
//	=== Symbol Results ===
//
//	Vulnerability #1: GO-2023-1571
//	    Denial of service via crafted HTTP/2 stream
//	  More info: https://pkg.go.dev/vuln/GO-2023-1571
//	  Module: golang.org/x/net
//	    Found in: golang.org/x/net@v0.4.0
//	    Fixed in: golang.org/x/net@v0.7.0
//	    Example traces found:
//	      #1: web/serve.go:12:19: web.Serve calls http2.ConfigureServer
type vulns struct {
	sections int
	loads    bool // the lines below are errors about loading packages
}

func (v *vulns) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	id, vulnerable := "", false
	if rest, ok := strings.CutPrefix(l.Text, "Vulnerability #"); ok {
		_, id, vulnerable = strings.Cut(rest, ": ")
	}
	affected, told := strings.CutPrefix(l.Text, "Your code is affected by ")
	maybe, mayBe := strings.CutPrefix(l.Text, "Your code may be affected by ")
	switch {
	case strings.HasPrefix(l.Text, "=== ") && strings.HasSuffix(text, " Results ==="):
		v.sections++
		s.Sign(l)
		return s.Break()
	case vulnerable:
		f := result.Finding{Kind: result.Vulnerability, Rule: id, RuleURL: "https://pkg.go.dev/vuln/" + id}
		if v.sections > 1 {
			f.Severity = result.SevInfo
		}
		return s.Find(l, f)
	case told || mayBe:
		if n, _, _ := strings.Cut(affected+maybe, " "); told != mayBe && lex.IsDigits(n) && len(n) < 8 {
			s.Claim(lex.Atoi(n))
		}
		return s.Close(l)
	case text == "No vulnerabilities found.":
		return s.Close(l)
	case l.Stream == tool.Stderr:
		return v.trouble(s, l)
	case s.Open() && strings.HasPrefix(l.Text, "  "):
		s.More(l)
		v.fill(s.Last(), text)
		return true
	}
	s.Break()
	return false
}

// fill takes a line of a vulnerability's block into its finding.
func (v *vulns) fill(f *result.Finding, text string) {
	if f == nil {
		return
	}
	key, value, _ := strings.Cut(text, ": ")
	name, version, _ := strings.Cut(value, "@")
	switch {
	case f.Message == "":
		f.Message = text
	case key == "Found in":
		f.Package = &result.PackageRef{Ecosystem: "Go", Name: name, Version: version}
	case key == "Fixed in" && version != "" && f.Package != nil:
		fixedIn(f, version)
	case strings.HasPrefix(key, "#") && f.At == nil:
		f.At = read.PlaceOf(value)
	}
}

func fixedIn(f *result.Finding, version string) {
	f.Package.FixedVersion = version
	f.Message += "; fixed in " + version
}

// trouble reads an error because of which nothing was checked.
func (v *vulns) trouble(s *read.Sink, l tool.Line) bool {
	if s.MisuseIf(l, "flag provided but not defined: ", "invalid value ", "invalid boolean value ") {
		return true
	}
	message, own := strings.CutPrefix(l.Text, "govulncheck: ")
	at, said, placed := place.Cut(l.Text)
	f := result.Finding{Kind: result.GenericFinding, Message: message}
	switch {
	case own && strings.HasPrefix(message, "loading packages:"):
		v.loads = true
		return s.Sign(l)
	case own:
	case v.loads && placed:
		f = result.Finding{Kind: result.Diagnostic, At: &at, Message: said}
	case v.loads && strings.HasPrefix(l.Text, "-: "):
		f.Message = strings.TrimPrefix(l.Text, "-: ")
	case strings.HasPrefix(l.Text, "creating client: "), strings.HasPrefix(l.Text, "fetching vulnerabilities: "):
	default:
		return v.loads
	}
	return s.Find(l, f)
}

// vulnStream reads govulncheck's stream of messages. A vulnerability is reported once for the module, again for the
// package that is imported, and for each symbol that is called; the text format lists only the most specific report.
type vulnStream struct {
	level   string // the level asked for: module, package or symbol
	title   map[string]string
	deepest map[string]vulnTrace
	inOrder []string
}

type vulnTrace struct {
	OSV   string
	Fixed string `json:"fixed_version"`
	Trace []vulnFrame
}

type vulnFrame struct {
	Module, Version, Package, Function string
	Position                           *struct {
		Filename     string
		Line, Column int
	}
}

func parseVulnJSON(in *tool.Input) *tool.Report {
	v := &vulnStream{level: "symbol", title: map[string]string{}, deepest: map[string]vulnTrace{}}
	return read.JSON{End: v.end, Items: map[string]func(*read.Sink, []byte) error{
		"/config": read.Item(func(s *read.Sink, c *struct {
			Level string `json:"scan_level"`
		}) {
			v.level, s.Signed = cmp.Or(c.Level, v.level), true
		}),
		"/osv":     read.Item(func(_ *read.Sink, o *struct{ ID, Summary string }) { v.title[o.ID] = o.Summary }),
		"/finding": read.Item(func(_ *read.Sink, t *vulnTrace) { v.take(*t) }),
	}}.Parse(in)
}

// depth is how specific a trace is: 1 names a module, 2 a package, 3 a symbol; 0 if there is no trace.
func (t vulnTrace) depth() int {
	switch {
	case len(t.Trace) == 0:
		return 0
	case t.Trace[0].Function != "":
		return 3
	case t.Trace[0].Package != "":
		return 2
	}
	return 1
}

func (v *vulnStream) take(t vulnTrace) {
	if len(t.Trace) == 0 {
		return
	}
	key := t.OSV + " " + t.Trace[0].Module
	old, known := v.deepest[key]
	if !known {
		v.inOrder = append(v.inOrder, key)
	}
	if !known || t.depth() > old.depth() {
		v.deepest[key] = t
	}
}

func (v *vulnStream) end(s *read.Sink) {
	asked := cmp.Or(map[string]int{"module": 1, "package": 2}[v.level], 3)
	for _, key := range v.inOrder {
		t := v.deepest[key]
		f := result.Finding{Kind: result.Vulnerability, Rule: t.OSV, RuleURL: "https://pkg.go.dev/vuln/" + t.OSV, Message: cmp.Or(v.title[t.OSV], t.OSV)}
		if t.depth() < asked {
			f.Severity = result.SevInfo
		}
		from := t.Trace[0]
		f.Package = &result.PackageRef{Ecosystem: "Go", Name: from.Module, Version: goVersion(from.Module, from.Version)}
		if from.Module == "stdlib" && from.Package != "" {
			f.Package.Name = from.Package
		}
		if t.Fixed != "" {
			fixedIn(&f, goVersion(from.Module, t.Fixed))
		}
		for _, fr := range t.Trace[1:] { // the checked module, the only one without a version, calls into another one
			if fr.Version == "" && fr.Position != nil && f.At == nil {
				f.At = &result.Location{Path: fr.Position.Filename, Line: fr.Position.Line, Column: fr.Position.Column}
			}
		}
		s.FindHere(f)
	}
}

// goVersion writes a module's version as the text format does: "go1.20" for the standard library's "v1.20.0".
func goVersion(module, version string) string {
	if module != "stdlib" && module != "toolchain" {
		return version
	}
	return "go" + strings.TrimSuffix(strings.TrimPrefix(version, "v"), ".0")
}
