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

// shape makes findings of a document whose form no parser knows. It goes by the names of
// members, attributes and columns, which tools choose from the same few words: a part of
// the document that has a path, a line and a message is a finding. The document comes as
// parts within parts, whatever it is written in: an object of JSON, an element of XML, a
// row of a table.
//
// A part takes the path, the rule and the severity that it does not name from the parts
// around it, as in {"file": "a.py", "messages": [{"line": 3, "text": "…"}]}. What an
// object inside of it holds and is no finding by itself is its own, as in
// {"message": "…", "location": {"path": "a.py", "start": {"line": 3}}}.
type shape struct {
	s  *Sink
	at *tool.Line // that is being read

	parts []section
	over  int  // parts that are open and are not looked at
	left  bool // a part has a message, and became no finding
}

// section is what is known of one part of the document.
type section struct {
	key    string // the name under which it stands
	item   bool   // it is one of a list, or a row
	rank   [roles]uint8
	word   [roles]string
	at     result.Location // without the path
	zero   bool            // its lines are counted from 0, as in the Language Server Protocol
	from   int             // findings that were made before it
	within bool            // a finding was made of a part in it
	told   bool            // such findings have its message
}

// maxParts bounds how deep parts are looked at.
const maxParts = 64

// begin opens a part. Parts that hold settings or remedies are passed over.
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

// member takes a value of the part that is open.
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

// found adds a finding. A document may hold a list of all tests, and one of those that
// failed.
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

// maxAgain is how far back a repeated failure is looked for.
const maxAgain = 200

// placed gives a path to findings made since then that have none: it was named behind
// them.
func (d *shape) placed(from int, path string) {
	for i := from; path != "" && i < len(d.s.Findings); i++ {
		if f := &d.s.Findings[i]; f.At != nil && f.At.Path == "" {
			f.At.Path = path
		}
	}
}

// tells: the part is a finding by itself.
func (d *shape) tells(p *section) bool {
	if p.at.Line == 0 && !strings.HasPrefix(plainName(p.key), "end") {
		p.at.Line = p.at.EndLine // a tool that names the last line only
	}
	severity := SeverityOf(d.inherited(p, roleSeverity))
	if len(d.parts) > 0 && lex.IsOneOf(plainName(p.key), "labels frames") { // each points at a piece of the source
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

// isPlaceOf: the part is one of the places of a problem that the part around it tells:
// {"description": "…", "files": [{"file_name": "a.tf", "line": 3}]}.
func (d *shape) isPlaceOf(p *section) bool {
	return p.item && p.at.Line > 0 && p.word[rolePath] != "" && d.inherited(p, roleMessage) != "" && d.inherited(p, roleRule) != "" && d.inherited(p, roleSeverity) != ""
}

// testAround is the nearest part around that is a test, by the name under which it
// stands; nil otherwise.
func (d *shape) testAround() *section {
	for i := len(d.parts) - 1; i >= 0; i-- {
		if p := &d.parts[i]; isTestPart(p.key) && p.word[roleName] != "" {
			return p
		}
	}
	return nil
}

// isTest: it says that a test failed, or speaks of one by the name that only tests have.
func (p *section) isTest() bool {
	name, message := p.word[roleName], p.word[roleMessage]
	return name != "" && (isBad(p.word[roleStatus]) || p.rank[roleName] < 3 && message != "" && !strings.HasSuffix(name, message)) // which is its title
}

// isOnlyNamed: it says that a test or a group is there, and nothing of what came of it:
// {"type": "testStart", "test": {"name": "adds", "line": 3}}.
func (p *section) isOnlyNamed() bool {
	return p.word[roleName] != "" && p.word[roleMessage]+p.word[roleStatus]+p.word[roleSeverity] == "" && (isTestPart(p.key) || p.key == "group")
}

// inherited is the part's own word, or that of the nearest part around it.
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
	if strings.HasPrefix(f.Message, traceHead) { // a log's "exception"
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

// traced is the first place in a trace below a message that is no library's.
func traced(message string) *result.Location {
	for i, line := range strings.SplitN(message, "\n", maxTraced+1) {
		if at, ok := frame.Cut(strings.TrimSpace(line)); ok && i > 0 && i < maxTraced && !at.External && !frame.IsLibrary(at.Path) {
			return &at
		}
	}
	return nil
}

// maxTraced is in how many lines of a message a place is looked for.
const maxTraced = 40

// take keeps a value whose name is known.
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
			rank = maxRank // a word says it better
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

// maxRank is worse than that of every name.
const maxRank = 9

// set keeps a word, unless one is known that says it better. Rank 1 is the best.
func (p *section) set(r role, rank uint8, value string) {
	if p.rank[r] == 0 || rank < p.rank[r] {
		p.rank[r], p.word[r] = rank, strings.Clone(value)
	}
}

// position keeps a number. In a list of two lines the second is the last line.
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

// path keeps a path, and the position behind it: "a.py:3:7".
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

// merge takes what a part inside tells and this one does not. A place is taken whole.
func (p *section) merge(in *section) {
	if plainName(in.key) == "frames" && in.at.Line > 0 { // of several the last one raised it
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
