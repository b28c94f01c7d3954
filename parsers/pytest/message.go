package pytest

import (
	"cmp"
	"fmt"
	"strings"

	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
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
		rule = trace.ClassOf(e.message)
		if rule == "" || e.class != "" && e.class != "None" && (!b.line || b.doctest) {
			rule = lex.LastPart(cmp.Or(e.class, rule))
		}
		return stripAssert(e.message), rule
	case b.values.told():
		return b.values.message(), cmp.Or(lex.LastPart(e.class), "DocTestFailure")
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

// stripAssert takes off the class that pytest leaves out or adds, depending on
// the style of the traceback and the quotes in the message.
func stripAssert(message string) string {
	if rest, ok := strings.CutPrefix(message, "AssertionError: assert "); ok {
		return "assert " + rest
	}
	return message
}
