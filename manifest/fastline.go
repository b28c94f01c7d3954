package manifest

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf8"

	"cairn/result"
)

// decodeFast reads a line as this program writes captures, several times as fast as package
// encoding/json does. What is written in another way, or holds what few lines hold, it
// leaves to that: ok is false. What it reads, it reads as that would.
func decodeFast(line []byte) (r *Record, ok bool) {
	r = new(Record)
	p := &fastLine{b: line}
	p.object(recordKeys, func(key string) { p.recordField(r, key) })
	if p.bad || p.at != len(line) || r.ID == "" || r.Time.IsZero() {
		return nil, false
	}
	return r, true
}

// The keys that decodeFast knows, in the order of a line. A key that comes earlier than one
// before it, or twice, makes a line another's.
var (
	recordKeys = keyOrder("v", "id", "time", "says", "tool", "status", "exit", "signal", "timed_out", "partial", "counts", "argv", "shell", "dir", "key", "parse_as", "parser",
		"duration_ms", "outcomes", "git", "by", "raw", "result", "result_oid")
	gitKeys = keyOrder("commit", "worktree", "worktree_moved", "worktree_unknown", "branch", "dirty", "dirty_unknown")
	byKeys  = keyOrder("agent", "session", "parent")
	rawKeys = keyOrder("oid", "size", "lines", "order")
	outKeys = keyOrder("oid", "complete", "reason", "counts", "unnamed")
)

// keyList is keys in an order.
type keyList struct {
	names []string
	order map[string]int // from 1 on
}

func keyOrder(keys ...string) *keyList {
	list := &keyList{keys, make(map[string]int, len(keys))}
	for i, key := range keys {
		list.order[key] = i + 1
	}
	return list
}

// fastLine is a place in a line. bad says that the line is not of the plain form.
type fastLine struct {
	b   []byte
	at  int
	bad bool
}

func (p *fastLine) recordField(r *Record, key string) {
	switch key {
	case "v":
		r.V = int(p.number())
	case "id":
		r.ID = p.text()
	case "time":
		at := p.text()
		t, err := time.Parse(time.RFC3339Nano, at)
		p.bad = p.bad || err != nil || !plainTime([]byte(at))
		r.Time = t
	case "says":
		r.Says = p.text()
	case "tool":
		r.Tool = p.text()
	case "status":
		setText(&r.Status, p.text())
	case "exit":
		n := int(p.number())
		r.Exit = &n
	case "signal":
		r.Signal = p.text()
	case "timed_out":
		r.TimedOut = p.boolean()
	case "partial":
		r.Partial = p.boolean()
	case "counts":
		r.Counts = p.counts()
	case "argv":
		r.Argv = p.texts()
	default:
		p.laterField(r, key)
	}
}

func (p *fastLine) laterField(r *Record, key string) {
	switch key {
	case "shell":
		r.Shell = p.text()
	case "dir":
		r.Dir = p.text()
	case "key":
		r.Key = p.text()
	case "parse_as":
		r.ParseAs = p.text()
	case "parser":
		r.Parser = int(p.number())
	case "duration_ms":
		r.DurationMS = p.number()
	case "outcomes":
		r.Outcomes = &result.Outcomes{}
		p.object(outKeys, func(key string) { p.outcomesField(r.Outcomes, key) })
	case "git":
		r.Git = &Git{}
		p.object(gitKeys, func(key string) { p.gitField(r.Git, key) })
	case "by":
		r.By = &By{}
		p.object(byKeys, func(key string) { p.byField(r.By, key) })
	case "raw":
		r.Raw = &Raw{}
		p.object(rawKeys, func(key string) { p.rawField(r.Raw, key) })
	case "result":
		r.RawResult = p.value()
	case "result_oid":
		r.ResultOID = p.text()
	}
}

func (p *fastLine) gitField(g *Git, key string) {
	switch key {
	case "commit":
		g.Commit = p.text()
	case "worktree":
		g.Worktree = p.text()
	case "worktree_moved":
		g.WorktreeMoved = p.boolean()
	case "worktree_unknown":
		g.WorktreeUnknown = p.text()
	case "branch":
		g.Branch = p.text()
	case "dirty":
		is := p.boolean()
		g.Dirty = &is
	case "dirty_unknown":
		g.Unknown = p.boolean()
	}
}

func (p *fastLine) byField(b *By, key string) {
	switch key {
	case "agent":
		b.Agent = p.text()
	case "session":
		b.Session = p.text()
	case "parent":
		b.Parent = p.text()
	}
}

func (p *fastLine) rawField(w *Raw, key string) {
	switch key {
	case "oid":
		w.OID = p.text()
	case "size":
		w.Size = p.number()
	case "lines":
		w.Lines = p.number()
	case "order":
		w.Order = p.text()
	}
}

func (p *fastLine) outcomesField(o *result.Outcomes, key string) {
	switch key {
	case "oid":
		o.OID = p.text()
	case "complete":
		o.Complete = p.boolean()
	case "reason":
		o.Reason = p.text()
	case "counts":
		o.Counts = p.counts()
	case "unnamed":
		o.Unnamed = p.counts()
	}
}

func (p *fastLine) counts() map[string]int {
	counts := map[string]int{}
	p.object(nil, func(key string) { counts[key] = int(p.number()) })
	return counts
}

func setText[T ~string](to *T, text string) { *to = T(text) }

// take goes over a byte, which must be there.
func (p *fastLine) take(c byte) bool {
	if p.at < len(p.b) && p.b[p.at] == c {
		p.at++
		return true
	}
	return false
}

// object reads an object, calling field at the value of each key. The keys must be of a list
// and in its order; without a list they may be any.
func (p *fastLine) object(known *keyList, field func(key string)) {
	p.bad = p.bad || !p.take('{')
	if p.bad || p.take('}') {
		return
	}
	for last := 0; !p.bad; {
		key := ""
		if known == nil {
			key = p.text()
		} else {
			from := p.at
			if end := p.textEnd(); !p.bad {
				n := known.order[string(p.b[from+1:end-1])]
				if p.bad = n <= last; !p.bad {
					key, last = known.names[n-1], n
				}
			}
		}
		if p.bad = p.bad || !p.take(':'); p.bad {
			return
		}
		field(key)
		if !p.take(',') {
			p.bad = p.bad || !p.take('}')
			return
		}
	}
}

func (p *fastLine) texts() []string {
	list := []string{}
	p.bad = p.bad || !p.take('[')
	if p.take(']') {
		return list
	}
	for !p.bad {
		list = append(list, p.text())
		if !p.take(',') {
			p.bad = p.bad || !p.take(']')
			break
		}
	}
	return list
}

// text reads a string. One with escapes, or with more than ASCII, is left to encoding/json.
func (p *fastLine) text() (s string) {
	from := p.at
	end := p.textEnd()
	if p.bad {
		return ""
	}
	inner := p.b[from+1 : end-1]
	for _, c := range inner {
		if c == '\\' || c < ' ' || c >= utf8.RuneSelf {
			p.bad = json.Unmarshal(p.b[from:end], &s) != nil
			return s
		}
	}
	return string(inner)
}

// textEnd goes over a string.
func (p *fastLine) textEnd() int {
	p.bad = p.bad || !p.take('"')
	for !p.bad {
		n := bytes.IndexByte(p.b[min(p.at, len(p.b)):], '"')
		if p.bad = n < 0; p.bad {
			break
		}
		escape := bytes.IndexByte(p.b[p.at:p.at+n], '\\')
		if escape < 0 {
			p.at += n + 1
			break
		}
		p.at += escape + 2
	}
	return p.at
}

// number reads a whole number.
func (p *fastLine) number() int64 {
	from := p.at
	for p.at < len(p.b) && (p.b[p.at] >= '0' && p.b[p.at] <= '9' || p.b[p.at] == '-') {
		p.at++
	}
	digits := string(p.b[from:p.at])
	n, err := strconv.ParseInt(digits, 10, 64)
	p.bad = p.bad || err != nil || strconv.FormatInt(n, 10) != digits
	return n
}

func (p *fastLine) boolean() bool {
	for _, word := range []string{"true", "false"} {
		if len(p.b)-p.at >= len(word) && string(p.b[p.at:p.at+len(word)]) == word {
			p.at += len(word)
			return word == "true"
		}
	}
	p.bad = true
	return false
}

// value reads an object as it is.
func (p *fastLine) value() json.RawMessage {
	from, depth := p.at, 0
	for done := false; !p.bad && !done && p.at < len(p.b); {
		switch p.b[p.at] {
		case '"':
			p.textEnd()
			continue
		case '{':
			depth++
		case '}':
			depth--
		}
		p.at++
		done = depth <= 0
	}
	raw := p.b[from:min(p.at, len(p.b))]
	p.bad = p.bad || len(raw) == 0 || raw[0] != '{' || !json.Valid(raw)
	return append(json.RawMessage(nil), raw...)
}
