package golang

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

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
			v.config(s, c.Level)
		}),
		"/osv":     read.Item(func(_ *read.Sink, o *struct{ ID, Summary string }) { v.title[o.ID] = o.Summary }),
		"/finding": read.Item(func(_ *read.Sink, t *vulnTrace) { v.take(*t) }),
	}}.Parse(in)
}

func (v *vulnStream) config(s *read.Sink, level string) {
	if level != "" {
		v.level = level
	}
	s.Signed = true
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
	asked := map[string]int{"module": 1, "package": 2}[v.level]
	asked = cmp.Or(asked, 3)
	for _, key := range v.inOrder {
		t := v.deepest[key]
		f := result.Finding{Kind: result.Vulnerability, Rule: t.OSV, RuleURL: "https://pkg.go.dev/vuln/" + t.OSV, Message: v.title[t.OSV]}
		f.Message = cmp.Or(f.Message, t.OSV)
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
		f.At = t.caller()
		s.FindHere(f)
	}
}

// caller is where the checked module, the only one without a version, calls into another module.
func (t vulnTrace) caller() *result.Location {
	for _, fr := range t.Trace[1:] {
		if fr.Version == "" && fr.Position != nil {
			return &result.Location{Path: fr.Position.Filename, Line: fr.Position.Line, Column: fr.Position.Column}
		}
	}
	return nil
}

// goVersion writes a module's version as the text format does: "go1.20" for the standard library's "v1.20.0".
func goVersion(module, version string) string {
	if module != "stdlib" && module != "toolchain" {
		return version
	}
	return "go" + strings.TrimSuffix(strings.TrimPrefix(version, "v"), ".0")
}
