package render

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"cairn/result"
)

// The compact form writes text that many findings share only once:
//
//	[paths count from /home/dev/shop]
//	src/cart.py
//	  12, 40, 77: F401: 'os' imported but unused
//	  80:5: E501: line too long
//	src/one.py:3: E711: comparison to None
//
// A file with three findings or more is a line of its own, and its findings are rows below it, sorted by line. Findings
// of one file with the same rule and message are one row. A column is written only if two findings are on the same
// line. A severity that all findings share is only in the header's counts. Expand restores every place in full.

// leastGrouped is how many findings of one file are needed to write its path as a line of its own.
const leastGrouped = 3

// grouping is what the findings of one result share.
type grouping struct {
	severity result.Severity // of all findings; "" if they differ
	base     string          // directory of all paths, if they are absolute; "" otherwise
	twice    map[string]bool // lines that two findings share, as path:line
	above    string          // the reason in the line written last
}

// group finds what the findings have in common. counted is the summary with counts by severity; without such a count,
// the severity is printed on every line.
func group(all []result.Finding, counted string) *grouping {
	g := &grouping{twice: map[string]bool{}, base: sharedBase(all)}
	if len(all) > 0 && hasWord(counted, plural(len(all), string(all[0].Severity))) {
		g.severity = all[0].Severity
	}
	seen := map[string]bool{}
	for _, f := range all {
		if f.Severity != g.severity || f.Severity == result.SevFailure {
			g.severity = ""
		}
		if at := lineOf(f); at != "" {
			g.twice[at] = seen[at]
			seen[at] = true
		}
	}
	return g
}

// lineOf is the path and line of a finding; "" where it has none.
func lineOf(f result.Finding) string {
	if f.At == nil || f.At.Path == "" || f.At.Line == 0 {
		return ""
	}
	return f.At.Path + ":" + strconv.Itoa(f.At.Line)
}

// leastBase is the least length of a shared directory that is written once, in bytes.
const leastBase = 12

// sharedBase is the directory that all paths lie in, if they are absolute.
func sharedBase(all []result.Finding) string {
	base := ""
	n := 0
	for _, f := range all {
		p := pathOf(f)
		if p == "" {
			continue
		}
		if !result.IsAbsolute(p) {
			return ""
		}
		if n++; n == 1 {
			base = path.Dir(p)
		}
		for base != "/" && base != "." && !strings.HasPrefix(p, base+"/") {
			base = path.Dir(base)
		}
	}
	if n < leastGrouped || len(base) < leastBase {
		return ""
	}
	return base
}

// countFrom is the line that names the directory to which the paths below are relative.
func countFrom(dir string) string { return "[paths count from " + result.CleanLine(dir) + "]\n" }

// lines prints the findings, grouped by file.
func (g *grouping) lines(findings []result.Finding) string {
	if g.base != "" {
		return countFrom(g.base) + g.blocks(findings)
	}
	return g.blocks(findings)
}

// blocks is lines without the directory that all paths share.
func (g *grouping) blocks(findings []result.Finding) string {
	var b strings.Builder
	sorted := byFile(findings)
	for len(sorted) > 0 {
		n := 1
		for n < len(sorted) && pathOf(sorted[n]) == pathOf(sorted[0]) {
			n++
		}
		g.file(&b, sorted[:n])
		sorted = sorted[n:]
	}
	return b.String()
}

// file prints the findings of one file.
func (g *grouping) file(b *strings.Builder, findings []result.Finding) {
	name := g.path(pathOf(findings[0]))
	noLine := func(f result.Finding) bool { return lineOf(f) == "" }
	if len(findings) < leastGrouped || name != result.CleanLine(name) || strings.HasPrefix(name, " ") || slices.ContainsFunc(findings, noLine) {
		for _, f := range findings {
			b.WriteString(g.line(g.place(f, name), f) + "\n")
		}
		return
	}
	b.WriteString(name + "\n")
	for _, r := range g.rows(findings) {
		b.WriteString("  " + strings.Join(r.places, ", ") + ": " + g.line("", r.first) + "\n")
	}
}

// row is one line below a path: the places of findings with the same text.
type row struct {
	places    []string
	first     result.Finding
	rest, why string // of the first finding
}

// rows puts findings with the same text into one row, at the position of the first one, and tests that failed for the
// same reason next to one another.
func (g *grouping) rows(findings []result.Finding) (rows []row) {
	for _, f := range findings {
		at, rest, why := g.place(f, ""), g.rest(f), reason(f)
		same, end := -1, len(rows)
		for i, r := range rows {
			if r.rest == rest {
				same = i
			}
			if why != "" && r.why == why {
				end = i + 1
			}
		}
		if same < 0 || slices.Contains(rows[same].places, at) {
			rows = slices.Insert(rows, end, row{first: f, rest: rest, why: why})
			same = end
		}
		rows[same].places = append(rows[same].places, at)
	}
	return rows
}

// place is the place of a finding: a path and line after name, or only the line if name is "".
func (g *grouping) place(f result.Finding, name string) string {
	if f.At == nil || f.At.Line == 0 {
		return name
	}
	at := strconv.Itoa(f.At.Line)
	if f.At.Column > 0 && g.twice[lineOf(f)] {
		at = fmt.Sprintf("%d:%d", f.At.Line, f.At.Column)
	}
	if name == "" {
		return at
	}
	return name + ":" + at
}

func (g *grouping) path(p string) string {
	if g.base != "" {
		return strings.TrimPrefix(p, g.base+"/")
	}
	return p
}

// leastShared is the least length of a reason that is not repeated, in bytes.
const leastShared = 80

// reason is why a test failed, if that is so long that it is not repeated for the next test; "" otherwise.
func reason(f result.Finding) string {
	if _, why, _ := clauses(f); f.Kind == result.TestFailure && f.ID != "" && len(why) >= leastShared {
		return why
	}
	return ""
}

// line is the line of a finding; the reason is "(as above)" if the line above has the same one.
func (g *grouping) line(place string, f result.Finding) string {
	what, why, more := clauses(g.bare(f))
	above := g.above
	if g.above = reason(f); g.above != "" && g.above == above {
		why = "(as above)"
	}
	return result.CleanLine(join(join(place, what), why) + more)
}

// rest is the part of a finding's line after the place.
func (g *grouping) rest(f result.Finding) string {
	f = g.bare(f)
	f.Location = ""
	return Line(f)
}

// bare is a finding without the severity, if all share it.
func (g *grouping) bare(f result.Finding) result.Finding {
	if f.Severity == g.severity {
		f.Severity = result.SevFailure
	}
	return f
}

func join(place, rest string) string {
	if place == "" || rest == "" {
		return place + rest
	}
	return place + ": " + rest
}

// Expand restores every place of a compact text in full, one line each: rows below a path, and paths relative to a
// shared directory.
func Expand(compact string) string {
	var b strings.Builder
	name, base := "", ""
	for line := range strings.Lines(compact) {
		text := strings.TrimSuffix(line, "\n")
		if from, ok := strings.CutPrefix(text, "[paths count from "); ok {
			base = strings.TrimSuffix(from, "]") + "/"
			continue
		}
		if !strings.HasPrefix(text, "  ") {
			name = text
			b.WriteString(base + line)
			continue
		}
		places, rest, ok := cutPlaces(text[2:])
		if !ok {
			b.WriteString(line)
			continue
		}
		for _, at := range places {
			b.WriteString(base + name + ":" + at + ": " + rest + "\n")
		}
	}
	return b.String()
}

// cutPlaces reads "12, 40:3, 77: rest".
func cutPlaces(row string) (places []string, rest string, ok bool) {
	for {
		n := strings.IndexFunc(row, func(r rune) bool { return r < '0' || r > '9' })
		if n <= 0 {
			return nil, "", false
		}
		at := row[:n]
		row = row[n:]
		if m := strings.IndexFunc(row[1:], func(r rune) bool { return r < '0' || r > '9' }); row[0] == ':' && m > 0 {
			at, row = at+row[:m+1], row[m+1:]
		}
		places = append(places, at)
		if after, more := strings.CutPrefix(row, ", "); more {
			row = after
			continue
		}
		rest, ok = strings.CutPrefix(row+" ", ": ")
		rest = strings.TrimSuffix(rest, " ")
		return places, rest, ok
	}
}
