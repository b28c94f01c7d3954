package read

import (
	"cmp"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// records reads findings of which each is a paragraph of names and values, as scanners of
// secrets and of security write them:
//
//	RuleID:      private-key
//	File:        deploy/key.pem
//	Line:        1
//
//	>> Issue: [B403:blacklist] Consider possible security implications of pickle.
//	   Severity: Low   Confidence: High
//	   Location: telemetry/store.py:4:0
//
// or below the name of a file and a word of how bad they are, where a path leads to a
// part of that file:
//
//	Validation Results for api.yaml:
//
//	Errors:
//
//	  Message :   Operation must define parameter "{id}".
//	  Path    :   paths./a/{id}.get
//	  Line    :   6
//
// A paragraph is a finding where it tells a file, a line, and a message or a rule. Only its
// end shows that, so its lines are held until then; those of another are given back.
type records struct {
	file, severity string // of the list, where heads name them
	held           []tool.Line
	part           section
	id             string
}

// maxRecord bounds the lines of one record.
const maxRecord = 40

// recordNames are the names that begin a record. Words of alarm begin other things more often.
const recordNames = "file filename filepath path location rule ruleid rulename check checkid checkname message description title issue finding problem severity level confidence category violation line linenumber"

// cutLabel takes the name, as plainName writes it, off a line "  Rule Id :  value".
func cutLabel(text string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(strings.TrimLeft(text, " \t>|*-"), ":")
	if !ok || len(name) > 20 || value == "" || value[0] != ' ' && value[0] != '\t' {
		return "", "", false
	}
	for i := range len(name) {
		if lex.Letter(name[i]) == 0 && name[i] != ' ' && name[i] != '_' {
			return "", "", false
		}
	}
	return plainName(name), strings.TrimSpace(value), true
}

// beginsRecord: the line may be the first of a record. In a log, words follow a path.
func beginsRecord(text string) bool {
	name, value, ok := cutLabel(text)
	return ok && value != "" && lex.IsOneOf(name, recordNames) && !(namesPath(name) && strings.Contains(value, " "))
}

// holds takes a line of the paragraph that is open, or one that begins the next.
func (r *records) holds(l tool.Line, text string) bool {
	if n := len(r.held); n == 0 {
		if !beginsRecord(text) {
			return false
		}
		r.part, r.id = section{item: true}, ""
	} else if r.ends(l, text, n) {
		return false
	}
	r.held = append(r.held, l)
	for {
		name, value, ok := cutLabel(text)
		if !ok {
			return true
		}
		value, text, _ = strings.Cut(value, "   ") // "Severity: Low   Confidence: High"
		if name == "path" && r.file != "" {
			r.id = value
			continue
		}
		if name == "issue" {
			name = "message"
		}
		r.part.take(name, value)
	}
}

// ends: the line is not of the paragraph above it: it is empty, a rule or a diagnostic, or
// the first name comes again.
func (r *records) ends(l tool.Line, text string, n int) bool {
	if text == "" || n == maxRecord || l.Start != r.held[n-1].End || l.Stream != r.held[n-1].Stream || len(text) > 3 && strings.Trim(text, " \t-=_*#") == "" || IsDiagnostic(text) {
		return true
	}
	name, _, ok := cutLabel(text)
	first, _, _ := cutLabel(r.held[0].Text)
	return ok && name == first
}

// end makes a finding of the paragraph above, or gives its lines back.
func (r *records) end(s *Sink) (given []tool.Line) {
	held, p := r.held, &r.part
	r.held = nil
	if len(held) == 0 {
		return nil
	}
	p.word[rolePath] = cmp.Or(p.word[rolePath], r.file)
	if p.at.Line == 0 || p.word[rolePath] == "" || p.word[roleMessage]+p.word[roleRule] == "" {
		return held
	}
	f := (&shape{s: s}).finding(p)
	if f.RawSeverity == "" {
		f.Severity = SeverityOf(r.severity)
	}
	f.ID = cmp.Or(f.ID, r.id)
	s.Find(held[0], f)
	for _, l := range held[1:] {
		s.More(l)
	}
	s.Break()
	return nil
}

// head takes a line that names the file of the records below it, or how bad they are.
func (r *records) head(text string) {
	head, ok := strings.CutSuffix(text, ":")
	if !ok || text[0] == ' ' {
		return
	}
	if severity := strings.ToLower(strings.TrimSuffix(head, "s")); SeverityOf(severity) != "" {
		r.severity = severity
	} else if _, name, several := lex.CutLast(head, " "); several && isSource(name) && place.IsFile(name) {
		r.file, r.severity = name, ""
	}
}
