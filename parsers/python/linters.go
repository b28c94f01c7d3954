package python

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("autopep8", func(p *tool.Parser) {
	p.Is("autopep8", result.Format, 1, "autopep8 1.x and 2.x: --diff --exit-code")
	p.Exits = map[int]result.Meaning{99: result.MeansUsage}
	p.Reads(tool.Format{Name: "diff", Parse: read.Patch{Says: unformatted, Other: notThere}.Parse})
	p.Reads(read.PythonTrouble("autopep8"))
})

var _ = Room.Add("darglint", func(p *tool.Parser) {
	p.Is("darglint", result.Lint, 1, "darglint 1.x")
	p.Exits = map[int]result.Meaning{129: result.MeansUsage}
	p.Reads(darglintTemplate.Format("darglint"))
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "{path}:{id}:{line}: DAR{rule}: {message}", Fit: func(f *result.Finding) { f.Rule = "DAR" + f.Rule }},
	}, Other: notThere}.Parse})
	p.Reads(read.PythonTrouble("darglint"))
})

// darglintTemplate reads --message-template.
var darglintTemplate = read.Template{
	Names: map[string]string{"msg_id": "{rule}"},
	Fit:   func(f *result.Finding) bool { return strings.HasPrefix(f.Rule, "DAR") },
}

var _ = Room.Add("sphinx-lint", func(p *tool.Parser) {
	p.Is("sphinx-lint", result.Lint, 1, "sphinx-lint 0.6 to 1.0")
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.Parens, Usage: []string{"Error: path "}, Plain: true}.Parse})
})

var _ = Room.Add("docformatter", func(p *tool.Parser) {
	p.Is("docformatter", result.Format, 1, "docformatter 1.x: --check, --diff")
	p.Reads(tool.Format{Name: "text", Parse: read.Patch{Says: unformatted, Other: docformatterLine}.Parse})
	read.InPython(p)
})

// docformatterLine reads the path of a file, all that --check prints about the file.
func docformatterLine(s *read.Sink, l tool.Line) bool {
	if l.Stream == tool.Stderr && strings.HasSuffix(l.Text, ".py") && !strings.ContainsAny(l.Text, ":'") {
		f := unformatted
		f.At = &result.Location{Path: l.Text}
		return s.Find(l, f)
	}
	return notThere(s, l)
}

// fixit prints a finding in one line, and with --diff the fix below it:
//
//	src/a.py@7:7 CompareSingletonPrimitivesByIs: text (has autofix)
var _ = Room.Add("fixit", func(p *tool.Parser) {
	p.Is("fixit", result.Lint, 1, "fixit 2: lint, lint --diff")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "{path}@{line}:{column} {rule}: {message}", Fit: func(f *result.Finding) { f.Message, f.Fixable = strings.CutSuffix(f.Message, " (has autofix)") }},
	}, Below: func(_ *read.Sink, l tool.Line) bool { return l.Text != "" && strings.Contains("-+@ ", l.Text[:1]) }}.Parse})
	read.InPython(p)
})

var _ = Room.Add("pycln", func(p *tool.Parser) {
	p.Is("pycln", result.Lint, 1, "pycln 1.x and 2.x: --check, files that do not parse")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 250: result.MeansFindings}
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "  {path}:{line}:{column} SyntaxError: {message} ⛔", Fit: func(f *result.Finding) { f.Rule = "SyntaxError" }},
		{Form: "  {path}:{line}:{column} {message}! 🔮", Fit: func(f *result.Finding) { f.Rule, f.Fixable = "unused-import", true }},
		{Form: "{message} 😴", As: read.Misuse}, // "No Path provided. Nothing to do"
		{Form: "{} would be removed! 🚀", As: read.Skip}, {Form: "All done! {}", As: read.Skip},
		{Form: "Oh no, there was an error! {}", As: read.Skip}, {Form: "{} left unchanged.", As: read.Skip},
	}}.Parse})
	p.Reads(read.PythonTrouble("pycln"))
})

var _ = Room.Add("pydoclint", func(p *tool.Parser) {
	p.Is("pydoclint", result.Lint, 1, "pydoclint 0.3 and later: grouped by file, and the file in every line")
	code := func(f *result.Finding) { f.Rule = "DOC" + f.Rule }
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "{path}:{line}: DOC{rule}: {message}", Fit: code},
		{Form: "    {line}: DOC{rule}: {message}", Fit: code},
		{Form: "Skipping files that match this pattern: {}", As: read.Skip},
		{Form: "🎉 No violations{}", As: read.Close},
		{Form: "{path}", As: read.InPath},
	}}.Parse})
	p.Reads(read.PythonTrouble("pydoclint"))
})

var _ = Room.Add("slotscheck", func(p *tool.Parser) {
	p.Is("slotscheck", result.Lint, 1, "slotscheck 0.1x: default and verbose")
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{ // {id} is a module and its class, "shop:Item"
		{Form: "ERROR: '{id}' {message}"},
		{Form: "ERROR: {message}", As: read.Misuse},
		{Form: "Oh no, found some problems!", As: read.Skip},
		{Form: "All OK!{}", As: read.Skip},
		{Form: "Scanned {}", As: read.Skip},
	}, Below: read.Indented}.Parse})
	read.InPython(p)
})

var _ = Room.Add("yapf | yapf3", func(p *tool.Parser) {
	p.Is("yapf", result.Format, 1, "yapf 0.30 to 0.43: --diff, --quiet, files that do not parse")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "diff", Parse: read.Patch{Says: unformatted, Other: yapfLine}.Parse})
	read.InPython(p)
})

// yapfLine reads "yapf: src/a.py:1:7: invalid syntax" and "yapf: text".
func yapfLine(s *read.Sink, l tool.Line) bool {
	text, ok := strings.CutPrefix(l.Text, "yapf: ")
	if !ok || strings.HasPrefix(text, "error: ") {
		return false
	}
	if at, message, placed := place.Cut(text); placed {
		return s.Find(l, result.Finding{Rule: "invalid-syntax", Message: message, At: &at})
	}
	return s.Misuse(l, text)
}

var _ = Room.Add("autoflake", func(p *tool.Parser) {
	p.Is("autoflake", result.Lint, 1, "autoflake 1.x and 2.x: --check, --check-diff, --stdout")
	p.Reads(tool.Format{Name: "text", Parse: read.Patch{Says: unusedNames, Other: autoflakeLine}.Parse})
	read.InPython(p)
})

var unusedNames = result.Finding{Rule: "unused", Message: "Unused imports/variables detected", Fixable: true}

// autoflakeLine reads "src/a.py: Unused imports/variables detected". With --check-diff, the file
// already has a finding from its difference, so the line adds nothing.
func autoflakeLine(s *read.Sink, l tool.Line) bool {
	if path, ok := strings.CutSuffix(l.Text, ": "+unusedNames.Message); ok {
		if n := len(s.Findings); n > 0 && s.Findings[n-1].At != nil && s.Findings[n-1].At.Path == path {
			return true
		}
		f := unusedNames
		f.At = &result.Location{Path: path}
		return s.Find(l, f)
	}
	if strings.HasSuffix(l.Text, ": No issues detected!") {
		return s.Sign(l)
	}
	return notThere(s, l)
}

var _ = Room.Add("flake8", func(p *tool.Parser) {
	p.Is("flake8", result.Lint, 1, "flake8 3.8 to 7.3: default, pylint, colored, wemake, --show-source, --count, --statistics, -q")
	p.ColumnUnit = "char"
	p.Files = []tool.Files{{Flags: tool.OutputFlags("flake8", "--output-file")}}
	p.Reads(codeTemplate.Format("flake8"))
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*codeLines).line)})
	p.Reads(tool.Format{Name: "wemake", Parse: read.IfFound(read.Grouped{Row: read.RowForm{Rule: read.First, Ruled: true, Default: result.SevError}, Other: wemakeSource}.Parse)})
	read.InPython(p)
}, tool.WritesFiles)

// wemakeSource reads the lines of --format=wemake below a finding: the code, and "^" below the place.
func wemakeSource(s *read.Sink, l tool.Line) bool {
	return strings.HasPrefix(l.Text, "  ") && s.Last() != nil && s.More(l) || strings.HasPrefix(l.Text, "Full list of violations and explanations:") && s.Close(l)
}

// isQuietPath reports whether a line may be the name of a file, which is all that -q prints.
func isQuietPath(l tool.Line) bool {
	return l.Stream == tool.Stdout && strings.HasSuffix(l.Text, ".py") && !strings.Contains(l.Text, ": ") && !strings.HasPrefix(l.Text, " ")
}

func isQuiet(in *tool.Input) bool {
	return slices.ContainsFunc(in.Command().Argv, func(a string) bool { return a == "-q" || a == "--quiet" || a == "-qq" })
}
