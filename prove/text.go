package prove

import (
	"fmt"
	"slices"
	"strings"

	"cairn/recall"
	"cairn/render"
	"cairn/result"
)

// Argv is how a check's command is run: as words, or as a line for a shell.
func (c Check) Argv() (argv []string, line string) {
	words := strings.Fields(c.Command)
	if shellLine(c.Command) || strings.Contains(words[0], "=") || words[0] == "!" {
		return nil, c.Command
	}
	return words, ""
}

// Text is the answer in the compact form.
func (a *Answer) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %s proven: tree %s", a.Count(Proven), result.Count(int64(len(a.Checks)), "check"), begin(a.Tree))
	if a.Base != "" && a.Base != a.Commit {
		fmt.Fprintf(&b, ", compared with %s", begin(a.Base))
	}
	b.WriteByte('\n')
	return b.String() + a.lines()
}

// lines are one line per check, with its reasons below.
func (a *Answer) lines() string {
	var b strings.Builder
	words, names := len("weakened"), 0
	for _, c := range a.Checks {
		names = max(names, len(c.Name))
	}
	for _, c := range a.Checks {
		fmt.Fprintf(&b, "%-*s  %-*s  %s", words, c.State, names, c.Name, result.CleanLine(c.Command))
		if c.Run != "" {
			fmt.Fprintf(&b, " (%s", render.ShortRun(c.Run))
			if c.Stage > 0 {
				fmt.Fprintf(&b, ".%d", c.Stage)
			}
			if c.RawOID != "" {
				b.WriteString(" " + c.RawOID[:min(len(c.RawOID), len("sha256:")+12)])
			}
			b.WriteByte(')')
		}
		b.WriteByte('\n')
		for _, r := range c.Reasons {
			fmt.Fprintf(&b, "  %s%s\n", result.CleanLine(r.Text), r.files())
		}
	}
	return b.String()
}

// Unproven is Text with only the checks that are not proven.
func (a *Answer) Unproven() string {
	left := *a
	left.Checks = nil
	for _, c := range a.Checks {
		if c.State != Proven {
			left.Checks = append(left.Checks, c)
		}
	}
	return fmt.Sprintf("%d of %s not proven for the files as they are now:\n%s", len(left.Checks), result.Count(int64(len(a.Checks)), "check"), left.lines())
}

// Trailers are lines for a commit message, one per check.
func (a *Answer) Trailers() string {
	var b strings.Builder
	for _, c := range a.Checks {
		words := []string{"Checked:", c.Name, render.ShortRun(c.Run), string(c.State)}
		b.WriteString(strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ") + "\n")
	}
	return b.String()
}

// files lists some files and tests of a reason.
func (r Reason) files() string {
	const shown = 5
	all := slices.Concat(r.Files, r.Tests)
	n := min(len(all), shown)
	if n == 0 {
		return ""
	}
	names := make([]string, n)
	for i := range names {
		names[i] = result.CleanLine(all[i])
	}
	text := ": " + strings.Join(names, ", ")
	if more := len(all) - n + r.More; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func begin(oid string) string { return oid[:min(len(oid), 12)] }

// Commands are the command lines that could prove the unproven checks.
func (a *Answer) Commands() (lines []string) {
	for _, c := range a.Checks {
		if !c.WouldHelp() {
			continue
		}
		line := c.Command
		if c.Dir != "" && c.Dir != "." {
			line = "cd " + recall.Quoted(c.Dir) + " && " + line
		}
		lines = append(lines, line)
	}
	return lines
}
