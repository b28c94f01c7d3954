package own

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"cairn/internal/durable"
	"cairn/parsers"
	"cairn/result"
)

// Parser is the parser for commands that the rule matches; nil if the rule runs an
// executable.
func (r *Rule) Parser() *parsers.Parser {
	switch {
	case r.as != nil:
		return r.as
	case r.efm != nil:
		return r.parser("errorformat", r.parseEfm)
	case len(r.lines) > 0:
		return r.parser("lines", r.parseLines)
	case len(r.Forms) > 0:
		return r.parser("forms", r.parseForms)
	}
	return nil
}

func (r *Rule) parser(format string, parse func(*parsers.Input) *parsers.Report) *parsers.Parser {
	return &parsers.Parser{Tool: r.Name, Kind: r.Kind, Version: 1, Formats: []parsers.Format{{Name: format, Parse: parse}}}
}

// parseLines makes findings of the lines that match one of the rule's expressions.
func (r *Rule) parseLines(in *parsers.Input) *parsers.Report {
	rep := in.NewReport()
	rep.Complete = true
	for l := range in.Lines() {
		if f, ok := r.finding(l.Text); ok {
			rep.Add(f)
			if tells(f, l.Text) {
				rep.Cover(l)
			}
		}
	}
	if len(rep.Findings) == 0 {
		return nil
	}
	return rep
}

// parseForms makes findings of the lines that have one of the rule's forms. A line that
// looks like an error stays in the result as text unless a finding holds all of it.
func (r *Rule) parseForms(in *parsers.Input) *parsers.Report {
	rep := parsers.ParseRows(r.Forms, in)
	if rep == nil {
		return nil
	}
	read := rep.Covered
	rep.Covered, rep.Complete, rep.Tested, rep.Meaning = nil, true, false, "" // a rule may not decide the status
	for l := range in.Lines() {
		if holdsLine(read, l) && (!alarming(l.Text) || slices.ContainsFunc(rep.Findings, func(f result.Finding) bool {
			return holdsLine([]result.Span{*f.RawSpan}, l) && tells(f, l.Text)
		})) {
			rep.Cover(l)
		}
	}
	return rep
}

func holdsLine(spans []result.Span, l parsers.Line) bool {
	return slices.ContainsFunc(spans, func(s result.Span) bool { return s.Start <= l.Start && l.Start < s.End })
}

// finding is the finding of a line, by the first expression that matches.
func (r *Rule) finding(text string) (f result.Finding, ok bool) {
	for _, form := range r.lines {
		if m := form.FindStringSubmatch(text); m != nil {
			return r.fromGroups(form, m), true
		}
	}
	return f, false
}

func (r *Rule) fromGroups(form *regexp.Regexp, m []string) result.Finding {
	f := result.Finding{Kind: result.Diagnostic, Severity: r.Severity}
	var at result.Location
	for i, name := range form.SubexpNames() {
		switch text := strings.TrimSpace(m[i]); name {
		case "path":
			at.Path = text
		case "line":
			at.Line = number(text)
		case "column":
			at.Column = number(text)
		case "end_line":
			at.EndLine = number(text)
		case "severity":
			f.RawSeverity = text
			if s := severityOf(text); s != "" {
				f.Severity = s
			}
		case "rule":
			f.Rule = text
		case "id":
			f.ID = text
		case "message":
			f.Message = text
		}
	}
	if at.Path != "" {
		f.At = &at
	}
	return f
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// tells says whether a finding may replace a line without loss: the finding is an
// error, or the line does not look like one; and the finding holds all words of the
// line.
func tells(f result.Finding, line string) bool {
	if f.Severity != result.SevError && f.Severity != result.SevFailure && alarming(line) {
		return false
	}
	return holds(f, line)
}

func holds(f result.Finding, line string) bool {
	said := []string{string(f.Severity), f.RawSeverity, f.ID, f.Name, f.Rule, f.Message, f.Expected, f.Actual, f.Detail}
	if f.At != nil {
		said = append(said, f.At.String(), strconv.Itoa(f.At.EndLine))
	}
	known := map[string]bool{}
	for _, text := range said {
		for _, w := range split(text) {
			known[w] = true
		}
	}
	for _, w := range split(line) {
		if !known[w] {
			return false
		}
	}
	return true
}

func split(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

var alarm = sync.OnceValue(func() *regexp.Regexp { // compiled at first use: most runs need none
	return regexp.MustCompile(`(?i)error|fail|fatal|panic|exception|traceback|abort|crash|kill|segfault|segmentation|denied|refused|cannot|can't|could not|unable|undefined|not found|no such|missing|invalid|assert|✗|✘|✖|❌`)
})

// alarming says whether a person would look at the line first.
func alarming(line string) bool { return alarm().MatchString(line) }

// Trust is what a person has approved in one clone: the hashes of rules, in a file of
// the clone's own cairn directory, which cannot come with a repository.
type Trust struct{ Dir string }

const (
	approvedName = "parsers-approved"
	saidName     = "parsers-said"
)

// maxHashes bounds the lists; the oldest hashes are dropped.
const maxHashes = 256

// Approved says whether rules with this hash were approved.
func (t Trust) Approved(hash string) bool { return t.has(approvedName, hash) }

// Approve approves rules with this hash.
func (t Trust) Approve(hash string) error { return t.add(approvedName, hash) }

// Revoke revokes all approvals.
func (t Trust) Revoke() error {
	var errs []error
	for _, name := range []string{approvedName, saidName} {
		if err := os.Remove(filepath.Join(t.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// SayOnce returns true the first time that it is called for a hash.
func (t Trust) SayOnce(hash string) bool {
	if t.has(saidName, hash) {
		return false
	}
	t.add(saidName, hash) // if it fails, the message is repeated
	return true
}

func (t Trust) list(name string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(t.Dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return strings.Fields(string(bytes.ToValidUTF8(text, nil))), err
}

func (t Trust) has(name, hash string) bool {
	list, _ := t.list(name)
	return slices.Contains(list, hash)
}

// add writes the list to a new file and renames it over the old one.
func (t Trust) add(name, hash string) error {
	list, err := t.list(name)
	if err != nil {
		return fmt.Errorf("reading what is approved: %w", err)
	}
	list = append(slices.DeleteFunc(list, func(h string) bool { return h == hash }), hash)
	list = list[max(0, len(list)-maxHashes):]
	if err := os.MkdirAll(t.Dir, 0o700); err != nil {
		return err
	}
	return durable.Replace(filepath.Join(t.Dir, name), name+".*.tmp", durable.FileMode, durable.Bytes([]byte(strings.Join(list, "\n")+"\n"), true))
}

// Says describes a rule in one line.
func (r *Rule) Says() string {
	var what string
	switch {
	case r.ParseAs != "":
		what = "read as " + r.ParseAs
	case r.module:
		what = "node runs " + r.Run[0]
		if strings.HasSuffix(r.Run[0], "ts") {
			what += " (" + nodeForTS + ")"
		}
	case r.Asks():
		what = "runs " + strings.Join(r.Run, " ")
	default:
		what = fmt.Sprintf("%d line formats", len(r.Lines)+len(r.Efm))
	}
	when := []string{}
	if len(r.Words) > 0 {
		when = append(when, "has the words "+strings.Join(r.Words, " "))
	}
	if r.Regex != "" {
		when = append(when, "matches "+r.Regex)
	}
	return result.CleanLine(fmt.Sprintf("where a command %s: %s", strings.Join(when, " and "), what))
}

// Lost are the failures in the result without the rule that the result with it lacks.
func Lost(with, without *result.ToolResult) (lost []string) {
	if good(with.Status) && !good(without.Status) {
		lost = append(lost, fmt.Sprintf("the status %s, now %s", without.Status, with.Status))
	}
	known := map[string]bool{}
	for line := range strings.Lines(with.Body) {
		known[strings.TrimSpace(line)] = true
	}
	told := func(line string) bool {
		line = strings.TrimSpace(line)
		return known[line] || anyHolds(with.Findings, line)
	}
	for _, f := range without.Findings {
		if (f.Severity == result.SevError || f.Severity == result.SevFailure) && !told(f.Message) && !strings.Contains(with.Body, f.Message) {
			lost = append(lost, f.Message)
		}
	}
	for line := range strings.Lines(without.Body) {
		if alarming(line) && !told(line) {
			lost = append(lost, strings.TrimSpace(line))
		}
	}
	return lost
}

// anyHolds says whether at least one finding of an error holds the words of a line.
func anyHolds(findings []result.Finding, line string) bool {
	return slices.ContainsFunc(findings, func(f result.Finding) bool {
		return (f.Severity == result.SevError || f.Severity == result.SevFailure) && holds(f, line)
	})
}

func good(s result.Status) bool { return s == result.Passed || s == result.OK }
