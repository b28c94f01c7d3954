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

// shape makes findings of a document in an unknown format. It relies on the names of members, attributes and
// columns, which tools choose from the same few words: a part of the document with a path, a line and a message is
// a finding. Every kind of document comes as nested parts: an object of JSON, an element of XML, a row of a table.
//
// A part inherits the path, the rule and the severity from the parts around it, as in {"file": "a.py", "messages":
// [{"line": 3, "text": "…"}]}. It also gets the values of objects inside it that are no findings themselves, as in
// {"message": "…", "location": {"path": "a.py", "start": {"line": 3}}}.
type shape struct {
	s  *Sink
	at *tool.Line // the line that is being read

	parts []section
	over  int  // open parts that are skipped
	left  bool // a part has a message, but gave no finding
}

// section is one part of the document.
type section struct {
	key    string // its name in the part around it
	item   bool   // it is an element of a list, or a row
	rank   [roles]uint8
	word   [roles]string
	at     result.Location // without the path
	zero   bool            // lines are counted from 0, as in the Language Server Protocol
	from   int             // how many findings were made before it
	within bool            // a part inside it gave a finding
	told   bool            // that finding has this part's message
}

// maxParts bounds how deep parts may be nested.
const maxParts = 64

// begin opens a part. Parts that hold settings or fixes are skipped.
func (d *shape) begin(key string, item bool) {
	if d.over > 0 || len(d.parts) >= maxParts || aside(key) {
		d.over++
		return
	}
	p := section{key: key, item: item, from: len(d.s.Findings)}
	if isFileName(key) {
		p.set(rolePath, 1, key)
	} else if lex.IsOneOf(plainName(key), "warning warnings") { // {"warning": {"results": […]}}
		p.set(roleSeverity, maxRank, "warning")
	}
	if n := len(d.parts); n > 0 && plainName(key) == "byteoffset" { // tree-sitter's ranges count from 0
		d.parts[n-1].zero = true
	}
	d.parts = append(d.parts, p)
}

// member adds a value to the open part.
func (d *shape) member(key, value string) {
	if n := len(d.parts); d.over == 0 && n > 0 {
		d.parts[n-1].take(key, strings.TrimSpace(value))
	}
}

// end closes a part.
func (d *shape) end() {
	if d.over > 0 {
		d.over--
		return
	}
	n := len(d.parts) - 1
	p := d.parts[n]
	d.parts = d.parts[:n]
	d.placed(p.from, p.word[rolePath])
	if d.tells(&p) {
		told := p.word[roleMessage] == "" && d.isPlaceOf(&p)
		d.found(d.finding(&p))
		for i := range d.parts {
			d.parts[i].within, d.parts[i].told = true, told
		}
	} else if n > 0 && (!p.item || explains(p.key)) && !p.isOnlyNamed() {
		d.parts[n-1].merge(&p)
	} else if p.word[roleMessage] != "" && !p.told && !isGood(p.word[roleStatus]) {
		d.left = true
	}
}

// found adds a finding, unless it repeats one: a document may list all tests, and then those that failed.
func (d *shape) found(f result.Finding) {
	same := func(o result.Finding) bool {
		return o.ID == f.ID && o.Rule == f.Rule && strings.HasPrefix(f.Message, o.Message) && f.ID != "" && o.At != nil && f.At != nil && *o.At == *f.At
	}
	if slices.ContainsFunc(d.s.Findings[max(0, len(d.s.Findings)-maxAgain):], same) {
		return
	}
	covered := d.s.Covered
	d.s.Find(*d.at, f)
	d.s.Covered = covered // the document as a whole is covered
}

// maxAgain is how many earlier findings are compared.
const maxAgain = 200

// placed gives a path to the findings from index from on that have none: the document names it after them.
func (d *shape) placed(from int, path string) {
	for i := from; path != "" && i < len(d.s.Findings); i++ {
		if f := &d.s.Findings[i]; f.At != nil && f.At.Path == "" {
			f.At.Path = path
		}
	}
}

// tells reports whether the part is a finding.
func (d *shape) tells(p *section) bool {
	if p.at.Line == 0 && !strings.HasPrefix(plainName(p.key), "end") {
		p.at.Line = p.at.EndLine // some tools give only the last line
	}
	severity := SeverityOf(d.inherited(p, roleSeverity))
	if len(d.parts) > 0 && lex.IsOneOf(plainName(p.key), "labels frames") { // each names a piece of the source
		return false
	}
	switch said := p.word[roleMessage] != ""; {
	case isGood(p.word[roleStatus]), p.isOnlyNamed():
		return false
	case !said && p.word[roleRule] == "" && p.word[roleSeverity] == "":
		return d.isPlaceOf(p)
	case p.within:
		return said && p.at.Line > 0 && p.word[rolePath] != ""
	case p.isTest():
		return p.item || len(d.parts) == 0
	case severity == result.SevInfo || isChatty(d.inherited(p, roleSeverity)):
		return said && p.word[roleRule] != "" && p.at.Line > 0
	case p.at.Line > 0 && (p.word[rolePath] != "" || p.item):
		return said || d.inherited(p, rolePath) != ""
	case !said:
		return false
	case p.word[rolePath] != "":
		return p.word[roleRule] != "" || severity != "" || p.item && plainName(p.key) == "errors" && isFileName(p.word[rolePath])
	}
	return (p.item || len(d.parts) == 0) && (severity == result.SevError || d.inherited(p, rolePath) != "")
}

// isPlaceOf reports whether the part is only one of the places of a problem that the part around it describes:
// {"description": "…", "files": [{"file_name": "a.tf", "line": 3}]}.
func (d *shape) isPlaceOf(p *section) bool {
	return p.item && p.at.Line > 0 && p.word[rolePath] != "" && d.inherited(p, roleMessage) != "" && d.inherited(p, roleRule) != "" && d.inherited(p, roleSeverity) != ""
}

// testAround is the nearest part around that is a test, judged by its name; nil otherwise.
func (d *shape) testAround() *section {
	for i := len(d.parts) - 1; i >= 0; i-- {
		if p := &d.parts[i]; isTestPart(p.key) && p.word[roleName] != "" {
			return p
		}
	}
	return nil
}

// isTest reports whether the part says that a test failed, or has a name of the kind that only tests have.
func (p *section) isTest() bool {
	name, message := p.word[roleName], p.word[roleMessage]
	return name != "" && (isBad(p.word[roleStatus]) || p.rank[roleName] < 3 && message != "" && !strings.HasSuffix(name, message)) // a message that ends the name is the test's title
}

// isOnlyNamed reports whether the part names a test or a group without its outcome: {"type": "testStart", "test":
// {"name": "adds", "line": 3}}.
func (p *section) isOnlyNamed() bool {
	return p.word[roleName] != "" && p.word[roleMessage]+p.word[roleStatus]+p.word[roleSeverity] == "" && (isTestPart(p.key) || p.key == "group")
}

// inherited is the part's own value for a role, or that of the nearest part around it.
func (d *shape) inherited(p *section, r role) string {
	word := p.word[r]
	for i := len(d.parts) - 1; i >= 0 && word == ""; i-- {
		word = d.parts[i].word[r]
	}
	return word
}

func (d *shape) finding(p *section) result.Finding {
	at := p.at
	if at.Path = d.inherited(p, rolePath); p.zero {
		at.Line, at.Column = at.Line+1, at.Column+1
	}
	if at.EndLine < at.Line {
		at.EndLine, at.EndColumn = 0, 0
	}
	f := result.Finding{
		Rule: d.inherited(p, roleRule), RuleURL: p.word[roleURL], Message: p.word[roleMessage],
		RawSeverity: d.inherited(p, roleSeverity), At: &at,
	}
	if f.Severity = SeverityOf(f.RawSeverity); isChatty(f.RawSeverity) {
		f.Severity = result.SevInfo
	}
	if p.isTest() {
		f.Kind, f.Severity, f.ID = result.TestFailure, result.SevFailure, p.word[roleName]
	}
	if test := d.testAround(); test != nil && f.ID == "" {
		f.Kind, f.Severity, f.ID = result.TestFailure, result.SevFailure, test.word[roleName]
		if at.Line == 0 && test.at.Line > 0 {
			at.Line = test.at.Line
		}
	}
	if d.isPlaceOf(p) {
		f.Message = d.inherited(p, roleMessage)
	}
	f.Message = cmp.Or(f.Message, f.Rule, f.RawSeverity)
	if strings.HasPrefix(f.Message, traceHead) { // the "exception" of a log entry
		var t Traceback
		for line := range strings.SplitSeq(f.Message, "\n") {
			t.Line(line)
		}
		if n := len(t.Frames); t.Whole() && n > 0 {
			f.Message, f.Rule, f.At = t.Last, t.Class(), &t.Frames[n-1]
		}
	}
	if where := traced(f.Message + "\n" + p.word[roleStack]); at.Line == 0 && where != nil {
		f.At = where
	}
	return f
}

// traced is the first place in a stack trace below a message that is not in a library.
func traced(message string) *result.Location {
	for i, line := range strings.SplitN(message, "\n", maxTraced+1) {
		if at, ok := frame.Cut(strings.TrimSpace(line)); ok && i > 0 && i < maxTraced && !at.External && !frame.IsLibrary(at.Path) {
			return &at
		}
	}
	return nil
}

// maxTraced is how many lines of a message are searched for a place.
const maxTraced = 40

// take keeps a value whose name has a known meaning.
func (p *section) take(key, value string) {
	if value == "" || value == "null" {
		return
	}
	key = plainName(key)
	if key == "name" && lex.IsOneOf(plainName(p.key), "file sourcefile") {
		key = "file"
	}
	for _, known := range meanings()[key] {
		p.takeAs(key, known, value)
	}
}

func (p *section) takeAs(key string, known meaning, value string) {
	switch known.role {
	case roleLine, roleEndLine, roleColumn, roleEndColumn:
		p.position(key, known.role, value)
	case rolePath:
		p.path(known, value)
	case roleURL:
		if path, ok := strings.CutPrefix(value, "file:"); ok {
			p.path(meaning{rolePath, 2, true}, "/"+strings.TrimLeft(path, "/"))
			return
		}
		p.set(known.role, known.rank, value)
	case roleRule:
		if !strings.ContainsAny(value, "\n") && len(value) < 200 && !(known.mayBeOther && (isFileName(value) || lex.IsDigits(value) || SeverityOf(value) != "")) {
			p.set(roleRule, known.rank, value)
		}
	case roleSeverity:
		rank := known.rank
		if lex.IsDigits(value) {
			rank = maxRank // a word is preferred to this
		}
		if !known.mayBeOther || SeverityOf(value) != "" {
			p.set(roleSeverity, rank, value)
		}
	case roleMessage:
		if !lex.IsDigits(value) && value != "true" && value != "false" {
			p.set(roleMessage, known.rank, value)
		}
	default:
		p.set(known.role, known.rank, value)
	}
}

// maxRank is a rank below that of any name.
const maxRank = 9

// set keeps a value for a role, unless a better one is known. Rank 1 is the best.
func (p *section) set(r role, rank uint8, value string) {
	if p.rank[r] == 0 || rank < p.rank[r] {
		p.rank[r], p.word[r] = rank, strings.Clone(value)
	}
}

// position keeps a number. If a list gives two lines, the second is the last line.
func (p *section) position(key string, r role, value string) {
	if line, column, ok := strings.Cut(value, ":"); ok && lex.IsDigits(line) && r == roleLine {
		column, _, _ = strings.Cut(column, "-")
		value, p.at.Column = line, lex.Atoi(column)
	} else if key == "loc" || key == "position" {
		return
	}
	n := lex.Atoi(value)
	if !lex.IsDigits(value) || startsOrEnds(key) && !countsLines(p.key) {
		return
	}
	ends := strings.HasPrefix(plainName(p.key), "end")
	switch {
	case r == roleLine && (ends || p.at.Line > 0), r == roleEndLine:
		p.at.EndLine = max(p.at.EndLine, n)
	case r == roleLine:
		p.at.Line = n
	case r == roleEndColumn, ends:
		p.at.EndColumn = n
	case p.at.Column == 0:
		p.at.Column = n
	}
	p.zero = p.zero || key == "character" && strings.HasPrefix(plainName(p.key), "start")
}

// path keeps a path, and a position behind it: "a.py:3:7".
func (p *section) path(known meaning, value string) {
	at, _, placed := place.Cut(value + ": ")
	if placed && at.Line > 0 {
		value = at.Path
	}
	if len(value) > 512 || strings.HasPrefix(value, "http") || strings.Contains(value, "\n") || known.mayBeOther && !isFileName(value) {
		return
	}
	if p.set(rolePath, known.rank, value); placed && at.Line > 0 && p.at.Line == 0 {
		p.at.Line, p.at.Column = at.Line, at.Column
	}
}

// merge adds the values of a part inside that this part lacks. A place is taken as a whole.
func (p *section) merge(in *section) {
	if plainName(in.key) == "frames" && in.at.Line > 0 { // the last of several frames raised the error
		p.at.Line, p.rank[rolePath] = 0, 0
	}
	for r := range in.word {
		if rank := in.rank[r]; rank > 0 && role(r) != roleName {
			if plainName(in.key) == "message" && role(r) == roleMessage {
				rank = 1 // {"message": {"text": "…"}}
			}
			p.set(role(r), min(rank+1, 9), in.word[r])
		}
	}
	if in.at.EndLine > 0 && in.at.Line == 0 && !in.zero && p.at.EndLine == 0 {
		p.at.EndLine, p.at.EndColumn = in.at.EndLine, in.at.EndColumn
	} else if p.at.Line == 0 && !p.zero && (in.at.Line > 0 || in.zero) {
		p.at, p.zero = in.at, in.zero
	}
	p.within = p.within || in.within
}
