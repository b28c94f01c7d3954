package ruff

import (
	"cmp"
	"strings"

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
	fixable          int // errors
	changed          int // files
}

func (t ruffClosing) tool() string {
	if t.kind == ruffClosingFormat || t.kind == ruffClosingWritten {
		return ruffFormat
	}
	return ruffCheck
}

func readRuffClosing(s string) (t ruffClosing, ok bool) {
	switch {
	case s == "":
		return t, false
	case s == "All checks passed!":
		return ruffClosing{kind: ruffClosingPassed}, true
	case strings.HasPrefix(s, "Found "):
		return readRuffFound(s[len("Found "):])
	case strings.HasPrefix(s, "Would fix ") && lex.LeadingNumber(strings.TrimPrefix(s, "Would fix ")) > 0, strings.HasPrefix(s, "No errors would be fixed"):
		return ruffClosing{kind: ruffClosingDiff, fixable: lex.LeadingNumber(strings.TrimPrefix(s, "Would fix "))}, true
	case strings.HasPrefix(s, "[*] "):
		return ruffClosing{kind: ruffClosingMore, fixable: lex.LeadingNumber(s[len("[*] "):])}, strings.Contains(s, "fixable with ")
	case strings.HasPrefix(s, "No fixes available ("), strings.HasPrefix(s, "No errors fixed ("):
		return ruffClosing{kind: ruffClosingMore}, true
	case strings.HasPrefix(s, "Fixed "):
		return readRuffFixed(s[len("Fixed "):])
	case s[0] >= '0' && s[0] <= '9':
		if strings.Contains(s, " available with ") && strings.Contains(s, "fix") || strings.Contains(s, " potentially fixable with the --fix option") {
			return ruffClosing{kind: ruffClosingMore}, true
		}
		return readRuffFiles(s)
	}
	return t, false
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
func (r *ruffReader) counted(l tool.Line) bool {
	f, certain, ok := readRuffCount(strings.TrimLeft(l.Text, " "))
	if !ok {
		return false
	}
	f.RawSpan = &result.Span{Start: l.Start, End: l.End}
	r.cover(l)
	r.run.stats, r.run.certain = true, r.run.certain || certain
	r.add(f)
	return true
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

// closes takes a closing line, which ends the run.
func (r *ruffReader) closes(l tool.Line) bool {
	t, ok := readRuffClosing(l.Text)
	if !ok {
		return false
	}
	if t.kind == ruffClosingMore {
		r.more(l, t)
		return true
	}
	r.cover(l)
	r.group = ""
	r.run.closing, r.run.closed = t, true
	r.run.dropFlake8()
	r.run.tool = cmp.Or(t.tool(), r.run.tool)
	r.keepRun()
	r.run = &ruffRun{}
	return true
}

// more takes the line after a closing line, which belongs to the run that ended.
func (r *ruffReader) more(l tool.Line, t ruffClosing) {
	open := r.run
	if n := len(r.runs); n > 0 && len(open.items)+len(open.diffs)+open.dropped == 0 {
		r.run = r.runs[n-1]
	}
	r.cover(l)
	r.run.closing.fixable += t.fixable
	r.run = open
}

// keepRun keeps the open run. Beyond maxRuffRuns, only the number of its findings is kept.
func (r *ruffReader) keepRun() {
	if n := len(r.runs); n >= maxRuffRuns {
		r.runs[n-1].dropped += len(r.run.items) + len(r.run.diffs) + r.run.dropped
		return
	}
	r.runs = append(r.runs, r.run)
}

// finish ends what is open at the end of the stream.
func (r *ruffReader) finish() {
	r.endParts()
	r.keepRun()
}
