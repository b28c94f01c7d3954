package javascript

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("publint", func(p *tool.Parser) {
	p.Is("publint", result.Lint, 1, "publint 0.1 to 0.3")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Running publint v"}, Parse: read.Text{Line: publintLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Unable to ", "Error: ")})
})

// publintLine reads a heading, "Errors:", and below it "1. pkg.main is ./dist/nope.js but the file does not exist."
func publintLine(s *read.Sink, l tool.Line) bool {
	number, message, ok := strings.Cut(strings.TrimSpace(l.Text), ". ")
	severity := map[string]result.Severity{"Errors:": result.SevError, "Warnings:": result.SevWarning, "Suggestions:": result.SevInfo}
	switch {
	case strings.HasPrefix(l.Text, "Running publint v"):
		s.Version, _, _ = strings.Cut(l.Text[len("Running publint v"):], " ")
		s.Sign(l)
	case severity[l.Text] != "":
		s.Path = l.Text
	case ok && lex.IsDigits(number) && s.Path != "":
		s.Find(l, result.Finding{Severity: severity[s.Path], Message: message, At: &result.Location{Path: "package.json"}})
	case lex.HasAnyPrefix(l.Text, "Packing files ", "Linting", "All good!"):
		s.Cover(l)
	case s.Last() != nil && l.Text != "":
		s.More(l)
	default:
		return false
	}
	return true
}

var _ = Room.Add("sherif", func(p *tool.Parser) {
	p.Is("sherif", result.Lint, 1, "sherif 1: default")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: sherif.Parse})
})

// sherif reads a file's name, each issue in the file, and the expected content below the issue.
var sherif = read.Rows{
	Rows: []read.Row{
		{Form: "{} found in {path}:", As: read.InPath},
		{Form: "{} found ({}", As: read.Close},
		{Form: " ⨯ error {message} {rule}", As: read.Error, Fit: ofAllPackages},
		{Form: " ⚠️ warning {message} {rule}", As: read.Warning, Fit: ofAllPackages},
	},
	Below: read.Indented,
}

// ofAllPackages removes the place "./" of an issue that concerns the whole workspace.
func ofAllPackages(f *result.Finding) {
	if f.At != nil && f.At.Path == "./" {
		f.At = nil
	}
}

var _ = Room.Add("syncpack", func(p *tool.Parser) {
	p.Is("syncpack", result.Lint, 1, "syncpack 10 to 13: lint, list, list-mismatches, format --check")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: syncpackLine}.Parse})
})

// syncpackLine reads "✘ chalk ^4.0.0 → ~5.0.0 package.json > devDependencies [Rule]". With list, the package's name
// is in a line above, "2x chalk:". Below "Formatting", a bare path is a file that is not sorted.
func syncpackLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if message, ok := strings.CutPrefix(l.Text, "error: "); ok {
		s.Misuse(l, message)
		return s.Break()
	}
	rest, bad := strings.CutPrefix(text, "✘ ")
	if !bad {
		if _, name, ok := strings.Cut(text, "x "); ok && strings.HasSuffix(name, ":") {
			s.Path = strings.Clone(strings.TrimSuffix(name, ":"))
		}
		return false
	}
	body, rule := read.Brackets.Cut(rest)
	versions, where, placed := strings.Cut(body, " > ")
	switch i := strings.LastIndexByte(versions, ' '); {
	case rule == "" && !strings.Contains(rest, " "):
		s.Find(l, result.Finding{Rule: "format", Name: rest, Message: "not formatted", At: &result.Location{Path: rest}})
	case rule == "":
		return false
	case placed && i > 0:
		s.Find(l, result.Finding{Rule: rule, Message: versions[:i] + " (" + where + ")", At: &result.Location{Path: versions[i+1:]}})
	default:
		s.Find(l, result.Finding{Rule: rule, Message: strings.TrimSpace(s.Path + " " + body)})
	}
	return s.Break()
}

var _ = Room.Add("license-checker license-checker-rseidelsohn", func(p *tool.Parser) {
	p.Is("license-checker", result.Lint, 1, "license-checker 25: why it ended, and errors after which it exits 0")
	p.Reads(tool.Format{Name: "text", Parse: licenseChecker.Parse})
})

// licenseChecker reads the error that ended a run. license-checker stops at the first package whose license is not
// allowed. Its table of packages has no findings.
var licenseChecker = read.Rows{
	Rows: []read.Row{
		{Form: "Found error", As: read.Skip},
		{Form: "Error: {message}", As: read.Error},
		{Form: `Package "{id}" is {message}. Exiting.`, As: read.Error},
		{Form: "Found license {message}. Exiting.", As: read.Error},
		{Form: "--failOn and --onlyAllow can not be used {}", As: read.Misuse},
	},
	Below: func(s *read.Sink, l tool.Line) bool {
		_, framed := jserror.Frame(l.Text)
		return framed && s.More(l)
	},
}

var _ = Room.Add("depcheck", func(p *tool.Parser) {
	p.Is("depcheck", result.Lint, 1, "depcheck 1: text, --oneline and --json")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{
		"/dependencies/*": depcheckUnused(unusedDeps), "/devDependencies/*": depcheckUnused(unusedDev), "/missing": read.Item(depcheckMissing),
	}}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Unused dependencies", "Unused devDependencies", "Missing dependencies", "No depcheck issue"}, Sniff: isDepcheck, Parse: read.Text{Line: depcheckLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Path ", "Error: ", "SyntaxError: ")})
})

// The lists of depcheck, by their headings.
const (
	unusedDeps = "Unused dependencies"
	unusedDev  = "Unused devDependencies"
	missing    = "Missing dependencies"
	noIssue    = "No depcheck issue"
)

func isDepcheck(line string) bool {
	return slices.Contains([]string{unusedDeps, unusedDev, missing, noIssue}, strings.TrimSpace(line))
}

// depcheckLine reads the heading of a list and its rows, "* name" or "* name: ./src/index.js".
func depcheckLine(s *read.Sink, l tool.Line) bool {
	name, row := strings.CutPrefix(l.Text, "* ")
	switch {
	case isDepcheck(l.Text):
		s.Path = strings.TrimSpace(l.Text)
		return s.Sign(l)
	case row && s.Path != "":
		name, where, _ := strings.Cut(name, ": ")
		return s.Find(l, depcheckFinding(s.Path, name, where))
	case s.Path != "" && l.Text != "" && l.Text[0] != ' ': // --oneline
		for name := range strings.FieldsSeq(l.Text) {
			s.Find(l, depcheckFinding(s.Path, name, ""))
		}
		s.Path = ""
		return true
	}
	s.Path = ""
	return false
}

// depcheckFinding returns the finding for a package that package.json lists but no file uses, or that a file imports
// but package.json does not list.
func depcheckFinding(list, name, where string) result.Finding {
	where = cmp.Or(where, "package.json")
	return result.Finding{Rule: list, ID: name, Message: name, At: &result.Location{Path: where}, Package: &result.PackageRef{Ecosystem: "npm", Name: name}}
}

// depcheckUnused reads a name in one of the lists of the json format.
func depcheckUnused(list string) func(s *read.Sink, item []byte) error {
	return read.Item(func(s *read.Sink, name *string) { s.FindHere(depcheckFinding(list, *name, "")) })
}

// depcheckMissing reads the missing packages with the files that import them, and keeps the first file, as the text
// does.
func depcheckMissing(s *read.Sink, wanted *map[string][]string) {
	for _, name := range slices.Sorted(maps.Keys(*wanted)) {
		if files := (*wanted)[name]; len(files) > 0 {
			s.FindHere(depcheckFinding(missing, name, files[0]))
		}
	}
}
