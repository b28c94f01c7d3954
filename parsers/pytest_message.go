package parsers

import (
	"cmp"
	"fmt"
	"strings"
)

// saidNothing is the message of what failed without one.
const saidNothing = "failed; pytest printed no message"

// headline is the message of a block, and its rule. summary is how the short
// test summary begins the message, if it does.
func (b *pytestBlock) headline(summary string) (message, rule string) {
	e := &b.err
	switch {
	case b.worker != "": // which worker it was differs from run to run
		return fmt.Sprintf("worker crashed while running '%s'", b.worker), ""
	case b.plain != "" && e.set && saysFailed(summary, b.plain) && !strings.HasPrefix(e.first, "Failed: "):
		return "Failed: " + b.plain, "Failed" // its text looks like a traceback
	case e.set:
		rule = classOf(e.message)
		if rule == "" || e.class != "" && e.class != "None" && (!b.line || b.doctest) {
			rule = lastPart(cmp.Or(e.class, rule))
		}
		return stripAssert(e.message), rule
	case b.values.told():
		return b.values.message(), cmp.Or(lastPart(e.class), "DocTestFailure")
	case strings.HasPrefix(b.plain, "[XPASS(strict)]"):
		return strings.TrimSpace(b.plain), ""
	case b.plain == "", b.line && b.plain == "None":
		return saidNothing, ""
	case b.doctest:
		return "failed; the outputs differ", "DocTestFailure"
	}
	if summary == "..." || saysFailed(summary, b.plain) {
		return "Failed: " + b.plain, "Failed" // pytest.fail(pytrace=False)
	}
	return b.plain, "" // a test that is no Python: its own text
}

// saysFailed: the summary shows that pytest.fail said the text.
func saysFailed(summary, text string) bool {
	begin := strings.TrimSuffix(summary, "...")
	return begin != "" && strings.HasPrefix("Failed: "+text, begin) && !strings.HasPrefix(text, begin)
}

// classOf is the class of the exception that a message begins with, without
// its module: "shop.cart.OutOfStock: only 2" gives "OutOfStock".
func classOf(message string) string {
	if strings.HasPrefix(message, "assert ") {
		return "AssertionError"
	}
	name, _, colon := strings.Cut(message, ":")
	if !colon && strings.ContainsAny(name, " ") {
		return ""
	}
	name = strings.ReplaceAll(name, "<locals>", "locals")
	for part := range strings.SplitSeq(name, ".") {
		if !isIdentifier(part) {
			return ""
		}
	}
	return lastPart(name)
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

func isIdentifier(s string) bool {
	for i, c := range s {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// stripAssert takes off the class that pytest leaves out or adds, depending on
// the style of the traceback and the quotes in the message.
func stripAssert(message string) string {
	if rest, ok := strings.CutPrefix(message, "AssertionError: assert "); ok {
		return "assert " + rest
	}
	return message
}
