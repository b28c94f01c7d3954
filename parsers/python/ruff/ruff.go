// Package ruff reads ruff check and ruff format, versions 0.0.200 to 0.17, in every --output-format.
//
// # The formats
//
// The default format until 0.5 is concise, "path:line:column: CODE [*] message". Later it is full, which adds the
// source below. Since 0.13, full begins with "CODE [*] message" and has the place in a line of its own, " -->
// path:1:2". A syntax error has no code: it is "SyntaxError: message", "E999 SyntaxError: message" (0.4) or
// "invalid-syntax: message". With --preview, ruff prints the name of a rule in place of its code. In a notebook,
// ":cell 3" follows the path, and lines count within the cell.
//
// Findings are on stdout. Errors that kept ruff from reading the code, and warnings, are on stderr. A closing line
// says how many errors there are. "ruff format --check" is a tool of its own here: it closes with the numbers of
// files, and since 0.14 prints the same frames with the rule "unformatted".
//
// # What a finding is
//
// The rule is the code, or "invalid-syntax". The message is the same for all formats: with the
// label of the place, without "SyntaxError: ". The severity is error, since ruff has no other,
// except for a warning on stderr. Fixable means "[*]": --fix would mend the finding.
package ruff

import (
	"net/url"
	"slices"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Check declares ruff check.
func Check(p *tool.Parser) {
	p.Is(ruffCheck, result.Lint, 3, "ruff check 0.0.200 to 0.17: full, concise, grouped, statistics, diff and every --output-format")
	p.Files = []tool.Files{{Flags: tool.OutputFlags("ruff", "-o", "--output-file")}}
	p.JUnit = &tool.Dialect{Own: true, Suite: func(tag *tool.SuiteTag) bool { return tag.All && tag.Name == "ruff" }}
	declare(p, nil, `"description": "(`, `"description": "SyntaxError: `)
}

// Format declares ruff format.
func Format(p *tool.Parser) {
	p.Is(ruffFormat, result.Format, 3, "ruff format 0.1 to 0.17: --check, --diff and every --output-format")
	p.Family = "ruff"
	declare(p, ruffFormatStarts)
}

// declare declares what the two tools share. starts are further beginnings of their text, issues of their format gitlab.
func declare(p *tool.Parser, starts []string, issues ...string) {
	name := p.Tool
	p.ColumnUnit = "char"
	p.Matches = func(argv []string) bool { return ruffCommand(argv) == name }
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Starts: ruffJSONStarts, Sniff: isRuffJSON, Parse: ruffDocument(name, readRuffJSON)})
	p.Reads(tool.Format{Name: "sarif", Starts: ruffNamed, Sniff: isRuffNamed, Parse: ruffDocument(name, readRuffSARIF)})
	p.Reads(tool.Format{Name: "rdjson", Starts: ruffNamed, Sniff: isRuffNamed, Parse: ruffDocument(name, readRuffRDJSON)})
	p.Reads(tool.Format{Name: "gitlab", Starts: append([]string{`"check_name": "`}, issues...), Parse: ruffDocument(name, readRuffGitLab)})
	p.Reads(tool.Format{Name: "junit", Starts: []string{`<testsuites name="ruff"`}, Parse: ruffDocument(name, readRuffJUnit)})
	p.Reads(tool.Format{Name: "github", Starts: ruffGitHubStarts, Sniff: isRuffGitHub, Parse: ruffDocument(name, readRuffGitHub)})
	p.Reads(tool.Format{Name: "azure", Starts: []string{ruffAzureStart}, Parse: ruffDocument(name, readRuffAzures)})
	p.Reads(tool.Format{Name: "text", Starts: slices.Concat(ruffStarts, starts, place.PythonStarts()), Sniff: sniffRuff, Parse: parseRuffText(name)})
}

// The two tools, and the rules without a code.
const (
	ruffCheck       = "ruff"
	ruffFormat      = "ruff-format"
	ruffSyntax      = "invalid-syntax"
	ruffUnformatted = "unformatted"
	ruffIO          = "io"
)

// ruffJSONStarts lists members that no other tool has, in both layouts of JSON. A diagnostic until 0.0.260 has no
// "noqa_row", and a rule of --statistics until 0.14 no "fixable_count": these are known by their codes only.
var ruffJSONStarts = []string{`"noqa_row": `, `"fixable_count": `, `{…"noqa_row":`, `[…"noqa_row":`, `"code": "`}

func isRuffJSON(line string) bool {
	code, ok := strings.CutPrefix(strings.TrimSpace(line), `"code": "`)
	return !ok || isRuffCode(strings.TrimSuffix(code, `",`))
}

// ruffNamed lists the beginnings of a line that names the tool in SARIF and rdjson.
var ruffNamed = []string{`"name": "ruff"`, `{"$schema":…"name":"ruff"`, `{"diagnostics":…"name":"ruff"`}

func isRuffNamed(line string) bool {
	s := strings.TrimRight(strings.TrimSpace(line), ",")
	return s == `"name": "ruff"` || strings.HasPrefix(s, "{")
}

var ruffGitHubStarts = []string{"::error title=ruff", "::error title=Ruff", "::warning title=ruff", "::notice title=ruff", "::notice title=Ruff,file=",
	"##[error]….py:", "##[error]….ipynb:", "##[warning]….py:", "Error: ….py:"}

// ruffCommand returns the tool that argv runs; "" if it runs neither. Until 0.5, "ruff path" meant "ruff check path".
func ruffCommand(argv []string) string {
	if len(argv) == 0 || argv[0] != "ruff" {
		return ""
	}
	switch sub := ruffSubcommand(argv[1:]); sub {
	case "format":
		return ruffFormat
	case "rule", "config", "linter", "clean", "version", "server", "analyze", "help", "generate-shell-completion", "":
		return ""
	}
	return ruffCheck
}

func ruffSubcommand(args []string) string {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--config" || a == "--color":
			i++ // skips the option's value
		case !strings.HasPrefix(a, "-"):
			return a
		}
	}
	return ""
}

// ruffAsked returns the tool that the command runs directly, "" if none, and whether "ruff" occurs
// anywhere in the command.
func ruffAsked(in *tool.Input) (toolName string, named bool) {
	c := in.Command()
	if c.Direct {
		toolName = ruffCommand(c.Argv)
	}
	if in.Tool == ruffCheck || in.Tool == ruffFormat {
		toolName = in.Tool
	}
	return toolName, toolName != "" || strings.Contains(in.Shell+" "+strings.Join(in.Argv, " "), "ruff")
}

// ruffQuiet reports whether the command has -q or -s, which leave out the closing line.
func ruffQuiet(in *tool.Input) bool {
	if argv := in.Command().Argv; len(argv) > 0 && argv[0] == "ruff" {
		return slices.ContainsFunc(argv, isQuietFlag)
	}
	for command := range strings.FieldsFuncSeq(in.Shell, func(c rune) bool { return strings.ContainsRune(";&|\n", c) }) {
		words := strings.Fields(command)
		if i := slices.Index(words, "ruff"); i >= 0 && slices.ContainsFunc(words[i:], isQuietFlag) {
			return true
		}
	}
	return false
}

func isQuietFlag(a string) bool {
	return a == "--quiet" || a == "--silent" || len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.ContainsAny(a, "qs")
}

// ruffFinding returns the finding of a diagnostic, equal for all formats. code may be a rule's
// name, or "" for a syntax error.
func ruffFinding(code, message string, at result.Location) result.Finding {
	message = lex.OnOneLine(message)
	rest := strings.TrimPrefix(message, "SyntaxError: ")
	f := result.Finding{Kind: result.Diagnostic, Severity: result.SevError, Rule: code, Message: withoutLabel(code, rest), At: &at}
	switch known, ok := ruffCodes()[code]; {
	case code == "syntax-error", code == "":
		f.Rule = ruffSyntax
	case ok:
		f.Rule, f.RuleName = known, code
	}
	switch code {
	case ruffUnformatted: // ruff format formats the file
		f.Fixable = true
	case ruffPanic:
		f.Kind = result.Panic
	case ruffIO: // newer versions repeat the file in the message
		if file, what, two := strings.Cut(rest, ": "); two && namesFile(file, at.Path) {
			f.Message = what
		}
	}
	if at.Line == 0 && (code == ruffIO || code == "E902" || code == ruffPanic) {
		at.Line, at.Column = 1, 1 // as the other formats place a finding about a whole file
	}
	return f
}

// namesFile reports whether file, from a message, is the finding's file, whose path is a URL in SARIF.
func namesFile(file, path string) bool {
	if !strings.HasPrefix(path, "file:") {
		return strings.HasSuffix(file, path)
	}
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	return strings.HasSuffix(path, strings.ReplaceAll(file, `\`, "/"))
}

// withoutLabel removes the label "x redefined here" from a message of F811. Only some of the formats of 0.12
// to 0.17 have this label, and no other rule has any.
func withoutLabel(code, message string) string {
	if code != "F811" && code != "redefined-while-unused" {
		return message
	}
	if before, label, ok := strings.Cut(message, ": `"); ok && strings.HasSuffix(label, "` redefined here") {
		return before
	}
	return message
}
