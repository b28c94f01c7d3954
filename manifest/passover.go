package manifest

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"cairn/result"
)

// A line that this version cannot read hides no other line: the reader passes over it
// and warns once, and the line stays where it is byte for byte. It may be damaged, or a
// newer cairn wrote it.

// maxTold is how many lines get a warning each; the rest is counted. A clone with a
// newer cairn may have written thousands.
const maxTold = 5

// maxRemembered is how many lines are remembered as warned about. Beyond that, the
// lines of a damaged shard are counted again each time it is read.
const maxRemembered = 1 << 16

// passed remembers which lines were warned about, so that a command that reads the
// manifest several times warns once.
type passed struct {
	mu   sync.Mutex
	told map[placeOfLine]bool
}

type placeOfLine struct {
	file string
	line int
}

// first says whether this line is passed over for the first time, and how many other
// lines were passed over before.
func (p *passed) first(file string, n int) (bool, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key, before := placeOfLine{file, n}, len(p.told)
	switch {
	case p.told[key]:
		return false, before
	case before == maxRemembered:
		return true, before
	case p.told == nil:
		p.told = make(map[placeOfLine]bool)
	}
	p.told[key] = true
	return true, before
}

// warnOnce passes on a warning the first time in the life of m.
func (m *Manifest) warnOnce(w Warning) {
	if first, _ := m.passed.first(w.File, w.Line); first {
		m.opts.Warn(w)
	}
}

func (s *scan) passOver(e entry, err error) {
	if s.q.Passed != nil {
		s.q.Passed(e.line)
	}
	switch first, before := s.m.passed.first(e.file, e.n); {
	case !first:
	case before < maxTold:
		s.m.opts.Warn(Warning{File: e.file, Line: e.n, Text: fmt.Sprintf("passed over a line of %d bytes: %v", len(e.line), err)})
	default:
		s.untold++
	}
}

// tellUntold warns of the number of lines that were passed over without a warning each.
func (s *scan) tellUntold() {
	if s.untold > 0 {
		s.m.opts.Warn(Warning{Text: "passed over " + result.Count(s.untold, "more line") + " that this version cannot read"})
		s.untold = 0
	}
}

// decodeSound decodes a line and refuses values that would cause errors later. With
// withResult, it decodes the ToolResult too.
func decodeSound(line []byte, withResult bool) (*Record, error) {
	if len(line) >= MaxLine {
		return nil, fmt.Errorf("no line has more than %d", MaxLine-1)
	}
	rec, err := Decode(line)
	if err != nil {
		return nil, err
	}
	if rec.V > Version {
		return nil, fmt.Errorf("a newer cairn wrote it (version %d, this one reads up to %d)", rec.V, Version)
	}
	if err := rec.checkObjects(); err != nil {
		return nil, err
	}
	if !withResult {
		return rec, nil
	}
	tr, err := rec.Result()
	if err == nil && tr != nil {
		rec.decoded, err = tr, checkNames(namedBy(tr))
	}
	return rec, err
}

// namedBy are the ids of the objects that a result names.
func namedBy(r *result.ToolResult) []string {
	names := []string{r.RawOID, r.CasesOID}
	for _, a := range r.Artifacts {
		names = append(names, a.OID)
	}
	return names
}

// checkObjects refuses malformed object ids, because ids become paths.
func (r *Record) checkObjects() error {
	names := r.Objects()
	if strings.HasPrefix(r.Target, "sha256:") {
		names = append(names, r.Target)
	}
	return checkNames(names)
}

func checkNames(names []string) error {
	for _, name := range names {
		if name != "" && !isObject(name) {
			return fmt.Errorf("%.80q is not the id of an object", name)
		}
	}
	return nil
}

// isObject says whether s is a whole object id.
func isObject(s string) bool {
	hex, ok := strings.CutPrefix(s, "sha256:")
	return ok && len(hex) == 64 && strings.Trim(hex, "0123456789abcdef") == ""
}

// checkSchema refuses a result with a newer schema than this version knows.
func checkSchema(r *result.ToolResult) error {
	if r.SchemaVersion > result.SchemaVersion {
		return fmt.Errorf("a newer cairn wrote its result (schema version %d, this one reads up to %d)", r.SchemaVersion, result.SchemaVersion)
	}
	return nil
}

// Lines of version 2 have the tool, the status, the summary and mostly the counts only
// in the sentence of "says", an exit of 0 only as a status of passed or ok, and the
// class of an exception only in the message of a finding. This file reads such lines;
// nothing writes them any more.

// readSays sets the facts from the sentence.
func (r *Record) readSays() {
	tool, status, summary := parseVerdict(r.Says)
	r.Tool, r.Status, r.Counts = tool, status, parseCounts(summary)
	if (status == result.Passed || status == result.OK) && r.Exit == nil && r.Signal == "" && !r.TimedOut {
		r.Exit = new(int)
	}
	if r.Git != nil {
		r.Git.Unknown = r.Git.Tree == "" && r.Git.Dirty == nil // only of a clean tree was the tree written
	}
	if _, after, ok := strings.Cut(summary, "timed out after "); ok && r.TimedOut {
		after, _, _ = strings.Cut(after, ",")
		if d, err := time.ParseDuration(after); err == nil {
			r.TimeoutMS = d.Milliseconds()
		}
	}
	how := strings.TrimPrefix(summary[strings.LastIndexByte(summary, ',')+1:], " ")
	if signal, ok := strings.CutPrefix(how, r.Signal+" on the second "); ok && r.Signal != "" {
		r.Interrupted, r.Forced = signal, true
	} else if signal, ok := strings.CutPrefix(how, "interrupted by "); ok {
		r.Interrupted = signal
	}
}

// summary2 is the summary in the sentence.
func (r *Record) summary2() string {
	_, status, summary := parseVerdict(r.Says)
	if summary == "" && status == result.OK {
		return "exit 0"
	}
	return summary
}

// parseVerdict splits a verdict ("pytest failed: 1 failed"). tool is "" if the verdict names a command instead.
func parseVerdict(says string) (tool string, status result.Status, summary string) {
	name, rest, _ := strings.Cut(says, " ")
	word, summary, _ := strings.Cut(rest, ": ")
	switch status := result.Status(word); status {
	case result.Passed, result.OK, result.Failed, result.Error, result.Unknown:
		return name, status, summary
	}
	return "", "", ""
}

// read2 adds the values that a finding implies: a rule at the beginning of its message,
// and a path at the beginning of its id.
func (l *leanFinding) read2(f *result.Finding) {
	if l.Rule == nil {
		f.Rule = impliedRule(f.Kind, f.Message)
	}
	if f.At != nil && f.At.Path == "" {
		f.At.Path = pathOfID(f.ID)
		f.Location = f.At.String()
	}
}

// pathOfID is the file at the beginning of a test's id, as pytest has it.
func pathOfID(id string) string {
	path, _, _ := strings.Cut(id, "::")
	return path
}

// impliedRule is the class of an exception at the beginning of a message.
func impliedRule(kind result.FindingKind, message string) string {
	name, _, ok := strings.Cut(message, ": ")
	if !ok || kind != result.TestFailure {
		return ""
	}
	for i := range len(name) {
		if c := name[i]; !wordByte(c) && c != '_' && c != '.' {
			return ""
		}
	}
	return name
}

// parseCounts reads "4 failed, 1 passed"; it returns nil for any other text.
func parseCounts(summary string) map[string]int {
	counts := make(map[string]int)
	for word := range strings.SplitSeq(summary, ", ") {
		number, key, _ := strings.Cut(word, " ")
		if key == "errors" || key == "warnings" {
			key = strings.TrimSuffix(key, "s")
		}
		n, err := strconv.Atoi(number)
		if err != nil || n <= 0 || key == "" || strings.Trim(key, "abcdefghijklmnopqrstuvwxyz") != "" || counts[key] > 0 {
			return nil
		}
		counts[key] = n
	}
	return counts
}
