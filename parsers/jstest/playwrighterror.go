package jstest

import (
	"strings"

	"cairn/parsers/read/jserror"
	"cairn/result"
)

// playwrightExplain completes a finding from its first error. The place of the test is kept beside the place of the
// error.
func playwrightExplain(f *result.Finding, lines []string) {
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "Error Context: ") {
			lines = lines[:i]
			break
		}
	}
	test := f.At
	jserror.Explain(f, lines)
	f.Message = playwrightLocator(f.Message, lines)
	f.Detail, f.Frames = "", nil
	if test != nil && f.At != nil && (f.At.Line != test.Line || f.At.Path != test.Path) {
		f.Locations = []result.Location{{Path: test.Path, Line: test.Line}}
	}
}

// playwrightLocator adds to a message, from the error's log, the element for which the test waited, and the state of
// the element.
//
//	TimeoutError: locator.click: Timeout 900ms exceeded.
//	Call log:
//	  - waiting for getByRole('button', { name: 'Buy' })
//	  - attempting click action
//	    - element is not enabled
func playwrightLocator(message string, lines []string) string {
	if !strings.HasPrefix(message, "expect(locator).") && !strings.HasSuffix(message, " exceeded.") {
		return message
	}
	element, state := "", ""
	for _, line := range lines {
		text := strings.TrimPrefix(strings.TrimSpace(line), "- ")
		if said, ok := strings.CutPrefix(text, "Locator:"); ok && element == "" {
			element = strings.TrimSpace(said)
		} else if strings.HasPrefix(text, "waiting for ") && element == "" && strings.Contains(text, "(") {
			element = text
		}
		if strings.HasPrefix(text, "element is ") || strings.HasPrefix(text, "element was ") {
			state = ": " + text
		}
	}
	if element == "" || strings.Contains(message, element) {
		return message
	}
	return message + " " + element + state
}

// withoutShort removes the place above an excerpt, "   at cart.spec.js:2", which is relative to the directory of the
// tests, if a frame below has the whole path.
func withoutShort(lines []string) []string {
	for i, line := range lines {
		at, ok := strings.CutPrefix(line, "   at ")
		if !ok || strings.ContainsAny(at, " (") {
			continue
		}
		for _, below := range lines[i+1:] {
			if strings.HasPrefix(below, "    at ") && strings.Contains(below, "/"+strings.TrimLeft(at, "./")+":") {
				return append(lines[:i:i], lines[i+1:]...)
			}
		}
	}
	return lines
}
