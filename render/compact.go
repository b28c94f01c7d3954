package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cairn/result"
)

// RawLimit is the size in bytes above which Compact does not need the raw output: maxLines lines of at most a kilobyte
// and a body are shorter. Only test ids of many kilobytes each could be longer, and the output would repeat those.
const RawLimit = 128 << 10

// Compact is the text for agents and terminals. raw is the redacted output, or nil if it is not available; pass it
// whenever it is shorter than RawLimit bytes. The text after the header is never longer than raw, unless raw is blank
// or findings come from files that the run wrote. A raw output of at most 60 tokens is shown unchanged. If findings and
// text together would be longer, the text is shortened first.
func Compact(r *result.ToolResult, raw []byte) string {
	if answer, ok := whole(r, raw); ok {
		return answer
	}
	r = local(r)
	told := parts(r) + findings(r)
	below := told + body(r)
	below += pointer(r, below)
	if text := edged(readable(string(raw))); len(text) < len(below) && strings.TrimSpace(text) != "" && !fromFiles(r) {
		below = within(r, told, text)
	}
	return header(r, below) + below
}

// local is r with the paths of its findings relative to the directory in which the command ran, as are paths in the
// tool's own text.
func local(r *result.ToolResult) *result.ToolResult {
	if r.Dir == "" {
		return r
	}
	seen := *r
	seen.Findings = make([]result.Finding, len(r.Findings))
	for i, f := range r.Findings {
		seen.Findings[i] = r.LocalFinding(f)
	}
	return &seen
}

// CompactElsewhere is Compact for a reader in another directory than the command: if findings have places, a line below
// the header names the directory to which they are relative.
func CompactElsewhere(r *result.ToolResult, raw []byte, dir string) string {
	if answer, ok := whole(r, raw); ok {
		return answer
	}
	text := Compact(r, raw)
	hasPlace := func(f result.Finding) bool { return f.At != nil && !result.IsAbsolute(f.At.Path) }
	header, rest, _ := strings.Cut(text, "\n")
	if rest == "" || !slices.ContainsFunc(r.Findings, hasPlace) {
		return text
	}
	return header + "\n" + countFrom(dir) + rest
}

// fromFiles says whether the result has facts that are not in the output, because it was read from a file that the run
// wrote.
func fromFiles(r *result.ToolResult) bool {
	return r.Extra["output_in"] != nil || slices.ContainsFunc(r.Findings, func(f result.Finding) bool { return f.Extra["artifact"] != nil })
}

// within is printed if everything would be longer than the raw text: the findings, and the beginning and the end of the
// text, if at least half of it fits, else the raw text. Output in a format that no parser knows is shown
// unchanged.
func within(r *result.ToolResult, told, text string) string {
	last := pointer(r, told)
	room := len(text) - len(told) - len(last)
	unknown := r.Parser != nil && r.Parser.Name == "diagnostics" && r.Parser.Format == "lines"
	if told == "" || r.Body == "" || unknown || room < len(text)/2 {
		return text
	}
	return told + ends(body(r), room) + last
}

// ends cuts text to room bytes: its first lines, up to a third, its last lines, and a marker between them.
func ends(text string, room int) string {
	const ellipsis = "[…]\n"
	if len(text) <= room {
		return text
	}
	room = max(room-len(ellipsis), 0)
	head := text[:strings.LastIndexByte(text[:room/3], '\n')+1]
	from := len(text) - room + len(head)
	i := strings.IndexByte(text[from:], '\n')
	if i < 0 || room == 0 {
		return ""
	}
	return head + ellipsis + text[from+i+1:]
}

// findings prints the findings, grouped by file in order of appearance (see grouping).
func findings(r *result.ToolResult) string {
	var b strings.Builder
	shown, left := choose(r.Findings)
	g := group(r.Findings, r.Summary)
	b.WriteString(g.lines(shown))
	if len(left) > 0 {
		names, n := g.briefly(left)
		more := fmt.Sprintf("… %d more %s (%s)%s", len(left), plural(len(left), "finding"), severities(left), ofThese(n, len(left)))
		b.WriteString(marker(more, r.RawOID, " --result --format yaml") + names)
	}
	if n := r.Truncated.FindingsTotal - len(r.Findings); n > 0 {
		b.WriteString(marker(fmt.Sprintf("… %d %s not among these", n, plural(n, "finding")), r.RawOID, ""))
	}
	for _, s := range r.Suppressed {
		b.WriteString(marker(fmt.Sprintf("… %d %s left out%s", s.Count, plural(s.Count, strings.TrimSuffix(s.Kind, "s")), because(s.Reason)), "", ""))
	}
	return b.String()
}

// ranked are the severities, the gravest first.
var ranked = []result.Severity{result.SevFailure, result.SevError, result.SevWarning, result.SevInfo}

// rank is the index in ranked. An unknown severity ranks as a failure.
func rank(f result.Finding) int { return max(slices.Index(ranked, f.Severity), 0) }

// severities counts findings: "3 errors, 47 warnings".
func severities(findings []result.Finding) string {
	count := make([]int, len(ranked))
	for _, f := range findings {
		count[rank(f)]++
	}
	var words []string
	for i, n := range count {
		if n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, plural(n, string(ranked[i]))))
		}
	}
	return strings.Join(words, ", ")
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

// body prints the reduced text.
func body(r *result.ToolResult) string {
	if r.Body == "" && r.Truncated.BodyBytesOmitted > 0 && len(r.Findings) == 0 {
		return marker(fmt.Sprintf("… %d bytes of text", r.Truncated.BodyBytesOmitted), "", "")
	}
	return readable(r.Body)
}

// pointer is the last line: the command that shows what the lines above leave out. It is "" if the text is complete.
func pointer(r *result.ToolResult, above string) string {
	from, to := widestGap(r.Body)
	switch {
	case above == "" || r.RawOID == "":
		return ""
	case r.Raw != nil && r.Raw.Bytes == 0 && len(r.Artifacts) > 0:
		return marker("all of "+r.Artifacts[0].Path, r.Artifacts[0].OID, "")
	case r.Raw != nil && r.Raw.Bytes == 0 && fromFiles(r):
		return "" // the findings can be read in the files that they came from
	case to > 0:
		return marker("lines left out above", r.RawOID, fmt.Sprintf(" --lines %d:%d", from, to))
	case len(r.Findings) == 0 && r.Body != "" && !strings.Contains(r.Body, "[… "):
		return ""
	case r.Raw == nil:
		return marker("all output", r.RawOID, "")
	}
	return marker(fmt.Sprintf("all %d %s", r.Raw.Lines, plural(int(r.Raw.Lines), "line")), r.RawOID, "")
}

// widestGap finds the longest range of lines that reduced text leaves out, by its markers "[… 400 lines, 201-600]". It
// is 0, 0 if the text leaves out none.
func widestGap(body string) (from, to int) {
	for line := range strings.Lines(body) {
		inner, ok := strings.CutPrefix(strings.TrimSpace(line), "[… ")
		if !ok || !strings.HasSuffix(inner, "]") {
			continue
		}
		inner = strings.TrimSuffix(inner, "]")
		a, b, isRange := strings.Cut(inner[strings.LastIndexByte(inner, ' ')+1:], "-")
		if !isRange {
			b = a
		}
		first, err1 := strconv.Atoi(a)
		last, err2 := strconv.Atoi(b)
		if err1 == nil && err2 == nil && first >= 1 && last >= first && last-first >= to-from {
			from, to = first, last
		}
	}
	return from, to
}

// marker is a line in brackets that says what is left out and, if the output was stored, the command that shows it.
func marker(what, oid, flags string) string {
	what = result.CleanLine(what)
	if oid == "" {
		return "[" + what + "]\n"
	}
	return "[" + what + ": cairn recall object " + Short(oid) + flags + "]\n"
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

// plural is the form of word for a number of n. "info" has no plural.
func plural(n int, word string) string {
	if n == 1 || word == string(result.SevInfo) {
		return word
	}
	return word + "s"
}
