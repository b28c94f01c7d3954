package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"cairn/result"
)

// maxBrief bounds the text about findings beyond the lines in full, in bytes.
const maxBrief = 2 << 10

// briefly names findings without their messages, the gravest first, so that no file with findings looks clean: a test
// by its name, others by place and rule. n is how many fit in maxBrief bytes.
func (g *grouping) briefly(left []result.Finding) (text string, n int) {
	left = slices.Clone(left)
	slices.SortStableFunc(left, func(a, b result.Finding) int { return cmp.Compare(rank(a), rank(b)) })
	var named []result.Finding
	size, known := 0, map[string]bool{}
	for _, full := range left {
		f, added := inBrief(full), 0
		rest := g.rest(f)
		if f.At == nil && rest == "" {
			continue
		}
		file, text := pathOf(f), pathOf(f)+"\x00"+rest
		at := text + "\x00" + g.place(f, "")
		if !known[file] {
			added += len(file)
		}
		if !known[text] {
			added += len(rest) + len("  : ")
		}
		if !known[at] {
			added += len(g.place(f, "")) + len(", ")
			named = append(named, f)
		}
		if size += added; size > maxBrief {
			return g.blocks(named[:len(named)-1]), n
		}
		known[file], known[text], known[at] = true, true, true
		n++
	}
	return g.blocks(named), n
}

// inBrief is a finding with nothing but its name and its line.
func inBrief(f result.Finding) result.Finding {
	brief := result.Finding{ID: f.ID, Name: f.Name, Select: f.Select, Rule: f.Rule, Severity: result.SevFailure}
	if f.ID != "" {
		brief.Rule = ""
	}
	if f.At != nil {
		brief.At = &result.Location{Path: f.At.Path, Line: f.At.Line}
	}
	return brief
}

// ofThese says how many of all findings follow.
func ofThese(n, all int) string {
	switch n {
	case 0:
		return ""
	case all:
		return ", without messages below"
	}
	return fmt.Sprintf(", %d without messages below", n)
}

// Vim is a result for an editor: one line per finding, and the verdict if findings do not show everything that failed.
func Vim(r *result.ToolResult) string {
	text := ""
	for _, f := range local(r).Findings {
		text += VimLine(f) + "\n"
	}
	failing := func(f result.Finding) bool { return f.Severity != result.SevWarning && f.Severity != result.SevInfo }
	good := r.Status == result.Passed || r.Status == result.OK
	if !good && !slices.ContainsFunc(r.Findings, failing) || r.Truncated.FindingsTotal > len(r.Findings) {
		text += result.CleanLine("cairn: "+Verdict(r)) + "\n"
	}
	return text
}

// VimLine is a finding in the format of vim's default 'errorformat' (:help errorformat, "%f:%l:%c:%m") and of GNU
// programs, which emacs' compilation mode reads (https://www.gnu.org/prep/standards/html_node/Errors.html).
func VimLine(f result.Finding) string {
	line := "error: "
	switch f.Severity {
	case result.SevWarning:
		line = "warning: "
	case result.SevInfo:
		line = "note: "
	}
	if f.Rule != "" {
		line += f.Rule + ": "
	}
	if f.ID != "" {
		line += f.ID + ": "
	}
	line += f.Message
	if at := f.At; at != nil && at.Path != "" && at.Line > 0 {
		line = at.String() + ": " + line
	}
	if f.Expected != "" || f.Actual != "" {
		line += " (expected " + f.Expected + ", got " + f.Actual + ")"
	}
	return result.CleanLine(line)
}

// readable is text that may be printed: cleaned, with a newline at its end, and with a count in place of lines that are
// not text. Such lines tell a reader nothing and may be most of an output.
func readable(s string) string {
	s = result.Clean(s)
	if s == "" {
		return ""
	}
	if !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	if !strings.ContainsRune(s, utf8.RuneError) {
		return s
	}
	var b strings.Builder
	start, lines, at := 0, 0, 0 // start and number of the lines that are not text, and the current position
	flush := func() {
		note := fmt.Sprintf("[… %d %s not text]\n", lines, plural(lines, "line"))
		if stretch := s[start:at]; lines > 0 && len(note) < len(stretch) {
			b.WriteString(note)
		} else {
			b.WriteString(stretch)
		}
		lines = 0
	}
	for line := range strings.Lines(s) {
		if garbled(line) {
			if lines++; lines == 1 {
				start = at
			}
		} else {
			flush()
			b.WriteString(line)
			start = at + len(line)
		}
		at += len(line)
	}
	flush()
	return b.String()
}

// edged is text without blank lines at both ends.
func edged(s string) string {
	for {
		line, rest, ok := strings.Cut(s, "\n")
		if !ok || strings.TrimSpace(line) != "" {
			break
		}
		s = rest
	}
	if s = strings.TrimRight(s, " \t\n"); s != "" {
		s += "\n"
	}
	return s
}

// garbled says whether at least a quarter of the characters are invalid. Text in a one-byte encoding has fewer.
func garbled(line string) bool {
	bad := strings.Count(line, string(utf8.RuneError))
	return bad >= 2 && bad*4 >= utf8.RuneCountInString(line)
}

// mostHidden bounds the findings shown of one stage; the stage's output has the rest.
const mostHidden = 10

// Hidden is the text about a command of a pipeline whose output another command reads: its name, the reader, how it
// ended, and the findings of r. where is the run and the stage by which recall shows the rest.
func Hidden(name, reader, ended string, r *result.ToolResult, where string) string {
	var b strings.Builder
	b.WriteString("[" + result.CleanLine(name))
	if reader != "" {
		b.WriteString(", before " + result.CleanLine(reader))
	}
	said := r.Summary
	if said == "" || len(r.Findings) == 0 && ended != "" {
		said = strings.TrimPrefix(ended, name+" ")
	}
	b.WriteString(": " + result.CleanLine(said))
	if where != "" {
		b.WriteString(": cairn recall object " + where)
	}
	b.WriteString("]\n")
	shown := local(r)
	left := max(len(shown.Findings)-mostHidden, 0)
	b.WriteString(group(shown.Findings, r.Summary).lines(shown.Findings[:len(shown.Findings)-left]))
	if left > 0 {
		fmt.Fprintf(&b, "[… %d more %s]\n", left, plural(left, "finding"))
	}
	return b.String()
}
