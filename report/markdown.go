package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"cairn/render"
	"cairn/result"
)

// CommentLimit is GitHub's limit for a comment and for the text of a check, in characters:
// https://docs.github.com/en/rest/checks/runs (65,535). SummaryLimit is the limit of a job's summary, in bytes:
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands (1 MiB per step).
const (
	CommentLimit = 65_535
	SummaryLimit = 1 << 20
)

// Markdown writes a report for a pull request or the summary of a job, in GitHub's Markdown
// (https://github.github.com/gfm/). Text of tools is in code spans, where it is no markup, mention or link. Findings
// beyond Limit bytes are only counted.
type Markdown struct{ Limit int }

// shownAtOnce is how many findings of one kind are shown before they are folded together.
const shownAtOnce = 10

// Write writes the report.
func (m Markdown) Write(w io.Writer, r *Report) error {
	d := &document{left: m.Limit - markdownEnd}
	d.add("## " + Headline(r) + "\n\n")
	for _, run := range r.Latest() {
		d.item(runLine(run))
	}
	d.end("more runs")
	d.proof(r.Proof)
	all := r.Findings()
	d.list("New", true, pick(all, New))
	d.list("Not compared with an earlier run", true, pick(all, ""))
	d.list("Known: the run before had them", false, pick(all, Known))
	d.list("Flaky: failed and passed on one tree", false, pick(all, Flaky))
	d.list("Fixed", false, r.Away(Fixed))
	d.list("Gone, and not proven fixed", false, r.Away(Gone))
	d.add("\n")
	_, err := io.WriteString(w, d.text.String())
	return err
}

func pick(all []Finding, state State) (some []Finding) {
	for _, f := range all {
		if f.State == state {
			some = append(some, f)
		}
	}
	return some
}

// markdownEnd is reserved for titles and for the lines that say what is left out, in bytes. SummaryLeast is the
// smallest Limit with room for these.
const (
	markdownEnd  = 2000
	SummaryLeast = 2 * markdownEnd
)

// document is Markdown of a bounded size.
type document struct {
	text    strings.Builder
	left    int
	skipped int
}

// add adds text even if there is no room.
func (d *document) add(text string) {
	d.text.WriteString(text)
	d.left -= len(text)
}

// item adds a line if there is room, and otherwise counts it.
func (d *document) item(line string) {
	if d.skipped > 0 || len(line) > d.left {
		d.skipped++
		return
	}
	d.add(line)
}

// end says how many items were left out, and resets the count.
func (d *document) end(what string) {
	if d.skipped > 0 {
		d.add(fmt.Sprintf("- … %d %s, not shown here\n", d.skipped, what))
	}
	d.skipped = 0
}

// list is a section of findings: the first ones are shown, further ones are folded.
func (d *document) list(title string, open bool, findings []Finding) {
	if len(findings) == 0 {
		return
	}
	head := 0
	if open {
		head = min(shownAtOnce, len(findings))
	}
	d.add(fmt.Sprintf("\n### %s (%d)\n\n", title, len(findings)))
	for _, f := range findings[:head] {
		d.item(findingLine(f))
	}
	if rest := findings[head:]; len(rest) > 0 {
		if head > 0 {
			d.add("\n")
		}
		d.add(fmt.Sprintf("<details><summary>%d %s</summary>\n\n", len(rest), map[bool]string{true: "more", false: "in all"}[head > 0]))
		for _, f := range rest {
			d.item(findingLine(f))
		}
		d.end("more")
		d.add("\n</details>\n")
	}
	d.end("more")
}

func findingLine(f Finding) string {
	line := "- "
	if at := f.at(); at != nil {
		line += code(at.String()) + " "
	}
	if f.ID != "" {
		line += code(f.ID) + " "
	}
	if level := levelOf(f.Severity); level.rank > 0 {
		line += level.word + " "
	}
	if f.Rule != "" {
		line += code(f.Rule) + " "
	}
	message := f.Message
	if f.Expected != "" || f.Actual != "" {
		message += fmt.Sprintf(" (expected %s, got %s)", result.CleanLine(f.Expected), result.CleanLine(f.Actual))
	}
	return line + code(cut(message, 400)) + " — run " + code(render.ShortRun(f.Run.ID)) + "\n"
}

func runLine(r *Run) string {
	line := fmt.Sprintf("- %s %s: %s, %s, run %s", badge(r), code(cut(r.Command, 200)), code(cut(r.Verdict, 300)), span(r.Duration), code(render.ShortRun(r.ID)))
	if r.Was > 0 {
		line += fmt.Sprintf(", **slower**: runs like it took %s", span(r.Was))
	}
	if r.Base != "" {
		line += fmt.Sprintf(", compared with %s %s", code(render.ShortRun(r.Base)), code(r.Where))
	}
	if r.Hidden > 0 {
		line += fmt.Sprintf(", %s that only its record counts", result.Count(r.Hidden, "finding"))
	}
	if r.Unnamed > 0 {
		line += fmt.Sprintf(", %s of the run before not shown any more", result.Count(r.Unnamed, "finding"))
	}
	return line + "\n"
}

// badge is the status of a run as a sign and a word.
func badge(r *Run) string {
	if r.Failed() {
		return "❌ " + string(r.Status)
	}
	return "✅ " + string(r.Status)
}

// code is a code span; its fence is longer than any run of backticks in the text.
func code(text string) string {
	longest, n := 0, 0
	for _, r := range text {
		if n++; r != '`' {
			n = 0
		}
		longest = max(longest, n)
	}
	if text == "" {
		return ""
	}
	fence := strings.Repeat("`", longest+1)
	if longest > 0 || text[0] == ' ' {
		text = " " + text + " "
	}
	return fence + text + fence
}

// cut is the beginning of a text, at the end of a rune.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

func millis(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }

func span(ms int64) string {
	d := millis(ms)
	if d > time.Minute {
		d = d.Round(time.Second)
	}
	return d.String()
}
