package javascript

import (
	"encoding/json"
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("svelte-check", func(p *tool.Parser) {
	p.Is("svelte-check", result.Typecheck, 1, "svelte-check 2 to 4: human, human-verbose, machine, machine-verbose")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "human", Starts: []string{"svelte-check found "}, Parse: read.Text{Line: svelteLine, Closes: true}.Parse})
	p.Reads(tool.Format{Name: "machine", Parse: read.Text{Line: svelteMachine, Closes: true}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Error: ", "error ")})
})

// svelteLine reads a place, "path:7:1", and below it a message of one or more lines, "Warn: text (svelte)".
func svelteLine(s *read.Sink, l tool.Line) bool {
	for word, severity := range map[string]result.Severity{"Error: ": result.SevError, "Warn: ": result.SevWarning, "Hint: ": result.SevInfo} {
		if message, ok := strings.CutPrefix(l.Text, word); ok && s.Path != "" {
			message, source := read.Parens.Cut(message)
			f := result.Finding{Severity: severity, RawSeverity: strings.TrimSuffix(word, ": "), Message: message, At: place.LastColons(s.Path)}
			if source != "" {
				f.Tags = []string{source}
			}
			s.Find(l, f)
			s.Path = ""
			return true
		}
	}
	switch at := place.LastColons(l.Text); {
	case at != nil && !strings.Contains(l.Text, "://") && jserror.IsScript(path.Base(at.Path)):
		s.Path = l.Text
		return s.Break()
	case strings.HasPrefix(l.Text, "svelte-check found "):
		return s.Found(l, lex.LeadingNumber(l.Text[len("svelte-check found "):]))
	case s.Last() != nil:
		if url, _, _ := strings.Cut(l.Text, " "); s.Last().Rule == "" {
			svelteRule(s.Last(), url)
		}
		return s.More(l)
	}
	return false
}

// svelteMachine reads `1795353977765 ERROR "src/App.svelte" 4:21 "text"`, and "COMPLETED 5 FILES 4 ERRORS" at the
// end.
func svelteMachine(s *read.Sink, l tool.Line) bool {
	stamp, rest, ok := strings.Cut(l.Text, " ")
	if ok && lex.IsDigits(stamp) && strings.HasPrefix(rest, "{") {
		return svelteVerbose(s, l, rest)
	}
	word, rest, _ := strings.Cut(rest, " ")
	if !ok || !lex.IsDigits(stamp) {
		return false
	}
	if word == "COMPLETED" {
		counts := read.Counts(rest)
		return s.Found(l, counts["errors"])
	}
	if word == "START" {
		s.Path = strings.Trim(rest, `"`) // the folder of the paths below
		return true
	}
	severity := read.SeverityOf(word)
	name, rest, _ := strings.Cut(strings.TrimPrefix(rest, `"`), `" `)
	where, message, quoted := strings.Cut(rest, " ")
	at := place.LastColons(path.Join(s.Path, name) + ":" + where)
	if severity == "" || at == nil || !quoted {
		return false
	}
	message = strings.ReplaceAll(strings.Trim(message, `"`), `\"`, `"`)
	message, url, _ := strings.Cut(message, `\n`)
	f := result.Finding{Severity: severity, RawSeverity: word, Message: message, At: at}
	svelteRule(&f, url)
	return s.Find(l, f)
}

// svelteVerbose reads the JSON of machine-verbose, in which lines and columns are 0-based.
func svelteVerbose(s *read.Sink, l tool.Line, text string) bool {
	var v struct {
		Type, Filename, Message, Source string
		Start                           struct{ Line, Character int }
		Code                            any
	}
	if json.Unmarshal([]byte(text), &v) != nil || read.SeverityOf(v.Type) == "" {
		return false
	}
	message, url, _ := strings.Cut(v.Message, "\n")
	f := result.Finding{Severity: read.SeverityOf(v.Type), RawSeverity: v.Type, Message: message, At: &result.Location{Path: path.Join(s.Path, v.Filename), Line: v.Start.Line + 1, Column: v.Start.Character + 1}}
	svelteRule(&f, url)
	return s.Find(l, f)
}

// svelteRule sets the rule from the address of its documentation, "https://svelte.dev/e/" and the rule's name.
func svelteRule(f *result.Finding, url string) {
	if rule, ok := strings.CutPrefix(url, "https://svelte.dev/e/"); ok {
		f.Rule, f.RuleURL = rule, url
	}
}

var _ = Room.Add("flow", func(p *tool.Parser) {
	p.Is("flow", result.Typecheck, 1, "flow 0.70 to 0.300: check, status, --json")
	p.ColumnUnit = "utf16"
	p.Exits = map[int]result.Meaning{12: result.MeansUsage, 64: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"Error ----------", "Warning ----------"}, Parse: read.Text{Line: flowLine}.Parse})
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(flowError, "/errors/*"), Clean: true}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Said{Usage: []string{"Could not find a .flowconfig"}}.Parse})
})

// flowLine reads "Error ------ a.js:2:19", the message in a paragraph below it, and the source. Code that the message
// refers to follows with its own places.
func flowLine(s *read.Sink, l tool.Line) bool {
	word, rest, _ := strings.Cut(l.Text, " ")
	if severity := read.SeverityOf(word); severity != "" && strings.HasPrefix(rest, "---") {
		head, below, oneLine := strings.Cut(rest, `\n\n`) // with --one-line
		if at := place.LastColons(strings.TrimLeft(head, "- ")); at != nil {
			s.Path = "message"
			s.Find(l, result.Finding{Severity: severity, RawSeverity: strings.ToLower(word), Message: word, At: at})
			if message, _, _ := strings.Cut(below, `\n\n`); oneLine {
				f := s.Last()
				f.Message, f.Rule = read.Brackets.Cut(strings.ReplaceAll(message, `\n`, " "))
				s.Break()
			}
			return true
		}
	}
	f := s.Last()
	switch n, ok := strings.CutPrefix(l.Text, "Found "); {
	case ok && strings.Contains(n, " error"):
		return s.Close(l)
	case f == nil:
		return false
	case l.Text == "":
		if !lex.IsOneOf(f.Message, "Error Warning") {
			s.Path = ""
		}
	case s.Path != "" && lex.IsOneOf(f.Message, "Error Warning"):
		f.Message, f.Rule = read.Brackets.Cut(strings.Clone(l.Text))
	case s.Path != "":
		message, rule := read.Brackets.Cut(l.Text)
		f.Message, f.Rule = f.Message+" "+message, rule
	}
	return s.More(l)
}

// flowReport is an element of "errors" in the output of --json.
type flowReport struct {
	Level      string
	ErrorCodes []string `json:"error_codes"`
	Message    []struct {
		Descr string
		Loc   *struct {
			Source string
			Start  struct{ Line, Column int }
		}
	}
}

func flowError(s *read.Sink, v *flowReport) {
	f := result.Finding{Severity: read.SeverityOf(v.Level), RawSeverity: v.Level}
	for _, m := range v.Message {
		f.Message = strings.TrimSpace(f.Message + " " + m.Descr)
		if m.Loc != nil && f.At == nil {
			f.At = &result.Location{Path: m.Loc.Source, Line: m.Loc.Start.Line, Column: m.Loc.Start.Column}
		}
	}
	f.Message, f.Rule = read.Brackets.Cut(f.Message)
	s.FindHere(f)
}
