package junit

import (
	"maps"
	"slices"

	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
)

// known is the dialect of the tool that wrote the document; an empty one if it has none.
func (run *junitRun) known(writer string) *tool.Dialect {
	if own := run.in.Dialects()[writer]; own != nil {
		return own
	}
	return &tool.Dialect{}
}

// learn sets the document's writer, by the name that cairn has for the tool, unless it is known already.
func (r *junitReader) learn(writer string) {
	if r.style == "" && writer != "" {
		r.style = writer
		r.run.foreign = r.run.foreign || r.run.known(writer).Own
	}
}

// writerBy is the first tool whose dialect says accepts.
func (run *junitRun) writerBy(says func(d *tool.Dialect) bool) string {
	for _, writer := range run.writers {
		if says(run.in.Dialects()[writer]) {
			return writer
		}
	}
	return ""
}

// writersOf returns the tools that have a dialect, sorted by name.
func writersOf(in *tool.Input) []string { return slices.Sorted(maps.Keys(in.Dialects())) }

// writerByProperty recognises the writer by a property of its environment.
func (r *junitReader) writerByProperty(name string) string {
	if r.style != "" {
		return ""
	}
	return r.run.writerBy(func(d *tool.Dialect) bool { return d.Property != nil && d.Property(name) })
}

// writerBySuite recognises the writer by the tag of a suite.
func (r *junitReader) writerBySuite(x *xmltext.Scanner, kind junitKind, s *junitSuite) string {
	if r.style != "" {
		return ""
	}
	if writer := r.run.writerBy(func(d *tool.Dialect) bool { return slices.Contains(d.Suites, s.name) }); writer != "" {
		return writer
	}
	tag := tool.SuiteTag{All: kind == junitSuites, Name: s.name, Package: s.pkg, Schema: string(x.RawAttr("noNamespaceSchemaLocation"))}
	for i := range x.Attrs {
		tag.Attrs = append(tag.Attrs, string(x.Attrs[i].Name))
	}
	return r.run.writerBy(func(d *tool.Dialect) bool { return d.Suite != nil && d.Suite(&tag) })
}

// writer is the tool that wrote the case: the document's writer, or else the one that the case itself suggests.
func (r *junitReader) writer(t *junitCase, o *junitOutcome) string {
	if r.style != "" {
		return r.style
	}
	c := tool.Case{Suite: r.suite().name, Class: string(t.class), Name: string(t.name), File: string(t.file), Owner: string(t.owner)}
	var why *tool.Outcome
	if o != nil {
		told := o.told()
		why = &told
	}
	r.learn(r.run.writerBy(func(d *tool.Dialect) bool { return d.Wrote != nil && d.Wrote(&c, why) }))
	return r.style
}

// expectedFailure reports whether the case is marked as skipped with the type or the message by which a tool marks
// an expected failure.
func (run *junitRun) expectedFailure(t *junitCase) bool {
	return slices.ContainsFunc(t.outcomes, func(o junitOutcome) bool {
		return o.what == "skipped" && o.class+o.message != "" && run.writerBy(func(d *tool.Dialect) bool {
			return d.Expected != "" && (d.Expected == o.class || d.Expected == o.message)
		}) != ""
	})
}

// forgive removes from a case that was expected to fail the outcomes that say how it failed.
func (run *junitRun) forgive(t *junitCase) {
	if len(t.outcomes) > 1 && run.expectedFailure(t) {
		t.forgiven = len(t.outcomes) - 1
		t.outcomes = slices.DeleteFunc(t.outcomes, func(o junitOutcome) bool { return o.what != "skipped" })
	}
}

// wrote adds a writer to those of the run.
func (run *junitRun) wrote(writer string) {
	if writer != "" && !slices.Contains(run.dialects, writer) {
		run.dialects = append(run.dialects, writer)
	}
}
