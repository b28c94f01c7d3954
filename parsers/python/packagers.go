package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// Programs that manage a project's packages. Each ends with a line or two that say
// what could not be done; what they start prints its own.

var _ = Room.Add("poetry", func() *tool.Parser {
	return &tool.Parser{
		Tool: "poetry", Kind: result.Package, Version: 1,
		About: "poetry 1 and 2: install, lock, add, check, build, run",

		Formats: []tool.Format{{Name: "text", Parse: read.Said{
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
		}.Parse}, started("Command not found: ", result.MeansNotFound), read.PythonTrouble("poetry")},
	}
})

// started is a format of a program that runs others: it could not start one. The
// command line then names the other program.
func started(line string, means result.Meaning) tool.Format {
	parse := func(in *tool.Input) *tool.Report {
		return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
			ok := strings.HasPrefix(l.Text, line)
			if ok {
				s.Find(l, result.Finding{Kind: result.GenericFinding, Message: l.Text})
				s.Meaning = means
			}
			return ok
		}}.Parse(in)
	}
	return tool.Format{Name: "messages", Starts: []string{line}, Parse: parse}
}

// poetryLine reads an exception: its class on a line of its own, what it says two
// lines below; and "/srv/x/pyproject.toml is not a valid TOML file.".
func poetryLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	f := s.Last()
	switch {
	case strings.HasPrefix(l.Text, "  ") && !strings.HasPrefix(l.Text, "   ") && strings.HasSuffix(text, "Error") && !strings.Contains(text, " "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: text})
	case f != nil && f.Rule != "" && f.Message == "" && text != "":
		f.Message = text
		s.More(l)
	case f != nil && f.Rule != "" && f.Message == "":
		return true
	case strings.Contains(text, "pyproject.toml is not a valid TOML file"), strings.HasPrefix(text, "Invalid TOML file "):
		s.Misuse(l, text)
	default:
		return false
	}
	return true
}

var _ = Room.Add("pdm", func() *tool.Parser {
	return &tool.Parser{
		Tool: "pdm", Kind: result.Package, Version: 1,
		About: "pdm 2: install, lock, sync, build, run",

		Exits:   map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Said{Errors: []string{"ERROR: "}, Warnings: []string{"WARNING: "}, Other: pdmLine}.Parse}, started("[PdmUsageError]: Command ", result.MeansNotFound), read.PythonTrouble("pdm")},
	}
})

// pdmLine reads "[ProjectError]: text", with the class of what was raised.
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

var _ = Room.Add("hatch", func() *tool.Parser {
	return &tool.Parser{
		Tool: "hatch", Kind: result.Package, Version: 1,
		About: "hatch 1: build, env, run, version, publish",

		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Said{
			Whole: []string{"Cannot import '", "Environment `", "Unable to locate ", "Unable to determine which files", "Missing `", "Invalid version "},
			Usage: []string{"No project detected", "Unknown build target", "Field `", "Invalid TOML"},
		}.Parse}, started("Unknown environment: ", result.MeansUsage), read.PythonTrouble("hatch")},
	}
})

var _ = Room.Add("pipenv", func() *tool.Parser {
	return &tool.Parser{
		Tool: "pipenv", Kind: result.Package, Version: 1,
		About: "pipenv 2018 to 2026: install, lock, sync, run, check",

		Exits: map[int]result.Meaning{2: result.MeansUsage, 127: result.MeansNotFound},
		Formats: []tool.Format{{Name: "text", Parse: read.Said{
			Errors: []string{"ERROR:pip.subprocess: ", "ERROR: ", "Error: ", "[ResolutionFailure]: ", "[pipenv.exceptions.", "Aborting deploy: "}, Warnings: []string{"Warning: "},
			Whole: []string{"Error:  the command ", "Your Pipfile.lock ", "Pipfile.lock is out-of-date", "No Pipfile present at project home"},
		}.Parse}, read.PythonTrouble("pipenv")},
	}
})

var _ = Room.Add("twine", func() *tool.Parser {
	return &tool.Parser{
		Tool: "twine", Kind: result.Package, Version: 1,
		About: "twine 3 to 6: check, upload",

		Exits:   map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: twineLine}.Parse}, read.PythonTrouble("twine")},
	}
})

// twineLine reads "Checking dist/x.whl: FAILED", what is wrong with it, and "ERROR
// HTTPError: 403 Forbidden from …".
func twineLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	path, verdict, checking := strings.Cut(strings.TrimPrefix(text, "Checking "), ": ")
	checking = checking && strings.HasPrefix(text, "Checking ")
	switch word, rest, ok := strings.Cut(text, " "); {
	case checking && strings.HasPrefix(verdict, "FAILED"):
		s.Find(l, result.Finding{Message: verdict, At: &result.Location{Path: path}})
	case checking:
		s.Break()
	case ok && word == "ERROR" && strings.TrimSpace(rest) != "":
		rest = strings.TrimSpace(rest)
		if f := s.Last(); f != nil && strings.HasPrefix(f.Message, "FAILED") {
			f.Message = strings.TrimPrefix(rest, "`")
			s.More(l)
			return true
		}
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: rest})
	case ok && word == "WARNING" && s.Last() == nil:
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: strings.TrimSpace(rest)})
	case s.Last() != nil && strings.HasPrefix(l.Text, "    "):
		s.More(l)
	default:
		return false
	}
	return true
}

var _ = Room.Add("pyproject-build build", func() *tool.Parser {
	return &tool.Parser{
		Tool: "build", Kind: result.Build, Version: 1,
		About:    "build 0.7 to 1.3, python -m build",
		Programs: []string{"pyproject-build"},
		Formats: []tool.Format{
			{Name: "text", Starts: []string{"ERROR Backend ", "ERROR Source "}, Parse: buildText.Parse},
			{Name: "text", Parse: buildText.Parse},
			read.PythonTrouble("pyproject-build", "build"),
		},
	}
})

var buildText = read.Said{Kind: result.BuildError, Errors: []string{"ERROR "}, Warnings: []string{"WARNING "}}

var _ = Room.Add("pip-audit", func() *tool.Parser {
	return &tool.Parser{
		Tool: "pip-audit", Kind: result.Security, Version: 1,
		About: "pip-audit 2: columns and json",

		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Items: read.Items(auditedPackage, "/dependencies/*")}.Parse},
			{Name: "columns", Parse: read.Text{Line: pipAuditLine}.Parse},
			read.PythonTrouble("pip-audit"),
		},
	}
})

// auditedPackage reads a package of the JSON.
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
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: why})
		return true
	}
	words := strings.Fields(l.Text)
	if strings.HasPrefix(l.Text, "No known vulnerabilities found") || strings.HasPrefix(l.Text, "Found ") && strings.Contains(l.Text, " known vulnerabilit") || strings.HasPrefix(l.Text, "Name ") {
		s.Sign(l)
		return true
	}
	if len(words) > 2 && strings.Contains(l.Text, " could not be audited: ") {
		why := strings.TrimSpace(strings.TrimPrefix(l.Text, words[0]))
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: why, Package: &result.PackageRef{Ecosystem: "pypi", Name: words[0]}})
		return true
	}
	if len(words) < 3 || !isAdvisory(words[2]) {
		return false
	}
	fixed := ""
	if len(words) > 3 {
		fixed = words[3]
	}
	s.Find(l, vulnerable(words[0], words[1], words[2], fixed))
	return true
}

// isAdvisory: "PYSEC-2021-98", "GHSA-xxxx-…", "CVE-2020-1".
func isAdvisory(id string) bool {
	for _, start := range [...]string{"PYSEC-", "GHSA-", "CVE-", "OSV-"} {
		if strings.HasPrefix(id, start) {
			return true
		}
	}
	return false
}
