package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("rubocop | rubocop-daemon", func(p *tool.Parser) {
	p.Is("rubocop", result.Lint, 1, "RuboCop 1: progress, clang, quiet, simple, emacs, files, tap, github, offenses, worst, markdown, html, json")
	p.ColumnUnit = "char"
	p.Formats = rubocopFormats()
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
})

var rubocopJSON = read.Objects{
	At: []string{"/files/*"}, Clean: true, In: "offenses", Path: "path", Line: "location.start_line", Column: "location.start_column", EndLine: "location.last_line", EndColumn: "location.last_column",
	Rule: "cop_name", Severity: "severity", Message: "message", Fixable: "correctable", Detail: "corrected", Fit: rubocopOffense,
}

// rubocopOffense makes the end exclusive, and an offense that was corrected a note.
func rubocopOffense(f *result.Finding) {
	f.At.EndColumn++
	f.Message = strings.TrimPrefix(f.Message, f.Rule+": ")
	if f.Detail == "true" {
		f.Severity = result.SevInfo
	}
	f.Detail = ""
}

func rubocopFormats() []tool.Format {
	return []tool.Format{
		{Name: "json", Starts: []string{`{"metadata":{"rubocop_version":`}, Parse: rubocopJSON.Parse},
		{Name: "text", Starts: []string{"Inspecting … file", "Running RuboCop..."}, Sniff: isInspecting, Parse: rubocopText.Parse},
		{Name: "simple", Parse: read.Text{Line: rubocopSimple}.Parse},
		{Name: "named", Parse: rubocopText.Parse},
		{Name: "tap", Parse: read.Text{Line: rubocopTAP}.Parse},
		{Name: "markdown", Parse: rubocopMarkdown.Parse},
		{Name: "html", Parse: read.Sheet{Fit: rubocopPage}.Parse},
		{Name: "github", Parse: read.WorkflowCommands(nil)},
		{Name: "totals", Parse: read.Text{Line: rubocopTotal}.Parse},
		{Name: "files", Parse: read.Text{Line: rubocopPath}.Parse},
	}
}

// rubocopMarkdown reads a list for each file, in which the source stands below each item.
var rubocopMarkdown = read.Rows{Rows: []read.Row{
	{Form: "### {path} - ({} offense{}", As: read.InPath},
	{Form: "  * **Line # {line} - {severity}:** {rule}: {message}"},
}, Below: read.Indented}

// rubocopPage moves the rule from the start of the message to Rule.
func rubocopPage(f *result.Finding) { f.Message, f.Rule = read.Colon.Cut(f.Message) }

// rubocopText reads "app/a.rb:1:8: C: [Correctable] Layout/X: text", the source
// below it, and the closing line.
var rubocopText = read.Linter{Plain: true, Accept: rubocopAccept, Below: rubocopSource, Other: rubocopOther, Severity: rubocopSeverity}

// rubocopSeverity returns the severity of a letter or word: "C" and "convention" are warnings.
func rubocopSeverity(word string) result.Severity {
	return result.Severity(lex.Means(word, "error: f, e, fatal, error; warning: w, c, r; info: i, corrected"))
}

func rubocopAccept(d *read.Diagnostic) bool {
	letter, message, ok := strings.Cut(d.Message, ": ")
	if !ok || len(letter) != 1 || !strings.Contains("FEWCRI", letter) {
		return false
	}
	d.Word = strings.ToLower(letter)
	if rest, was := strings.CutPrefix(message, "[Corrected] "); was {
		d.Word, message = "corrected", rest
	}
	message = strings.TrimPrefix(message, "[Correctable] ")
	if cop, rest, ok := strings.Cut(message, ": "); ok && isCop(cop) {
		d.Rule, message = cop, rest
	}
	d.Message = message
	return true
}

// isCop reports whether word is the name of a rule: "Layout/LineLength", "RSpec/Rails/HaveHttpStatus".
func isCop(word string) bool {
	return strings.Contains(word, "/") && isClass(strings.ReplaceAll(word, "/", ""))
}

// rubocopSource reports whether a line is the source or the carets below an offense.
func rubocopSource(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	return f != nil && strings.Count(f.Detail, "\n") < 2 && l.Text != "" && !strings.Contains(l.Text, " inspected, ") && !strings.HasPrefix(l.Text, "== ")
}

func rubocopOther(s *read.Sink, l tool.Line) bool {
	t := l.Text
	switch {
	case strings.Contains(t, " inspected, ") && strings.Contains(t, " offense"):
		return s.Close(l)
	case l.Stream == tool.Stderr && isRubocopTrouble(t):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: t})
		return s.Break()
	case strings.HasPrefix(t, "An error occurred while "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: t})
		s.Break()
		s.Meaning = result.MeansInternal
		return true
	}
	return t == "" || t == "Offenses:" || strings.HasPrefix(t, "Inspecting ") || strings.Trim(t, ".CWEFRI") == ""
}

func isRubocopTrouble(t string) bool {
	return lex.HasAnyPrefix(t, "Configuration file not found: ", "Unrecognized cop", "invalid option: ", "Error: ", "Error in ", "cannot load such file", "The following cops were added") || strings.Contains(t, ": ") && strings.HasSuffix(strings.SplitN(t, ":", 2)[0], ".yml")
}

// rubocopSimple reads "== app/a.rb ==" and "C:  1:  8: [Correctable] text".
func rubocopSimple(s *read.Sink, l tool.Line) bool {
	t := l.Text
	if path, ok := strings.CutPrefix(t, "== "); ok && strings.HasSuffix(path, " ==") {
		s.Path = strings.TrimSuffix(path, " ==")
		return true
	}
	if f := strings.SplitN(t, ":", 4); len(f) == 4 && s.Path != "" && len(f[0]) == 1 {
		d := read.Diagnostic{Message: f[0] + ":" + f[3]}
		if line, column := lex.Atoi(strings.TrimSpace(f[1])), lex.Atoi(strings.TrimSpace(f[2])); line > 0 && rubocopAccept(&d) {
			return s.Find(l, result.Finding{
				Severity: rubocopSeverity(d.Word), RawSeverity: d.Word, Rule: d.Rule, Message: d.Message,
				At: &result.Location{Path: s.Path, Line: line, Column: column},
			})
		}
	}
	return (s.Path != "" || s.Signed) && rubocopOther(s, l)
}

// rubocopPath reads -f files, which prints one path on each line.
func rubocopPath(s *read.Sink, l tool.Line) bool {
	if !strings.HasSuffix(l.Text, ".rb") || l.Stream != tool.Stdout || strings.ContainsAny(l.Text, " :") {
		return false
	}
	return s.Find(l, result.Finding{Severity: result.SevWarning, Message: "has offenses", At: &result.Location{Path: l.Text}})
}

// isInspecting recognizes "Inspecting 4 files".
func isInspecting(line string) bool {
	f := strings.Fields(line)
	return line == "Running RuboCop..." || len(f) == 3 && lex.IsDigits(f[1]) && (f[2] == "file" || f[2] == "files")
}

// rubocopTAP reads the offenses that stand as comments below "not ok 1 - app/a.rb".
func rubocopTAP(s *read.Sink, l tool.Line) bool {
	text, ok := strings.CutPrefix(l.Text, "# ")
	d, placed := read.CutDiagnostic(text)
	if !ok || !placed {
		return ok || lex.HasAnyPrefix(l.Text, "not ok ", "ok ", "1..")
	}
	at, rest, _ := place.Cut(text)
	if d.Message, d.At = rest, at; !rubocopAccept(&d) {
		return true
	}
	s.Find(l, result.Finding{Severity: rubocopSeverity(d.Word), RawSeverity: d.Word, Rule: d.Rule, Message: d.Message, At: &d.At})
	return s.Break()
}

// rubocopTotal reads a row of -f offenses, "42   Layout/SpaceInsideParens", or of
// -f worst, "160  app/many.rb".
func rubocopTotal(s *read.Sink, l tool.Line) bool {
	n, what, ok := strings.Cut(l.Text, "  ")
	what = strings.TrimSpace(what)
	switch {
	case !ok || !lex.IsDigits(n) || what == "":
		return l.Text == "--" && s.Signed
	case strings.HasPrefix(what, "Total in "):
		s.Close(l)
	case isCop(strings.Fields(what)[0]):
		s.Find(l, result.Finding{Severity: result.SevWarning, Rule: strings.Fields(what)[0], Message: n + " offenses"})
	case strings.HasSuffix(what, ".rb") || strings.Contains(what, "/"):
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: n + " offenses", At: &result.Location{Path: what}})
	default:
		return false
	}
	return s.Break()
}
