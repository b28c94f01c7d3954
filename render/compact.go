package render

import (
	"fmt"
	"slices"
	"strings"

	"cairn/result"
)

const (
	// maxFindings bounds what is printed; more findings than this are read
	// with a query, not by eye.
	maxFindings = 100
	maxMessage  = 400 // bytes of one message
	maxValue    = 120 // bytes of an expected or actual value
	// shortID is how many hex digits of an object id are printed: 48 bits, as
	// for fingerprints, so that a million objects are told apart.
	shortID = 12
)

// Compact is the text that agents and terminals read. raw is the output
// itself, with secrets taken out, or nil when it is not at hand; pass it
// whenever it is shorter than RawLimit bytes.
func Compact(r *result.ToolResult, raw []byte) string {
	head := header(r)
	below := findings(r) + body(r)
	if text := result.Clean(string(raw)); raw != nil && len(text) < len(below) {
		below = ensureNewline(text)
	}
	return head + below
}

// RawLimit is the size in bytes above which no compact form is longer than
// its raw output: maxFindings lines of at most one kilobyte and a body.
const RawLimit = 128 << 10

// header is the verdict in one line.
func header(r *result.ToolResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", r.Tool, r.Status)
	if s := r.Summary; s != "" {
		b.WriteString(": " + s)
	}
	b.WriteString(ending(r))
	if r.ParserConfidence == result.Heuristic {
		b.WriteString(" [not fully parsed" + doubt(r) + "]")
	}
	if r.Truncated.Raw {
		b.WriteString(" [output cut short]")
	}
	if r.RawOID != "" {
		b.WriteString(" " + Short(r.RawOID))
	}
	b.WriteByte('\n')
	return result.Clean(b.String())
}

// ending says how the command ended, unless the summary did.
func ending(r *result.ToolResult) string {
	var how []string
	if r.ExitCode != nil && *r.ExitCode != 0 {
		how = append(how, fmt.Sprintf("exit %d", *r.ExitCode))
	}
	if r.Signal != "" {
		how = append(how, r.Signal)
	}
	if r.TimedOut {
		how = append(how, "timed out")
	}
	how = slices.DeleteFunc(how, func(s string) bool { return strings.Contains(r.Summary, s) })
	switch r.ExitMeaning {
	case "", result.MeansFindings, result.MeansNotFound, result.MeansNotExec: // the summary says it
	default:
		how = append(how, strings.ReplaceAll(string(r.ExitMeaning), "_", " "))
	}
	if r.StatusSource == result.FromFindings {
		how = append(how, "exit 0, but findings say failed")
	}
	if len(how) == 0 {
		return ""
	}
	return " (" + strings.Join(how, ", ") + ")"
}

func doubt(r *result.ToolResult) string {
	if why, ok := r.Extra["doubt"].(string); ok && why != "" {
		return ": " + why
	}
	return ""
}

// Short is the beginning of an object id that is printed; it is an id that
// recall takes.
func Short(oid string) string {
	return oid[:min(len(oid), len("sha256:")+shortID)]
}

// findings prints a line for each, files together in order of appearance.
func findings(r *result.ToolResult) string {
	var b strings.Builder
	grouped := byFile(r.Findings)
	for _, f := range grouped[:min(len(grouped), maxFindings)] {
		b.WriteString(Line(f))
		b.WriteByte('\n')
	}
	if left := max(r.Truncated.FindingsTotal, len(grouped)) - min(len(grouped), maxFindings); left > 0 {
		fmt.Fprintf(&b, "[… %d more findings: cairn recall object %s --result]\n", left, Short(r.RawOID))
	}
	for _, s := range r.Suppressed {
		if s.Kind != "duplicates" {
			fmt.Fprintf(&b, "[%d %s left out]\n", s.Count, s.Kind)
		}
	}
	return b.String()
}

func byFile(findings []result.Finding) []result.Finding {
	order := map[string]int{}
	for _, f := range findings {
		if _, ok := order[pathOf(f)]; !ok {
			order[pathOf(f)] = len(order)
		}
	}
	sorted := slices.Clone(findings)
	slices.SortStableFunc(sorted, func(a, b result.Finding) int { return order[pathOf(a)] - order[pathOf(b)] })
	return sorted
}

func pathOf(f result.Finding) string {
	if f.At == nil {
		return ""
	}
	return f.At.Path
}

// Line is one finding in one line. A diagnostic's rule stands before its
// message as linters print it; a test's, which is the class of the exception,
// stands behind the test.
func Line(f result.Finding) string {
	var words []string
	if f.Severity != result.SevFailure {
		words = append(words, string(f.Severity))
	}
	rule := f.Rule
	if strings.Contains(f.Message, rule) {
		rule = ""
	}
	if f.ID == "" && rule != "" {
		words, rule = append(words, rule), ""
	}
	if f.ID != "" {
		words = append(words, f.ID)
	}
	parts := make([]string, 0, 4)
	for _, p := range []string{f.Location, strings.Join(words, " "), rule, cut(f.Message, maxMessage)} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return result.Clean(strings.Join(parts, ": ") + values(f))
}

// values adds what the message does not say already.
func values(f result.Finding) string {
	expected, actual := oneLine(f.Expected), oneLine(f.Actual)
	if expected == "" && actual == "" || saysBoth(f.Message, expected, actual) {
		return ""
	}
	return fmt.Sprintf(" (expected %s, got %s)", cut(expected, maxValue), cut(actual, maxValue))
}

func saysBoth(message, a, b string) bool {
	return strings.Contains(message, a) && strings.Contains(message, b)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// cut shortens text at a rune boundary and says by how much.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return fmt.Sprintf("%s[… %d bytes]", s[:n], len(s)-n)
}

// body prints reduced text and the command that shows what it leaves out.
func body(r *result.ToolResult) string {
	if r.Body == "" {
		return ""
	}
	text := ensureNewline(result.Clean(r.Body))
	if strings.Contains(r.Body, "[… ") && r.RawOID != "" {
		text += fmt.Sprintf("[… left out above: cairn recall object %s --lines A:B]\n", Short(r.RawOID))
	}
	return text
}

func ensureNewline(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}
