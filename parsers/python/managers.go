package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("hatch", func(p *tool.Parser) {
	p.Is("hatch", result.Package, 1, "hatch 1: build, env, run, version, publish")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Said{
		Whole: []string{"Cannot import '", "Environment `", "Unable to locate ", "Unable to determine which files", "Missing `", "Invalid version "},
		Usage: []string{"No project detected", "Unknown build target", "Field `", "Invalid TOML"},
	}.Parse})
	p.Reads(started("Unknown environment: ", result.MeansUsage), read.PythonTrouble("hatch"))
})

var _ = Room.Add("invoke inv | fab", func(p *tool.Parser) {
	p.Is("invoke", result.Build, 1, "invoke and fabric 2: what is no task; a command that failed prints what it prints")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Kind: result.BuildError, Rows: []read.Row{
		{Form: "No idea what '{}' is!", As: read.Misuse}, {Form: "Can't find any collection named '{}", As: read.Misuse}, {Form: "'{}' did not receive {}", As: read.Misuse},
		{Form: "Encountered a bad command exit code!", Fit: func(f *result.Finding) { f.Message = "Encountered a bad command exit code!" }}, // its output was hidden
		{Form: "Command: {message}", As: read.Fill, Fit: func(f *result.Finding) { f.Message = "command failed: " + f.Message }},
	}}.Parse)})
})

var _ = Room.Add("pdm", func(p *tool.Parser) {
	p.Is("pdm", result.Package, 1, "pdm 2: install, lock, sync, build, run")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Said{Errors: []string{"ERROR: "}, Warnings: []string{"WARNING: "}, Other: pdmLine}.Parse})
	p.Reads(started("[PdmUsageError]: Command ", result.MeansNotFound), read.PythonTrouble("pdm"))
})

// pdmLine reads "[ProjectError]: text", which begins with the class of the exception.
func pdmLine(s *read.Sink, l tool.Line) bool {
	class, message, ok := strings.Cut(strings.TrimPrefix(l.Text, "["), "]: ")
	if !ok || l.Text[0] != '[' || strings.Contains(class, " ") || !strings.HasSuffix(class, "Error") && !strings.HasSuffix(class, "Exception") && !strings.HasSuffix(class, "Impossible") && !strings.HasSuffix(class, "NotFound") {
		return false
	}
	s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: class, Message: message})
	if class == "PdmUsageError" || class == "ProjectError" {
		s.Meaning = result.MeansUsage
	}
	return true
}

var _ = Room.Add("pipenv", func(p *tool.Parser) {
	p.Is("pipenv", result.Package, 1, "pipenv 2018 to 2026: install, lock, sync, run, check")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 127: result.MeansNotFound}
	p.Reads(tool.Format{Name: "text", Parse: read.Said{
		Errors: []string{"ERROR:pip.subprocess: ", "ERROR: ", "Error: ", "[ResolutionFailure]: ", "[pipenv.exceptions.", "Aborting deploy: "}, Warnings: []string{"Warning: "},
		Whole: []string{"Error:  the command ", "Your Pipfile.lock ", "Pipfile.lock is out-of-date", "No Pipfile present at project home"},
	}.Parse})
	p.Reads(read.PythonTrouble("pipenv"))
})

var _ = Room.Add("poetry", func(p *tool.Parser) {
	p.Is("poetry", result.Package, 1, "poetry 1 and 2: install, lock, add, check, build, run")
	p.Reads(tool.Format{Name: "text", Parse: read.Said{
		Errors: []string{"Error: "}, Warnings: []string{"Warning: "},
		Whole: []string{
			"Because ", "So, because ", "Could not find a matching version of ", "Unable to find installation candidates for ", "Invalid constraint ", "Group(s) not found",
			"The current project could not be installed", "The current project's supported Python range", "The currently activated Python version ", "Hash for ", "HTTP Error ", "All attempts to connect to ", "Current Python version ", "Failed to read existing lock file", "The lock file is not compatible",
			"Expecting value: ",
		},
		Usage: []string{
			"Poetry could not find a pyproject.toml", "The requested command ", "The option ", "The Poetry configuration is invalid", "Either [project.name] or [tool.poetry.name] is required", "Not enough arguments", "No arguments expected", "Too many arguments", "Too few arguments", "The group ",
			"pyproject.toml changed significantly since poetry.lock", "poetry.lock is not up to date", "Invalid TOML file", "Unexpected character: ", "Unable to parse ", "'int' object has no attribute",
		},
		Other: poetryLine,
	}.Parse})
	p.Reads(started("Command not found: ", result.MeansNotFound), read.PythonTrouble("poetry"))
})

// poetryLine reads an exception, the class on a line of its own and the message two
// lines below, and "/srv/x/pyproject.toml is not a valid TOML file.".
func poetryLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	f := s.Last()
	switch {
	case strings.HasPrefix(l.Text, "  ") && !strings.HasPrefix(l.Text, "   ") && strings.HasSuffix(text, "Error") && !strings.Contains(text, " "):
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: text})
	case f != nil && strings.Contains(f.Message, " configuration is invalid:") && strings.HasPrefix(l.Text, "  - "):
		f.Message = strings.Replace(f.Message+"; "+l.Text[len("  - "):], " invalid:; ", " invalid: ", 1)
		return s.More(l)
	case f != nil && f.Rule != "" && f.Message == "":
		f.Message = text
		return s.More(l)
	case strings.Contains(text, "pyproject.toml is not a valid TOML file"), strings.HasPrefix(text, "Invalid TOML file "):
		return s.Misuse(l, text)
	}
	return false
}

var _ = Room.Add("twine", func(p *tool.Parser) {
	p.Is("twine", result.Package, 1, "twine 3 to 6: check, upload")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: twineLine}.Parse})
	read.InPython(p)
})

// twineLine reads "Checking dist/x.whl: FAILED", the reason below, "ERROR    text", and
// "ERROR HTTPError: 403 Forbidden from …".
func twineLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	path, verdict, checking := strings.Cut(strings.TrimPrefix(text, "Checking "), ": ")
	checking = checking && strings.HasPrefix(text, "Checking ")
	switch word, rest, ok := strings.Cut(text, " "); {
	case checking && strings.HasPrefix(verdict, "FAILED"):
		return s.Find(l, result.Finding{Message: verdict, At: &result.Location{Path: path}})
	case checking:
		return s.Break()
	case ok && word == "ERROR" && strings.TrimSpace(rest) != "":
		rest = strings.TrimSpace(rest)
		if f := s.Last(); f != nil && strings.HasPrefix(f.Message, "FAILED") {
			f.Message = strings.TrimPrefix(rest, "`")
			return s.More(l)
		}
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: rest})
	case ok && word == "WARNING" && s.Last() == nil:
		return s.Find(l, result.Finding{Severity: result.SevWarning, Message: strings.TrimSpace(rest)})
	case s.Last() != nil && strings.HasPrefix(l.Text, "    "):
		return s.More(l)
	}
	return false
}

var _ = Room.Add("pyproject-build | build", func(p *tool.Parser) {
	p.Is("build", result.Build, 3, "build 0.7 to 1.6, python -m build")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR Backend subprocess ", "ERROR Source "}, Named: true, Parse: func(in *tool.Input) *tool.Report {
		b := &backend{}
		return read.Said{Kind: result.BuildError, Errors: []string{"ERROR "}, Warnings: []string{"WARNING "}, Other: b.line, End: b.end}.Parse(in)
	}})
	p.Reads(read.PythonTrouble("pyproject-build", "build"))
})

// backend reads the output of the build backend, a program of its own. build itself only reports
// that the backend failed.
type backend struct {
	trace read.Traceback
	f     result.Finding // the reason why the backend failed
}

func (b *backend) line(s *read.Sink, l tool.Line) bool {
	switch {
	case b.trace.Line(l.Text):
		if s.Cover(l); b.trace.Whole() {
			b.f = b.trace.Finding(s.Files())
		}
		return true
	case strings.HasPrefix(l.Text, "configuration error: ") && b.f.Message != "":
		b.f.Message += " " + l.Text // the second line of the message of setuptools' exception
		return s.Sign(l)
	case strings.HasPrefix(l.Text, "error: "):
		b.f = result.Finding{Message: strings.TrimPrefix(l.Text, "error: ")}
		return s.Sign(l)
	}
	return strings.HasPrefix(l.Text, "TIP ")
}

// end adds the backend's reason to the step that failed.
func (b *backend) end(s *read.Sink) {
	for i := range s.Findings {
		if f := &s.Findings[i]; b.f.Message != "" && strings.HasPrefix(f.Message, "Backend subprocess exited ") {
			f.Rule, f.At, f.Message = b.f.Rule, b.f.At, f.Message+": "+lex.Clip(b.f.Message)
		}
	}
}
