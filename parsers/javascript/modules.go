package javascript

import (
	"strings"

	"cairn/parsers/javascript/eslint"
	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// madge numbers the cycles of files that import each other, "1) a.ts > b.ts"; with --json each cycle is a list. Its
// other lists, such as all files with their imports, have no findings.
var _ = Room.Add("madge", func(p *tool.Parser) {
	p.Is("madge", result.Lint, 1, "madge 5 to 8: --circular, text and --json")
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: madgeRows}.Parse})
	p.Reads(tool.Format{Name: "json", Parse: read.IfFound(read.JSON{Items: read.Items(func(s *read.Sink, files *[]string) {
		if len(*files) > 0 {
			s.FindHere(madgeCircle(*files))
		}
	}, "/*")}.Parse)})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("✖ Error: ", "error: ")})
})

var madgeRows = []read.Row{
	{Form: "✖ Found {#problems} circular dependenc{}", As: read.Close},
	{Form: "✔ No circular dependency found{}", As: read.Close},
	{Form: "{line}) {message}", Fit: func(f *result.Finding) { *f = madgeCircle(strings.Split(f.Message, " > ")) }},
}

func madgeCircle(files []string) result.Finding {
	return result.Finding{Rule: "circular", Message: strings.Join(files, " > "), At: &result.Location{Path: files[0]}}
}

var _ = Room.Add("depcruise | dependency-cruiser dependency-cruise", func(p *tool.Parser) {
	p.Is("dependency-cruiser", result.Lint, 1, "dependency-cruiser 9 to 17: err, err-long")
	p.Reads(tool.Format{Name: "text", Starts: []string{"✔ no dependency violations found (", "x … dependency violations (", "✘ … dependency violations ("}, Parse: read.Text{Line: cruiseLine, Closes: true}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Said{Errors: []string{"  ERROR: ", "ERROR: ", "error: "}, End: read.Misused}.Parse})
})

// cruiseLine reads "  error no-circular: src/b.js → ", the modules of the cycle below it, and the counts at the end.
func cruiseLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	word, rest, _ := strings.Cut(text, " ")
	rule, way, ok := strings.Cut(rest, ": ")
	severity := read.SeverityOf(word)
	switch {
	case ok && severity != "" && strings.HasPrefix(l.Text, "  ") && !strings.Contains(rule, " "):
		from, _, _ := strings.Cut(way, " →")
		return s.Find(l, result.Finding{Severity: severity, RawSeverity: word, Rule: rule, Message: strings.TrimSuffix(strings.TrimSpace(way), " →"), At: &result.Location{Path: from}})
	case strings.Contains(text, " dependency violations (") || strings.HasPrefix(text, "✔ no dependency violations found"):
		return s.Found(l, read.Counts(text)["errors"])
	case s.Last() != nil && strings.HasPrefix(l.Text, "      "):
		s.Last().Message += " → " + strings.TrimSuffix(text, " →")
		return s.More(l)
	case s.Last() != nil && text != "":
		return s.More(l)
	}
	return false
}

var _ = Room.Add("ts-prune", func(p *tool.Parser) {
	p.Is("ts-prune", result.Lint, 1, "ts-prune 0.8 to 0.10: default")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: tsPruneLine}.Parse})
})

// tsPruneLine reads "src/lib.ts:2 - dead": an export that no other file imports, sometimes followed by
// "(used in module)".
func tsPruneLine(s *read.Sink, l tool.Line) bool {
	where, name, ok := strings.Cut(l.Text, " - ")
	at := read.PlaceOf(where)
	if !ok || at == nil || at.Line == 0 {
		return false
	}
	s.Find(l, result.Finding{Severity: result.SevWarning, Message: name, At: at})
	return s.Break()
}

var _ = Room.Add("es-check", func(p *tool.Parser) {
	p.Is("es-check", result.Lint, 1, "es-check 5 to 9: files that are not of the version of ECMAScript")
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{
		Rows: []read.Row{
			{Form: "  · erroring file: {} at {place}", As: read.Error},
			{Form: "  · erroring file: {path}", As: read.Error},
			{Form: "  · error: {rule}: {message} ({})", As: read.Fill},
			{Form: "error: ES-Check: there were {#error} ES version matching errors.", As: read.Close},
			{Form: "  ES-Check Error:", As: read.Skip},
		},
		Below: read.Indented,
	}.Parse})
})

var _ = Room.Add("tsd", func(p *tool.Parser) {
	p.Is("tsd", result.Typecheck, 1, "tsd 0.20 to 0.33: tests of type definitions")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "pretty", Parse: eslint.Pretty})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Error running tsd:", "The type definition `", "Error: ")})
})

var _ = Room.Add("jscpd", func(p *tool.Parser) {
	p.Is("jscpd", result.Lint, 1, "jscpd 3 and 4: console, consoleFull, xcode, silent")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Clone found ("}, Named: true, Parse: read.Lines((*jscpd).line)})
})

// jscpd reads a clone with both of its places. The reporter consoleFull prints each clone twice.
//
//	Clone found (typescript):
//	 - src/a.ts [3:8 - 12:2] (9 lines, 156 tokens)
//	   src/b.ts [3:9 - 12:2]
type jscpd struct {
	first result.Location
	size  string
	head  tool.Line // the first line of a clone whose places are being read
	told  map[string]bool
}

func (c *jscpd) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	path, rest, placed := strings.Cut(strings.TrimPrefix(text, "- "), " [")
	span, size, closed := strings.Cut(rest, "]")
	from, to, both := strings.Cut(span, " - ")
	line, column, isPosition := strings.Cut(from, ":")
	last, _, _ := strings.Cut(to, ":")
	at := result.Location{Path: path, Line: lex.LeadingNumber(line), Column: lex.LeadingNumber(column), EndLine: lex.LeadingNumber(last)}
	switch {
	case strings.HasPrefix(text, "Clone found ("):
		c.head, c.first = l, result.Location{}
		return s.Sign(l)
	case placed && closed && both && isPosition && c.head.End > 0 && c.first.Path == "":
		c.first, c.size = at, strings.Trim(size, " ()")
		return true
	case placed && closed && both && isPosition && c.head.End > 0:
		c.clone(s, l, at)
		return true
	case strings.HasPrefix(text, "ERROR: jscpd found too many duplicates"):
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.TrimPrefix(text, "ERROR: ")})
	}
	return c.head.End > 0 && text == ""
}

func (c *jscpd) clone(s *read.Sink, l tool.Line, second result.Location) {
	if key := c.first.String() + " " + second.String(); !c.told[key] {
		lex.Put(&c.told, key, true)
		c.head.End = max(c.head.End, l.End)
		first := c.first
		s.Find(c.head, result.Finding{
			Severity: result.SevWarning, Message: c.size + " are those of " + second.Path, At: &first,
			Related: []result.Related{{Message: "the same", At: &second}},
		})
		s.Break()
	}
	c.head = tool.Line{}
}
