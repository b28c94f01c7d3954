package result

import "maps"

// walker visits every string of a result. Each callback returns the replacement.
type walker struct {
	text func(string) string // for text of several lines
	line func(string) string // for text of one line
	name func(string) string // for an enumeration, a digest, an identity
	path func(string) string // for the path of a file; line if nil
}

// MapStrings replaces every free text of r, keys of maps included, by the result of f.
// It leaves enumerations, object ids and fingerprints alone. It is meant for redaction
// before Seal; after Seal, f must not add control characters.
func (r *ToolResult) MapStrings(f func(string) string) {
	keep := func(s string) string { return s }
	walker{text: f, line: f, name: keep}.result(r)
}

func apply(f func(string) string, all ...*string) {
	for _, s := range all {
		if *s != "" {
			*s = f(*s)
		}
	}
}

func applyAll(f func(string) string, list []string) {
	for i := range list {
		list[i] = f(list[i])
	}
}

// enum applies f to a string with a type of its own.
func enum[S ~string](f func(string) string, s *S) {
	if *s != "" {
		*s = S(f(string(*s)))
	}
}

func (w walker) result(r *ToolResult) {
	apply(w.line, &r.Tool, &r.ToolFamily, &r.ToolVersion, &r.Summary, &r.Dir)
	apply(w.text, &r.Body)
	apply(w.name, &r.Signal, &r.RawOID, &r.CasesOID)
	enum(w.name, &r.Kind)
	enum(w.name, &r.Status)
	enum(w.name, &r.StatusSource)
	enum(w.name, &r.ExitMeaning)
	enum(w.name, &r.ParserConfidence)
	r.Counts = w.counts(r.Counts)
	if p := r.Parser; p != nil {
		apply(w.line, &p.Name, &p.Format)
		apply(w.name, &p.ColumnUnit)
	}
	if o := r.Outcomes; o != nil {
		apply(w.line, &o.Reason)
		apply(w.name, &o.OID)
		o.Counts, o.Unnamed = w.counts(o.Counts), w.counts(o.Unnamed)
	}
	for i := range r.Artifacts {
		a := &r.Artifacts[i]
		apply(w.line, &a.Path, &a.MediaType, &a.Role)
		apply(w.name, &a.OID)
	}
	if b := r.Baseline; b != nil {
		apply(w.line, &b.Where, &b.Tests)
		apply(w.name, &b.Run, &b.Unchanged)
		if t := b.SameTree; t != nil {
			apply(w.name, &t.Run)
			apply(w.line, &t.Then)
		}
	}
	for i := range r.Findings {
		w.finding(&r.Findings[i])
	}
	for i := range r.Parts {
		w.part(&r.Parts[i])
	}
	for i := range r.Stages {
		w.stage(&r.Stages[i])
	}
	for i := range r.Suppressed {
		apply(w.line, &r.Suppressed[i].Kind, &r.Suppressed[i].Reason)
	}
	r.Extra = w.extra(r.Extra)
}

func (w walker) part(p *Part) {
	apply(w.line, &p.Tool, &p.Name)
	enum(w.name, &p.Kind)
	enum(w.name, &p.Status)
	enum(w.name, &p.ParserConfidence)
	p.Counts = w.counts(p.Counts)
	w.span(p.RawSpan)
}

func (w walker) stage(s *Stage) {
	applyAll(w.line, s.Argv)
	apply(w.line, &s.Before, &s.Tool, &s.Summary)
	apply(w.name, &s.Signal, &s.RawOID)
	enum(w.name, &s.Status)
	s.Counts = w.counts(s.Counts)
	for i := range s.Findings {
		w.finding(&s.Findings[i])
	}
}

func (w walker) finding(f *Finding) {
	enum(w.name, &f.Kind)
	enum(w.name, &f.Severity)
	apply(w.name, &f.Fingerprint, &f.Group, &f.Baseline)
	apply(w.line, &f.RawSeverity, &f.Source, &f.ID, &f.Select, &f.Name, &f.Params,
		&f.Rule, &f.RuleName, &f.RuleURL, &f.Message, &f.Location, &f.Operator)
	apply(w.text, &f.Expected, &f.Actual, &f.Diff, &f.Detail, &f.Printed)
	applyAll(w.line, f.Suite)
	applyAll(w.line, f.Tags)
	applyAll(w.text, f.Suggestions)
	w.location(f.At)
	w.locations(f.Locations)
	w.locations(f.Frames)
	for i := range f.Related {
		apply(w.text, &f.Related[i].Message)
		w.location(f.Related[i].At)
	}
	for i := range f.Fixes {
		w.fix(&f.Fixes[i])
	}
	if p := f.Package; p != nil {
		apply(w.line, &p.Ecosystem, &p.Name, &p.Version, &p.Range, &p.FixedVersion)
	}
	w.span(f.RawSpan)
	f.Extra = w.extra(f.Extra)
}

func (w walker) fix(x *Fix) {
	apply(w.text, &x.Description)
	apply(w.name, &x.Applicability)
	for i := range x.Edits {
		e := &x.Edits[i]
		w.file(&e.Path)
		apply(w.line, &e.Start, &e.End)
		apply(w.text, &e.Text)
	}
}

func (w walker) locations(list []Location) {
	for i := range list {
		w.location(&list[i])
	}
}

func (w walker) location(l *Location) {
	if l != nil {
		w.file(&l.Path)
		apply(w.line, &l.Function, &l.Label)
	}
}

func (w walker) file(path *string) {
	if w.path != nil {
		apply(w.path, path)
	} else {
		apply(w.line, path)
	}
}

func (w walker) span(s *Span) {
	if s != nil {
		apply(w.name, &s.Stream)
	}
}

// counts renames the keys of a tally; the counts of keys that become equal are added.
func (w walker) counts(counts map[string]int) map[string]int {
	if len(counts) == 0 {
		return counts
	}
	out := make(map[string]int, len(counts))
	for key, n := range counts {
		out[w.line(key)] += n
	}
	if maps.Equal(out, counts) {
		return counts
	}
	return out
}

func (w walker) extra(extra map[string]any) map[string]any {
	if len(extra) == 0 {
		return extra
	}
	return w.value(extra).(map[string]any)
}

// value is a copy of v with its strings replaced; v has the types that encoding/json
// decodes to.
func (w walker) value(v any) any {
	switch v := v.(type) {
	case string:
		return w.text(v)
	case []string:
		out := make([]any, len(v))
		for i, s := range v {
			out[i] = w.text(s)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = w.value(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, key := range sortedKeys(v) { // if keys become equal, the last one stays
			out[w.line(key)] = w.value(v[key])
		}
		return out
	}
	return v
}
