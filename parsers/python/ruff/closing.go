package ruff

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// ruffClosingKind tells the forms of closing lines apart.
type ruffClosingKind uint8

const (
	ruffClosingFound   ruffClosingKind = iota // "Found 3 errors (1 fixed, 2 remaining)."
	ruffClosingPassed                         // "All checks passed!"
	ruffClosingDiff                           // "Would fix 3 errors."
	ruffClosingFormat                         // "1 file would be reformatted, 2 files already formatted"
	ruffClosingWritten                        // "1 file reformatted, 2 files left unchanged"
	ruffClosingFixed                          // "Fixed 3 errors.", the only output of --fix-only
	ruffClosingMore                           // the line after the closing line: "[*] 2 fixable with …"
)

// ruffClosing is a closing line.
type ruffClosing struct {
	kind             ruffClosingKind
	remaining, fixed int // errors
	changed          int // files
}

func (t ruffClosing) tool() string {
	if t.kind == ruffClosingFormat || t.kind == ruffClosingWritten {
		return ruffFormat
	}
	return ruffCheck
}

func readRuffClosing(s string) (t ruffClosing, ok bool) {
	more := ruffClosing{kind: ruffClosingMore}
	rest, counts := lex.CutAnyPrefix(s, "Found ", "Would fix ", "Fixed ")
	switch {
	case s == "All checks passed!":
		return ruffClosing{kind: ruffClosingPassed}, true
	case strings.HasPrefix(s, "No errors would be fixed"), counts && s[0] == 'W':
		return ruffClosing{kind: ruffClosingDiff}, !counts || lex.LeadingNumber(rest) > 0
	case counts && s[1] == 'o':
		return readRuffFound(rest)
	case counts:
		return readRuffFixed(rest)
	case strings.HasPrefix(s, "[*] "):
		return more, strings.Contains(s, "fixable with ")
	case lex.HasAnyPrefix(s, "No fixes available (", "No errors fixed ("):
		return more, true
	case s == "" || s[0] < '0' || s[0] > '9':
		return t, false
	case strings.Contains(s, " available with ") && strings.Contains(s, "fix"), strings.Contains(s, " potentially fixable with the --fix option"):
		return more, true
	}
	return readRuffFiles(s)
}

// readRuffFixed reads "3 errors.", "3 errors (2 additional fixes available with
// `--unsafe-fixes`)." and, above the list of --show-fixes, "3 errors:".
func readRuffFixed(s string) (t ruffClosing, ok bool) {
	n, rest, ok := lex.CutCount(s, "error")
	switch {
	case !ok:
		return t, false
	case rest == ":":
		return ruffClosing{kind: ruffClosingMore}, true
	}
	return ruffClosing{kind: ruffClosingFixed, fixed: n}, rest == "." || strings.HasPrefix(rest, " (") && strings.Contains(rest, " additional fix")
}

// readRuffFound reads "3 errors.", "3 errors (1 fixed, 2 remaining)." and, of 0.0.200, "3 error(s).".
func readRuffFound(s string) (t ruffClosing, ok bool) {
	n, rest, ok := lex.CutCount(s, "error")
	if !ok {
		return t, false
	}
	t.remaining, rest = n, strings.TrimPrefix(rest, "(s)")
	if rest == "." {
		return t, true
	}
	rest, ok = strings.CutPrefix(rest, " (")
	fixed, left, two := strings.Cut(rest, " fixed, ")
	if !ok || !two || strings.TrimLeft(left, "0123456789") != " remaining)." {
		return t, false
	}
	t.fixed, t.remaining = lex.LeadingNumber(fixed), lex.LeadingNumber(left)
	return t, true
}

// readRuffFiles reads the closing line of ruff format, "1 file reformatted, 2 files left unchanged".
// black's ends with a full stop.
func readRuffFiles(s string) (t ruffClosing, ok bool) {
	for part := range strings.SplitSeq(s, ", ") {
		n, what, is := lex.CutCount(part, "file")
		if !is {
			return t, false
		}
		switch what {
		case " would be reformatted":
			t.kind, t.changed = ruffClosingFormat, n
		case " already formatted":
			t.kind = ruffClosingFormat
		case " reformatted":
			t.kind, t.changed = ruffClosingWritten, n
		case " left unchanged":
			if t.kind == ruffClosingFound {
				t.kind = ruffClosingWritten
			}
		default:
			return t, false
		}
	}
	return t, true
}

// counted takes a line of --statistics.
func (r *ruff) counted(s *read.Sink, l tool.Line) bool {
	f, certain, ok := readRuffCount(strings.TrimLeft(l.Text, " "))
	if !ok {
		return false
	}
	r.run.stats, r.run.certain = true, r.run.certain || certain
	s.Find(l, f)
	return s.Break()
}

// readRuffCount reads "12\tF401\t[*] unused-import" and, for a rule that --fix cannot mend,
// "12\tF821\tundefined-name". Until 0.6 the line has the rule's first message in place of the name. certain is set
// if only ruff prints the line.
func readRuffCount(s string) (f result.Finding, certain, ok bool) {
	number, rest, ok := strings.Cut(s, "\t")
	n := lex.LeadingNumber(number)
	if !ok || n == 0 || strings.Trim(number, "0123456789") != "" {
		return f, false, false
	}
	code, name, ok := strings.Cut(rest, "\t")
	code = strings.TrimSpace(code)
	if !ok || name == "" || code != "" && !isRuffCode(code) {
		return f, false, false
	}
	fixable := false
	switch {
	case len(name) > 4 && name[0] == '[' && name[2] == ']':
		certain, fixable, name = true, name[1] == '*', strings.TrimSpace(name[3:])
	case code == "":
		certain = name == "syntax-error" || name == ruffSyntax
	default:
		certain = ruffCodes()[name] == code
	}
	f = ruffFinding(code, name+" ("+number+")", result.Location{})
	f.At, f.Fixable, f.Extra = nil, fixable, map[string]any{"count": n}
	return f, certain, certain || code != ""
}

// closes takes a closing line, which ends the run, or the line after one.
func (r *ruff) closes(s *read.Sink, l tool.Line) (known, own bool) {
	t, ok := readRuffClosing(l.Text)
	switch {
	case !ok:
		return false, false
	case t.kind != ruffClosingMore:
		s.Cover(l)
		r.group, r.run.closing, r.run.tool = "", &t, t.tool()
		r.endRun(s)
	case len(s.Findings)+s.Dropped+len(r.run.diffs) > 0:
		return true, true
	case r.ours:
		r.all.Cover(l) // the line belongs to the run that ended
	}
	return true, false
}

// endRun keeps the findings of the run if it is of the tool whose report is made.
func (r *ruff) endRun(s *read.Sink) {
	r.endParts(s)
	s.Settle()
	run := r.run
	if t := run.closing; t != nil {
		r.remember(s, t)
		if n := len(s.Findings) - t.remaining; run.flake8 && t.kind == ruffClosingFound && n > 0 {
			s.Findings = s.Findings[n:] // what flake8 printed before ruff began
		}
	} else {
		r.diffs = append(r.diffs, run.diffs...)
	}
	if r.accepts(&run, s) && cmp.Or(run.tool, r.asked, ruffCheck) == r.tool && !r.heard {
		r.keep(&run, s.Report)
	}
	*s.Report, r.run = *s.In.NewReport(), ruffRun{}
}

// remember keeps what a closing line says about the lines on the other stream.
func (r *ruff) remember(s *read.Sink, t *ruffClosing) {
	if t.kind == ruffClosingFormat || t.kind == ruffClosingDiff {
		r.differ = cmp.Or(r.differ, t.tool())
	}
	r.formatted = r.formatted || t.tool() == ruffFormat
	if t.tool() == ruffCheck {
		r.checked = true
		r.unparsed = r.unparsed || slices.ContainsFunc(s.Findings, func(f result.Finding) bool { return f.Rule == "E999" })
	}
}

// accepts reports whether a run is ruff's: flake8 prints lines like those of the concise format, and the closing lines
// of biome and ty look like ruff's.
func (r *ruff) accepts(run *ruffRun, s *read.Sink) bool {
	found := len(s.Findings) > 0
	switch t := run.closing; {
	case t == nil && !run.framed && (run.flake8 || r.flake8):
		return false
	case run.certain:
		return true
	case t == nil:
		return r.named && found && !r.ours
	case t.kind == ruffClosingFound:
		return r.named || found || t.fixed > 0
	case t.kind == ruffClosingFixed:
		return r.named
	case t.kind == ruffClosingPassed:
		return r.in.Command().Program() != "ty"
	}
	return true
}
