package read

import (
	"cmp"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// records reads findings that are paragraphs of names and values, as scanners for secrets and security print them:
//
//	RuleID:      private-key
//	File:        deploy/key.pem
//	Line:        1
//
//	>> Issue: [B403:blacklist] Consider possible security implications of pickle.
//	   Severity: Low   Confidence: High
//	   Location: telemetry/store.py:4:0
//
// or below headings with the name of a file and a severity, where "Path" names a part of that file:
//
//	Validation Results for api.yaml:
//
//	Errors:
//
//	  Message :   Operation must define parameter "{id}".
//	  Path    :   paths./a/{id}.get
//	  Line    :   6
//
// A paragraph is a finding if it has a file, a line, and a message or a rule. Only its end shows that, so its lines
// are held until then; if it is no finding, they are given back.
type records struct {
	file, severity string // from the headings above, if there are any
	held           []tool.Line
	part           section
	id             string
}

// maxRecord bounds the lines of one record.
const maxRecord = 40

// recordNames are the names that may begin a record. Alarm words such as "error" more often begin other lines.
const recordNames = "file filename filepath path location rule ruleid rulename check checkid checkname message description title issue finding problem severity level confidence category violation line linenumber"

// cutLabel splits a line "  Rule Id :  value"; name is in the form of plainName.
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

// beginsRecord reports whether a line may be the first of a record. If words follow a path, it is a line of a log.
func beginsRecord(text string) bool {
	name, value, ok := cutLabel(text)
	return ok && value != "" && lex.IsOneOf(name, recordNames) && !(namesPath(name) && strings.Contains(value, " "))
}

// holds takes a line of the open paragraph, or one that begins the next.
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

// ends reports whether a line does not continue the paragraph: it is empty, a rule or a diagnostic, or the
// paragraph's first name occurs again.
func (r *records) ends(l tool.Line, text string, n int) bool {
	if text == "" || n == maxRecord || l.Start != r.held[n-1].End || l.Stream != r.held[n-1].Stream || len(text) > 3 && strings.Trim(text, " \t-=_*#") == "" || IsDiagnostic(text) {
		return true
	}
	name, _, ok := cutLabel(text)
	first, _, _ := cutLabel(r.held[0].Text)
	return ok && name == first
}

// end makes a finding of the open paragraph, or returns its lines.
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

// head takes a heading: the file of the records below, or their severity.
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
