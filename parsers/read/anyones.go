package read

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Diagnostics reads what any program may print when it fails: diagnostics as compilers and linters write them, a
// line each; "error: text" and "PROGRAM: text"; a sentence with an alarm word and a place in it. The output names
// no tool. If there are no findings, the files named in the head of a difference become findings.
func Diagnostics(in *tool.Input) *tool.Report {
	a := anyones{programs: programsOf(in)}
	a.forms = a.template.formsIn(in.Command(), nil)
	rep := Text{Line: a.line, Count: a.count, Passes: a.passes, End: a.end}.Parse(in)
	if a.differs && (rep == nil || len(rep.Findings) == 0) {
		return cmp.Or(differing(in), rep)
	}
	return rep
}

// anyones is the state of reading an output whose tool is unknown.
type anyones struct {
	Framed
	programs []string    // programs that the command runs
	own      []tool.Line // their last messages about themselves that have no alarm word
	alarms   []tool.Line // lines of alarm that have no form; two are enough to know that there are several
	lines    int
	before   int // lines without meaning before the program prints its usage
	template Template
	forms    [][]*Form // of templates on the command line, such as --format
	call     howto
	yaml     YAMLMarks
	differs  bool // a line may be of the head of a difference
	table    table
	thrown   thrown
	died     goPanic
	records  records
	schema   bool            // below a schema error: the lines show the schema and a part of the document
	quoted   int             // lines of source seen below the last finding
	headed   bool            // the last line was only "Error:"; the next one has the message
	path     []byte          // path of the last finding, if the finding is only counted, …
	at       result.Location // … and its position,
	said     []byte          // or the sentence that may contain both
}

// maxOwn bounds the lines about itself that are kept of a program. In an output of at most maxShort lines, the only
// line with an alarm word is taken for the reason.
const (
	maxOwn   = 64
	maxShort = 10
)

func programsOf(in *tool.Input) (programs []string) {
	command := in.Command()
	programs = append(programs, command.Program())
	for _, l := range command.Listed {
		programs = append(programs, l.Program())
	}
	return programs
}

// line takes a line, unless it belongs to a record, whose lines are handled at the record's end.
func (a *anyones) line(s *Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " ")
	if a.records.holds(l, text) {
		return false
	}
	if len(a.records.held) > 0 {
		a.endRecord(s)
		return a.line(s, l)
	}
	return a.single(s, l, text)
}

func (a *anyones) endRecord(s *Sink) {
	for _, l := range a.records.end(s) {
		if a.single(s, l, strings.TrimRight(l.Text, " ")) {
			s.Cover(l)
		}
	}
}

func (a *anyones) single(s *Sink, l tool.Line, text string) bool {
	if text == "" {
		return false
	}
	a.lines++
	a.differs = a.differs || strings.HasPrefix(text, "+++")
	if len(a.forms) > 0 && a.template.line(a.forms, s, l, new(bool)) {
		return true
	}
	if a.placeBelow(s, l, text) || a.schemaLine(s, l, text) {
		return true
	}
	a.records.head(text)
	if a.call.told(s, l) || a.yaml.Line(s, l) || a.Line(s, l) || a.table.line(s, l, text) || a.thrown.line(s, l, text) || a.died.line(s, l, text) || pairs(s, l) {
		return true
	}
	if isPrefixedFrame(text) {
		return false
	}
	if headed := a.headed; headed || text == "Error:" || text == "ERROR:" {
		a.headed = !headed
		return headed && a.underHead(s, l)
	}
	rest, own := a.cutProgram(text)
	f, ok := a.toldBy(rest, own)
	switch {
	case ok && f.Severity == result.SevInfo && f.Rule == "":
		return false
	case !ok && own && tellsTrouble(rest) && !isHeading(rest):
		f, ok = result.Finding{Kind: result.GenericFinding, Message: text}, true
	case ok && own && f.At == nil:
		f.Message = text
	}
	if !ok {
		if len(s.Findings) == 0 {
			a.keep(l, own, rest)
		}
		if !a.call.usage {
			a.before++
		}
		return false
	}
	caret, below := strings.CutPrefix(f.Message, "^ ")
	if below && f.At != nil && a.isUnder(s, *f.At) { // the finding before is the source line above the caret
		if last := s.kept(); last != nil {
			last.Message = caret
		}
		return s.More(l)
	}
	if last := s.kept(); last != nil && f.At != nil && f.RawSeverity == "" && f.Rule == "" && last.RawSeverity != "" && a.isUnder(s, *f.At) { // a message on two lines
		return s.More(l)
	}
	if s.Find(l, f); s.kept() == nil {
		a.remember(f.At)
	}
	return true
}

// isPrefixedFrame reports whether a line is a stack frame behind a program's name or a log level: "[11ty]     at f
// (node_modules/a.js:3:5)", "error     at f (a.js:3:5)".
func isPrefixedFrame(text string) bool {
	if last := text[len(text)-1]; last != ')' && last != '{' && (last < '0' || last > '9') { // most lines
		return false
	}
	name, rest, ok := strings.Cut(text, "  at ")
	if ok = ok && strings.TrimSpace(name) != ""; ok {
		_, ok = frame.Cut("at " + strings.TrimSuffix(rest, " {"))
	}
	return ok
}

// underHead makes a finding of the line below the word "Error:", if it is no place and has no form of its own.
func (a *anyones) underHead(s *Sink, l tool.Line) bool {
	f, ok := a.toldBy(l.Text, false)
	if !ok {
		f = result.Finding{Kind: result.GenericFinding, Message: l.Text}
	}
	return s.Find(l, f)
}

// isUnder reports whether the last finding is at this place.
func (a *anyones) isUnder(s *Sink, at result.Location) bool {
	if last := s.kept(); last != nil {
		return last.At != nil && *last.At == at
	}
	if len(a.said) > 0 {
		a.remember(a.within(string(a.said)))
	}
	path := at.Path
	at.Path = ""
	return s.Open() && at == a.at && path == string(a.path)
}

// remember keeps the place of a finding that is only counted.
func (a *anyones) remember(at *result.Location) {
	a.path, a.at, a.said = a.path[:0], result.Location{}, a.said[:0]
	if at != nil {
		a.path, a.at = append(a.path, at.Path...), *at
		a.at.Path = ""
	}
}

// rememberIn is remember for a sentence that may contain a place. The place is only searched when it is needed,
// which is rare.
func (a *anyones) rememberIn(text string) { a.said = append(a.said[:0], text...) }

// keep remembers a line that becomes the reason of the failure if no better line follows.
func (a *anyones) keep(l tool.Line, own bool, rest string) {
	switch {
	case own && rest != "":
		if a.own = append(a.own, l); len(a.own) > maxOwn {
			a.own = slices.Delete(a.own, 0, 1)
		}
	case len(a.alarms) < 2 && alarms(l.Text) && !slices.ContainsFunc(noReason[:], func(is func(string) bool) bool { return is(l.Text) }):
		a.alarms = append(a.alarms, l)
	}
}

// maxBanner is how many lines a program prints at most before its usage: if there are more, a script ran another
// program before.
const maxBanner = 4

// end finishes the output. If a program printed its usage and a single error, the error is about the command line.
func (a *anyones) end(s *Sink) {
	a.endRecord(s)
	if len(s.Findings) == 0 {
		a.lastReason(s)
	}
	if a.call.usage && a.before <= maxBanner && len(s.Findings) == 1 && s.Findings[0].At == nil {
		s.Meaning = result.MeansUsage
	}
}

// lastReason makes findings of the program's last message about itself, and of earlier ones in the same words;
// without any, of the only line of a short output that has an alarm word.
func (a *anyones) lastReason(s *Sink) {
	reasons := a.own
	if n := len(a.own); n > 0 {
		why := lastWords(a.own[n-1].Text)
		reasons = slices.DeleteFunc(slices.Clone(a.own), func(l tool.Line) bool { return lastWords(l.Text) != why })
	} else if len(a.alarms) == 1 && a.lines <= maxShort {
		reasons = a.alarms
	}
	for _, l := range reasons {
		message, _, _ := cutLevel(l.Text)
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message, At: a.within(l.Text)})
	}
}

func lastWords(text string) string { return text[strings.LastIndex(text, ": ")+1:] }

// within is the place that a sentence names, unless that is the program itself.
func (a *anyones) within(text string) *result.Location {
	at := place.InSentence(text)
	if at != nil && (strings.HasPrefix(at.Path, "/usr/") || slices.Contains(a.programs, at.Path)) {
		return nil
	}
	return at
}

// cutProgram removes "PROGRAM: ", "/usr/bin/PROGRAM: ", "PROGRAM[17]: " or "PROGRAM v1.8 (nft): " from a line.
func (a *anyones) cutProgram(text string) (rest string, own bool) {
	for _, p := range a.programs {
		if text[0] == '/' {
			if path, behind, ok := strings.Cut(text, ": "); ok && strings.HasSuffix(path, "/"+p) {
				return behind, true
			}
		}
		behind, ok := strings.CutPrefix(text, p)
		if !ok || p == "" {
			continue
		}
		if rest, ok = strings.CutPrefix(behind, ": "); ok {
			return rest, true
		}
		if rest, ok = strings.CutPrefix(behind, ":"); ok && hasPlace(rest) {
			return rest, true
		}
		version, rest, ok := strings.Cut(behind, ": ")
		if ok && len(version) < 24 && (strings.HasPrefix(version, "[") || strings.HasPrefix(version, " v") && len(version) > 2 && lex.IsDigits(version[2:3])) {
			return rest, true
		}
	}
	return text, false
}
