package data

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// dbt runs both models and tests. A run counts as a test run if it has tests.
var _ = Room.Add("dbt", func(p *tool.Parser) {
	p.Is("dbt", result.Test, 1, "dbt 1.3 to 1.11: run, test, build, compile, seed, snapshot, source freshness, as text and with --log-format json")
	p.Builds = true
	p.Reads(tool.Format{Name: "json", Parse: func(in *tool.Input) *tool.Report {
		d := &dbtRun{said: map[string]*dbtSaid{}}
		return d.orText(read.JSON{Clean: true, End: d.endJSON, Items: map[string]func(*read.Sink, []byte) error{"": read.Item(d.event)}}.Parse(in))
	}})
	p.Reads(tool.Format{Name: "text", Starts: []string{"0… Running with dbt=", "1… Running with dbt=", "2… Running with dbt="}, Named: true, Parse: parseDbt})
	read.InPython(p)
})

func parseDbt(in *tool.Input) *tool.Report {
	d := &dbtRun{}
	rep := read.Text{End: d.end, Line: func(s *read.Sink, l tool.Line) bool {
		text := cutDbtTime(l.Text)
		d.anew(s, len(text) < len(l.Text))
		known := d.line(s, text, func(f result.Finding) { s.Find(l, f) }, func() { s.More(l) })
		return known || len(text) < len(l.Text)
	}}.Parse(in)
	return d.orText(rep)
}

type dbtRun struct {
	shown bool   // the output has a compiled node or a preview of rows, which the command asked for
	diff  bool   // the difference of a unit test is being read
	fatal bool   // "Encountered an error:" was read, and the error follows
	kind  string // kind of the fatal error, such as "Compilation Error"
	ended bool
	from  int                 // index of the first finding of this run
	warns bool                // the text of a warning continues up to the next event
	said  map[string]*dbtSaid // what the events of the JSON log say, by node
	stale map[string]string   // "ERROR STALE freshness of raw.events", by the name of the table
}

// cutDbtTime removes the time, "12:00:01  ", from the beginning of a line.
func cutDbtTime(text string) string {
	if len(text) >= 9 && text[2] == ':' && text[5] == ':' && text[8] == ' ' && lex.IsDigits(text[:2]+text[3:5]+text[6:8]) {
		return strings.TrimPrefix(text[9:], " ")
	}
	return text
}

// line reads a line without its time:
//
//	Failure in test not_null_orders_total (models/schema.yml)
//	  Got 1 result, configured to fail if != 0
//	  compiled code at target/compiled/shop/…
//	Done. PASS=5 WARN=1 ERROR=1 SKIP=2 NO-OP=0 TOTAL=9
func (d *dbtRun) line(s *read.Sink, text string, find func(result.Finding), more func()) bool {
	if f, ok := cutDbtHead(text); ok {
		d.fatal = false
		if !d.inside(s, f) {
			d.again(s, f.ID)
			find(f)
		}
		return true
	}
	text = strings.TrimSpace(text)
	switch f := s.Last(); {
	case lex.HasAnyPrefix(text, "Compiled node '", "Previewing node '", "Compiled inline node is", "Previewing inline node"):
		d.shown = true
	case strings.HasPrefix(text, "[WARNING]"):
		d.warning(s, text, find)
	case d.warns && f != nil:
		if len(f.Message) < lex.MaxHeadline {
			f.Message += " " + text
			f.At = orPath(f.At, f.Message)
		}
	case strings.HasPrefix(text, "Done. PASS="):
		d.tally(s, text)
	case strings.HasPrefix(text, "Running with dbt"):
		d.from = len(s.Findings)
		s.Version, s.Signed = strings.TrimPrefix(strings.TrimPrefix(text, "Running with dbt"), "="), true
	case text == "Encountered an error:":
		d.fatal, d.kind, s.Signed = true, "", true
		s.Break()
	case d.fatal:
		d.which(text, find)
	case strings.HasPrefix(text, "The selection criterion '"), strings.HasPrefix(text, "Nothing to do. "):
		find(result.Finding{Severity: result.SevWarning, Message: text})
		s.Break()
	case strings.Contains(text, " freshness of ") && !strings.Contains(text, " START "):
		d.late(text)
		s.Break()
	case strings.Contains(text, " START "), strings.Contains(text, " of ") && strings.HasSuffix(text, "]"):
		s.Tested = s.Tested || strings.Contains(text, " START test ") || strings.Contains(text, " START unit_test ")
		s.Break()
	case f == nil || text == "":
		return text == ""
	case strings.HasPrefix(text, "compiled code at "):
		f.Locations = append(f.Locations, result.Location{Path: strings.TrimPrefix(text, "compiled code at ")})
		more()
		s.Break()
	case strings.HasPrefix(text, "Error encountered in ") && f.At == nil:
		f.At = &result.Location{Path: strings.TrimPrefix(text, "Error encountered in ")}
		more()
	case strings.HasSuffix(f.Message, " - Runtime Error"): // the exception is on this line
		f.Message = strings.TrimSuffix(f.Message, " - Runtime Error") + ": " + text
		more()
	case f.Message == "":
		f.Message, f.At = text, orPath(f.At, text)
		d.diff = text == "actual differs from expected:"
		more()
	case d.diff:
		d.row(f, text)
		more()
	default:
		more()
	}
	return true
}

// warning reads "[WARNING][MissingArgumentsPropertyInGenericTestDeprecation]: Deprecated",
// which continues below. The summary at the end of the run repeats earlier warnings.
func (d *dbtRun) warning(s *read.Sink, text string, find func(result.Finding)) {
	rule, message, _ := strings.Cut(strings.TrimPrefix(text, "[WARNING]"), ": ")
	if rule = strings.Trim(rule, "[]"); rule == "DeprecationsSummary" && slices.ContainsFunc(s.Findings, func(f result.Finding) bool { return strings.HasSuffix(f.Rule, "Deprecation") }) {
		s.Break()
		return
	}
	find(result.Finding{Severity: result.SevWarning, Rule: rule, Message: message})
	s.Count("warning", 1) // the closing line does not count these
	d.warns = true
}

// anew ends the text of a warning if a new event begins.
func (d *dbtRun) anew(s *read.Sink, begins bool) {
	if begins && d.warns {
		d.warns = false
		s.Break()
	}
}

// late keeps the progress line of a source that is too old: "1 of 2 ERROR STALE freshness of
// raw.events ..... [ERROR STALE in 0.09s]". The list of failures has only the status.
func (d *dbtRun) late(text string) {
	_, text, _ = strings.Cut(text, " of ")
	_, text, _ = strings.Cut(text, " ")
	text, _, _ = strings.Cut(text, " ...")
	if len(d.stale) < 10_000 {
		lex.Put(&d.stale, text[strings.LastIndexByte(text, '.')+1:], text)
	}
}

// which takes the message of a fatal error, or the kind of the error on the line above.
func (d *dbtRun) which(text string, find func(result.Finding)) {
	if d.kind == "" && strings.HasSuffix(text, " Error") {
		d.kind = text
		return
	}
	if text != "" {
		find(result.Finding{Kind: result.GenericFinding, Rule: d.kind, Message: text, At: orPath(nil, text)})
		d.fatal = false
	}
}

// row takes a row of the table of a unit test's differences. The first cell has the kind of
// difference; in the others, an arrow separates the expected and the actual value:
//
//	@@ ,id,total
//	→  ,1 ,99→30
func (d *dbtRun) row(f *result.Finding, text string) {
	if len(f.Message) < 300 {
		f.Message += " " + strings.Join(strings.Fields(strings.ReplaceAll(text, " ,", ",")), " ")
	}
}

// orText returns nil if the command asks for compiled SQL or a preview, so that the output itself
// is shown. A report with findings is always kept.
func (d *dbtRun) orText(rep *tool.Report) *tool.Report {
	if d.shown && rep != nil && len(rep.Findings) == 0 {
		return nil
	}
	return rep
}

// again drops earlier findings of a node in this run: with --fail-fast and --debug, an error is printed at once and
// again at the end.
func (d *dbtRun) again(s *read.Sink, id string) {
	if d.from <= len(s.Findings) {
		s.Findings = slices.Concat(s.Findings[:d.from:d.from], slices.DeleteFunc(s.Findings[d.from:], func(f result.Finding) bool { return f.ID == id && id != "" }))
	}
}

// inside reports whether the head f, below "Failure in model x (path)", only adds the kind of error to that finding,
// and sets the finding's rule to it.
func (d *dbtRun) inside(s *read.Sink, f result.Finding) bool {
	last := s.Last()
	if last == nil || last.ID != f.ID || last.Message != "" {
		return false
	}
	last.Rule = f.Rule
	return true
}

// orPath returns at, or, if at is nil, the path in a message about a model: "Model
// 'model.shop.a' (models/a.sql) depends on …".
func orPath(at *result.Location, text string) *result.Location {
	_, rest, _ := strings.Cut(text, " (")
	path, _, ok := strings.Cut(rest, ")")
	if at == nil && ok && strings.Contains(path, "/") && !strings.Contains(path, " ") {
		return &result.Location{Path: path}
	}
	return at
}

// cutDbtHead reads "Failure in test x (models/schema.yml)", "Warning in …", and
// "Database Error in model x (models/x.sql)".
func cutDbtHead(text string) (f result.Finding, ok bool) {
	text = strings.TrimSpace(text)
	what, rest, ok := strings.Cut(text, " in ")
	kind, rest, has := strings.Cut(rest, " ")
	id, path, placed := strings.Cut(strings.TrimSuffix(rest, ")"), " (")
	if !ok || !has || !placed || !strings.HasSuffix(rest, ")") || strings.Contains(id, " ") || !lex.IsOneOf(kind, "test unit_test model seed snapshot source operation hook sql function analysis exposure macro") {
		return f, false
	}
	f = result.Finding{Kind: result.BuildError, Severity: result.SevFailure, ID: id, At: &result.Location{Path: path}}
	if kind == "test" || kind == "unit_test" {
		f.Kind = result.TestFailure
	}
	switch {
	case what == "Warning":
		f.Kind, f.Severity = result.Diagnostic, result.SevWarning
	case what == "Failure", what == "Error":
	case strings.HasSuffix(what, " Error"):
		f.Rule = what
	default:
		return f, false
	}
	return f, true
}

func dbtCount(word string) string {
	return lex.Means(word, "passed: PASS; warning: WARN; failed: ERROR; skipped: SKIP")
}

func (d *dbtRun) tally(s *read.Sink, text string) {
	for part := range strings.FieldsSeq(strings.TrimPrefix(text, "Done. ")) {
		name, n, _ := strings.Cut(part, "=")
		if key := dbtCount(name); key != "" && lex.IsDigits(n) && len(n) < 9 {
			s.Score(key, lex.Atoi(n))
		}
	}
	d.ended, s.Signed = true, true
	s.Break()
}

// end completes the findings. A run without "Done." does not count as tested.
func (d *dbtRun) end(s *read.Sink) {
	s.Tested = s.Tested && d.ended
	for i := range s.Findings {
		f := &s.Findings[i]
		if said := d.stale[f.ID]; said != "" && (f.Message == "" || strings.HasPrefix(f.Message, "Status: ")) {
			f.Message = said
		}
		f.Message = cmp.Or(f.Message, "failed")
	}
}
