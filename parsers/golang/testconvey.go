package golang

import (
	"slices"
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/result"
)

// convey reads what github.com/smartystreets/goconvey prints before the report of a test:
//
//	Failures:
//
//	  * /src/m/cart/cart_test.go
//	  Line 12:
//	  Expected: 2
//	  Actual:   1
//	  (Should equal)!
//
// and, below "Errors:", panics as "  Line 14: - …" with their stacks. Each failure becomes an entry of the log.
type convey struct {
	in      bool // a title such as "Failures:" was read
	path    string
	open    bool // the following lines belong to the last entry
	entries []logEntry
}

// maxConvey bounds the entries of one test.
const maxConvey = 200

func (c *convey) line(s string) {
	switch {
	case s == "Failures:" || s == "Errors:":
		c.in, c.open, c.path = true, false, ""
	case !c.in:
	case strings.HasSuffix(s, " total assertions") || strings.HasSuffix(s, " total assertion"):
		c.in = false
	case strings.HasPrefix(s, "  * "):
		c.path, c.open = strings.TrimSpace(s[len("  * "):]), false
	case c.path != "" && strings.HasPrefix(s, "  Line "):
		number, text, _ := strings.Cut(s[len("  Line "):], ":")
		if n, err := strconv.Atoi(number); err == nil && n > 0 && len(c.entries) < maxConvey {
			c.entries, c.open = append(c.entries, logEntry{path: c.path, line: n}), true
			c.add(strings.TrimPrefix(strings.TrimSpace(text), "- "))
		}
	case strings.TrimSpace(s) == "" || strings.HasPrefix(s, "  goroutine "):
		c.open = false
	case c.open && strings.HasPrefix(s, "  "):
		c.add(strings.TrimSpace(s))
	}
}

func (c *convey) add(text string) {
	if last := &c.entries[len(c.entries)-1]; text != "" && len(last.text) < maxGoBuildText {
		last.text = append(last.text, text)
	}
}

// take returns the entries, each once: an enclosing scope prints those of its inner scopes again.
func (c *convey) take() (all []logEntry) {
	for _, e := range c.entries {
		if len(e.text) > 0 && !slices.ContainsFunc(all, func(o logEntry) bool {
			return o.path == e.path && o.line == e.line && slices.Equal(o.text, e.text)
		}) {
			all = append(all, e)
		}
	}
	*c = convey{}
	return all
}

// godogSteps reads the failed steps that github.com/cucumber/godog lists before the report of a test, in which it logs
// them as lines of its own suite.go:
//
//	Then I have 5 pens # ../features/cart.feature:6
//	  Error: 3 pens, not 5
type godogSteps struct {
	in     bool
	at     *result.Location            // of the last step
	failed map[string]*result.Location // by the error
}

func (g *godogSteps) line(s string) {
	if text := strings.TrimSpace(s); text == s && s != "" {
		g.in = s == "--- Failed steps:"
	} else if why, ok := strings.CutPrefix(text, "Error: "); ok && g.at != nil && len(g.failed) < maxConvey {
		if g.failed == nil {
			g.failed = map[string]*result.Location{}
		}
		g.failed[strings.Clone(why)] = g.at
	} else if _, spot, ok := strings.Cut(text, " # "); ok && g.in {
		g.at = read.PlaceOf(strings.Clone(spot))
	}
}

// conveyLine joins "Expected: 2 / Actual: 1 / (Should equal)!" into one line.
func conveyLine(text []string) string {
	if len(text) < 2 || !strings.HasPrefix(text[0], "Expected: ") || !strings.HasPrefix(text[1], "Actual: ") {
		return ""
	}
	return joinWords(text)
}
