package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("deptry", func(p *tool.Parser) {
	p.Is("deptry", result.Lint, 1, "deptry 0.5 and later")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.First, Other: deptryLine}.Parse})
	read.InPython(p)
})

// deptryLine reads "pyproject.toml: DEP002 'flask' defined as a dependency but not
// used", a finding without a line number, and the count.
func deptryLine(s *read.Sink, l tool.Line) bool {
	path, rest, ok := strings.Cut(l.Text, ": DEP")
	if code, message, found := strings.Cut(rest, " "); ok && found && lex.IsDigits(code) && !strings.Contains(path, " ") {
		return s.Find(l, result.Finding{Rule: "DEP" + code, Message: message, At: &result.Location{Path: path}})
	}
	if file, why, skipped := strings.Cut(strings.TrimPrefix(l.Text, "Warning: Skipping processing of "), " because of the following error: "); skipped && len(file) < len(l.Text) {
		return s.Find(l, result.Finding{Severity: result.SevWarning, Message: "skipped: " + strings.Trim(why, `".`), At: &result.Location{Path: file}})
	}
	var n string
	if n, ok = strings.CutPrefix(l.Text, "Found "); ok {
		if n, _, ok = strings.Cut(n, " dependency issue"); ok && lex.IsDigits(n) && len(n) < 8 {
			s.Claim(lex.Atoi(n))
		}
	}
	if ok || strings.HasPrefix(l.Text, "Success! No dependency issues found") {
		return s.Sign(l)
	}
	return false
}

var _ = Room.Add("lint-imports | import-linter", func(p *tool.Parser) {
	p.Is("import-linter", result.Lint, 1, "import-linter 1.x and 2.x: contracts that are broken")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Contracts: … broken."}, Named: true, Parse: read.Lines((*contracts).line)})
	p.Reads(read.PythonTrouble("lint-imports"))
})

// contracts reads the list of all contracts, and the details of each below the heading "Broken contracts":
//
//	Crane knows no tide
//	-------------------
//
//	harbor.crane is not allowed to import harbor.tide:
//
//	-   harbor.crane -> harbor (l.1)
//	    harbor -> harbor.tide (l.3)
type contracts struct {
	last   string // the previous line
	broken string // the contract whose details are read
	below  bool   // the heading was read
}

func (p *contracts) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	defer func() { p.last = text }()
	isRule := len(text) > 1 && strings.Trim(text, "-") == ""
	if isRule && p.last == "Broken contracts" {
		p.below = true
	} else if isRule && p.below && p.last != "" {
		p.broken = p.last
	}
	chain, isChain := strings.CutPrefix(text, "- ")
	f := s.Last()
	switch {
	case isChain && p.broken != "" && strings.Contains(chain, " -> "):
		from, _, _ := strings.Cut(strings.TrimSpace(chain), " -> ") // a module; the output does not name its file
		s.Find(l, result.Finding{Rule: p.broken, ID: from, Message: strings.TrimSpace(chain)})
	case p.broken != "" && f != nil && f.Rule == p.broken && strings.Contains(text, " -> "): // the next import of the chain to the forbidden module
		f.Message += "; " + text
		s.More(l)
	case strings.HasPrefix(text, "Contracts: ") && strings.HasSuffix(text, " broken."):
		s.Close(l)
	case lex.HasAnyPrefix(text, "Could not find ", "Could not read any configuration", "Invalid ", "Syntax error in "):
		s.Refuse(l, result.Finding{Kind: result.GenericFinding, Message: text, At: place.InSentence(text)})
	case p.below, isRule, text == "Contracts", strings.HasSuffix(text, " BROKEN"), strings.HasSuffix(text, " KEPT"), strings.HasPrefix(text, "Analyzed "), strings.ContainsAny(text, "╔╗╚╝║"):
	default:
		return false
	}
	return true
}

var _ = Room.Add("pyroma", func(p *tool.Parser) {
	p.Is("pyroma", result.Lint, 1, "pyroma 3 to 5: its report")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*pyroma).line))})
})

// pyroma reads the complaints between two rules:
//
//	Found uvr
//	------------------------------
//	The package had no Summary!
//	------------------------------
//	Final rating: 0/10
type pyroma struct{ found, open bool }

func (p *pyroma) line(s *read.Sink, l tool.Line) bool {
	switch text := l.Text; {
	case strings.HasPrefix(text, "Final rating: "):
		s.Close(l)
	case text != "" && strings.Trim(text, "-") == "":
		p.open, p.found = p.found, false
	case strings.HasPrefix(text, "Found "):
		p.found = true
	case p.open && text != "":
		s.Find(l, result.Finding{Message: text})
	default:
		return strings.HasPrefix(text, "Checking ") || strings.HasPrefix(text, "Getting metadata for ")
	}
	return true
}

// pip-licenses stops at the first package whose licence is not wanted.
var _ = Room.Add("pip-licenses", func(p *tool.Parser) {
	p.Is("pip-licenses", result.Security, 1, "pip-licenses 4 and 5: --fail-on, --allow-only")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		why, name, ok := strings.Cut(l.Text, " was found for package ")
		if !ok || !strings.Contains(why, "license ") {
			return false
		}
		name, version, _ := strings.Cut(name, ":")
		return s.Find(l, result.Finding{ID: lex.Clip(name), Rule: "license", Message: why + " was found for package " + name + " " + version})
	}}.Parse})
	read.InPython(p)
})

var _ = Room.Add("tach", func(p *tool.Parser) {
	p.Is("tach", result.Lint, 1, "tach 0.1x to 0.3x: check, check-external, --output json")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(tachItem, "/*")}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{ // a terminal gets a mark, such as "❌", in place of the word
		{Form: "[FAIL] {path}:{line}: {message}"},
		{Form: "❌ {path}:{line}: {message}"},
		{Form: "[WARN] {path}:{line}: {message}", As: read.Warning},
		{Form: "⚠️ {path}:{line}: {message}", As: read.Warning},
		{Form: "Configuration file not found.{}", As: read.Misuse},
		{Form: "✅ {}", As: read.Skip},
		{Form: "[OK] {}", As: read.Skip},
		{Form: "If you intended to add a new dependency{}", As: read.Skip},
		{Form: "Otherwise, remove any disallowed imports{}", As: read.Skip},
		{Form: "{word} Dependencies", As: read.Skip},
	}}.Parse})
	read.InPython(p)
})

func tachItem(s *read.Sink, v *struct {
	Located struct {
		Path     string `json:"file_path"`
		Line     int    `json:"line_number"`
		Severity string
		Details  struct {
			Code map[string]struct {
				Dependency string
				Usage      string `json:"usage_module"`
				Definition string `json:"definition_module"`
			}
		}
	}
}) {
	at := result.Location{Path: v.Located.Path, Line: v.Located.Line}
	for name, code := range v.Located.Details.Code {
		s.FindHere(result.Finding{
			Severity: read.SeverityOf(v.Located.Severity), At: &at, Extra: map[string]any{"code": name},
			Message: "Cannot use '" + code.Dependency + "'. Module '" + code.Usage + "' cannot depend on '" + code.Definition + "'.",
		})
	}
}

// fawltydeps lists names under a heading; --detailed adds the places of each:
//
//	These imports appear to be undeclared dependencies:
//	- 'celery'
//	    imported at:
//	      cel.py:1
var _ = Room.Add("fawltydeps", func(p *tool.Parser) {
	p.Is("fawltydeps", result.Lint, 1, "fawltydeps 0.13 and later: --summary, --detailed, --json")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{"/undeclared_deps/*": fawltyNames("undeclared"), "/unused_deps/*": fawltyNames("unused")}, End: fawltyUnread}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{fawltyUndeclaredHead, fawltyUnusedHead}, Named: true, Parse: parseFawltydeps})
	read.InPython(p)
})

const (
	fawltyUndeclaredHead = "These imports appear to be undeclared dependencies:"
	fawltyUnusedHead     = "These dependencies appear to be unused (i.e. not imported):"
)

func fawltyFinding(rule, name string) result.Finding {
	return result.Finding{Rule: rule, ID: name, Message: "'" + name + "' appears to be " + rule}
}

// fawltyNames reads the names of one kind from JSON, each with the places that refer to it.
func fawltyNames(rule string) func(*read.Sink, []byte) error {
	return read.Objects{ID: "name", Path: "references.path", Line: "references.lineno", Fit: func(f *result.Finding) {
		at := f.At
		*f = fawltyFinding(rule, f.ID)
		f.At = at
	}}.Item
}

// fawltyError reads the error, on stderr, about a file that could not be parsed.
func fawltyError(s *read.Sink, l tool.Line) bool {
	rest, ok := strings.CutPrefix(l.Text, "ERROR:fawltydeps.extract_imports:Could not parse code from ")
	path, why, found := strings.Cut(rest, ": ")
	if ok && found {
		s.Find(l, result.Finding{Message: why, At: &result.Location{Path: path}})
	}
	return ok && found
}

// fawltyUnread adds the errors of stderr to the findings from JSON.
func fawltyUnread(s *read.Sink) {
	for l := range s.In.LinesOf(tool.Stderr) {
		fawltyError(s, l)
	}
}

func parseFawltydeps(in *tool.Input) *tool.Report {
	rule, located := "", false
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		name, listed := strings.CutPrefix(l.Text, "- '")
		text := strings.TrimSpace(l.Text)
		switch {
		case fawltyError(s, l):
		case l.Text == fawltyUndeclaredHead:
			rule = "undeclared"
		case l.Text == fawltyUnusedHead:
			rule = "unused"
		case listed && rule != "":
			s.Find(l, fawltyFinding(rule, strings.TrimSuffix(name, "'")))
			located = false
		case text == "imported at:", text == "declared in:":
			located = true
		case located && strings.HasPrefix(l.Text, "      ") && s.Last() != nil:
			if s.Last().At == nil {
				if s.Last().At = read.PlaceOf(text); s.Last().At == nil {
					s.Last().At = &result.Location{Path: strings.Clone(text)}
				}
			}
			s.More(l)
		case text == "may be provided by these packages:":
			located = false
		case strings.HasPrefix(l.Text, "No undeclared or unused dependencies detected."):
			s.Sign(l)
		default:
			return false
		}
		return true
	}}.Parse(in)
}
