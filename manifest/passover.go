package manifest

import (
	"fmt"
	"strings"
	"sync"

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
	names := []string{r.ResultOID}
	if r.Outcomes != nil {
		names = append(names, r.Outcomes.OID)
	}
	if strings.HasPrefix(r.Target, "sha256:") {
		names = append(names, r.Target)
	}
	if r.Raw != nil {
		names = append(names, r.Raw.OID)
		if strings.HasPrefix(r.Raw.Order, "sha256:") {
			names = append(names, r.Raw.Order)
		}
	}
	for _, a := range r.Artifacts {
		names = append(names, a.OID)
	}
	for n := 1; r.Stage(n) != nil; n++ {
		if err := r.Stage(n).checkObjects(); err != nil {
			return err
		}
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
