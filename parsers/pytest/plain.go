package pytest

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// Not every report is a traceback: pytest.fail(pytrace=False), a test that is no
// Python and a module that cannot be collected have a text of their own. Its
// first line is the message, the others are the detail.

// other reads a line that belongs to no traceback.
func (b *pytestBlock) other(line string, room *int) {
	switch {
	case strings.HasPrefix(line, "contains ") && strings.Contains(line, " failed subtest"):
		b.parent = true
	case strings.HasPrefix(line, "worker '") && strings.Contains(line, "' crashed while running '"):
		_, id, _ := strings.Cut(line, "' crashed while running '")
		b.worker = strings.TrimSuffix(id, "'")
	}
	switch {
	case b.plain == "":
		b.plain = lex.CutText(line, result.MaxValue)
		b.doctest = isDoctestSource(line)
	case b.when == "collect" && strings.HasSuffix(b.plain, ":") && len(b.plain) < result.MaxValue:
		b.plain = lex.CutText(b.plain+" "+strings.TrimSpace(line), result.MaxValue)
	case b.when == "collect" && !b.err.set, b.isPlain():
		b.err.rest.Add(line, room)
	}
}

// isPlain: there was nothing of a traceback so far.
func (b *pytestBlock) isPlain() bool {
	return !b.err.set && !b.doctest && !b.native && b.worker == "" && b.function == "" && b.pending == "" && len(b.err.frames)+len(b.chain) == 0
}

// softCheck reads what pytest-check says: "FAILURE: check 1 == 2" for every check
// that failed, and below the first "path:3 in test() -> check.equal(1, 2)".
func (b *pytestBlock) softCheck(line string, room *int) bool {
	if message, ok := strings.CutPrefix(line, "FAILURE: "); ok && !b.err.set {
		if b.checks {
			b.err.rest.Add(line, room)
		} else {
			b.plain, b.checks, b.err.rest = lex.CutText(message, result.MaxValue), true, lex.Bounded{Max: lex.MaxRest}
		}
		return true
	}
	if !b.checks {
		return false
	}
	head, code, ok := strings.Cut(strings.TrimLeft(line, " "), "() -> ")
	spot, name, found := strings.Cut(head, " in ")
	at, _, placed := place.CutPlace(spot)
	if !ok || !found || !placed {
		return false
	}
	at.Function = name
	b.err.frame(at)
	b.err.source = lex.CutText(code, lex.MaxSource)
	return true
}
