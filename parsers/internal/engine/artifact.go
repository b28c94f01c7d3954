package engine

import (
	"cmp"
	"fmt"
	"slices"

	"cairn/parsers/read/junit"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// Reports are files that describe the same run as the output.
//
// # How a report is used
//
// What a report says belongs to the tool that wrote it. If that tool's text is recognised too, the two are merged
// (see mergeReports). Otherwise the report is a match of its own; a result that would have no parser gets the
// report's, with the program that was run as the tool.
//
// A report never makes a status better than the exit code says: its findings may make it worse, like any others.
// All of its tests passing carries no weight against a failing exit.
//
// A finding that only a file has, or has with more detail, names the file in extra.artifact; its raw_span then only
// says where the output mentions the finding, if it does. If output went to files and was read from there,
// extra.output_in lists them.
//
// A file that a command line does not name counts only if it is JUnit XML, and not if the program that was run is
// known and another tool wrote the file: tests may write reports as their subject.

// AddArtifacts adds files that the run wrote. Call it before Result.
func (s *Session) AddArtifacts(list []tool.Artifact) {
	s.in.Artifacts = append(s.in.Artifacts, list...)
}

// fromFiles returns the matches made from reports: one per tool that wrote any.
func (s *Session) fromFiles() (claims []*claim) {
	for _, a := range s.in.Artifacts {
		for _, m := range s.readFile(a) {
			m.named = a.Named
			i := slices.IndexFunc(claims, func(c *claim) bool { return c.parser.Tool == m.parser.Tool })
			if i < 0 {
				claims = append(claims, m)
			} else {
				claims[i].named = claims[i].named || m.named
				joinReports(claims[i].report, m.report)
			}
		}
	}
	return claims
}

// readFile returns the matches of one file.
func (s *Session) readFile(a tool.Artifact) []*claim {
	text, whole := s.retold(a)
	if text == nil && a.IsReport() {
		if m := s.readJUnit(a); m != nil {
			return []*claim{m}
		}
	}
	in := s.in
	in.Source, in.Artifacts = spliced{files: []tool.Artifact{a}}, nil
	if text != nil {
		in.Source = term.Separate(text, nil)
	}
	alone := newSession(s.table, in, s.faults)
	alone.Scan()
	parts := alone.parts()
	for _, m := range parts {
		m.report.Complete = m.report.Complete || whole
		m.ofFile(a)
	}
	return parts
}

// retold returns the tool output that a report of another kind contains.
func (s *Session) retold(a tool.Artifact) (text []byte, whole bool) {
	for _, p := range s.table.Parsers() {
		if p.Retold == nil {
			continue
		}
		if text, whole = p.Retold(a); text != nil {
			return text, whole
		}
	}
	return nil, false
}

// readJUnit returns what a JUnit file says, as a match of the tool that wrote it.
func (s *Session) readJUnit(a tool.Artifact) *claim {
	p := s.table.Tool("junit")
	if p == nil {
		return nil
	}
	m := &claim{parser: p, format: &tool.Format{Name: "junit", Parse: func(in *tool.Input) *tool.Report {
		return junit.Read(in, a.Reader(), a.Path)
	}}}
	s.run(m, s.in)
	if m.report == nil {
		return nil
	}
	if writer, _ := m.report.Extra["dialect"].(string); writer != "" {
		as := *m.parser
		as.Tool = writer
		m.parser = &as
	}
	m.ofFile(a)
	return m
}

// ofFile marks a match as read from a file, so its findings have no place in the output.
func (m *claim) ofFile(a tool.Artifact) {
	m.file, m.report.Covered = a.Path, nil
	for i := range m.report.Findings {
		f := &m.report.Findings[i]
		f.RawSpan = nil
		result.SetExtra(&f.Extra, "artifact", a.Path)
		if f.Source == m.parser.Tool {
			f.Source = ""
		}
	}
	if m.report.Doubt != "" {
		m.report.Doubt = a.Path + ": " + m.report.Doubt
	}
}

// joinReports adds to r the report of a further file of the same tool.
func joinReports(r, o *tool.Report) {
	for _, f := range o.Findings {
		r.Add(f)
	}
	for key, n := range o.Counts {
		r.Counts = addCount(r.Counts, key, n)
	}
	if o.Claimed >= 0 {
		r.Claimed = max(r.Claimed, 0) + o.Claimed
	}
	r.Tests = tool.JoinTests(r.Tests, o.Tests)
	r.Dropped += o.Dropped
	r.Withheld += o.Withheld
	r.Complete = r.Complete && o.Complete
	r.Tested = r.Tested || o.Tested
	r.NoTests = r.NoTests && o.NoTests
	r.Signed = r.Signed || o.Signed
	r.Doubt = cmp.Or(r.Doubt, o.Doubt)
	r.Version = cmp.Or(r.Version, o.Version)
}

func addCount(counts map[string]int, key string, n int) map[string]int {
	if counts == nil {
		counts = map[string]int{}
	}
	counts[key] += n
	return counts
}

// withFiles combines the matches of the text with those of the files.
func (s *Session) withFiles(parts []*claim) []*claim {
	if len(s.in.Artifacts) == 0 {
		return parts
	}
	direct := s.direct()
	for _, m := range s.fromFiles() {
		i := s.sameTool(parts, m)
		switch {
		case i >= 0:
			mergeReports(parts[i].report, m.report, parts[i].parser, s.in.Workspace)
		case direct != nil && direct.Tool != m.parser.Tool && !m.named:
		case direct != nil && direct.Kind != result.Test && len(parts) > 0 && m.parser.Tool == "junit":
			// a linter's findings, repeated as one failed test
		default:
			parts = append(parts, m)
		}
	}
	return parts
}

// sameTool is the index of the text's match for the tool that wrote a report: the tool of that name or, if the
// report does not say who wrote it, the only test tool there is.
func (s *Session) sameTool(parts []*claim, m *claim) int {
	i := slices.IndexFunc(parts, func(p *claim) bool {
		writer, _ := p.report.Extra["dialect"].(string)
		return p.parser.Tool == m.parser.Tool || p.parser.Tool == "junit" && writer == m.parser.Tool
	})
	if i >= 0 || m.parser.Tool != "junit" {
		return i
	}
	for k, p := range parts {
		if p.parser.Kind != result.Test && (s.direct() != nil || !p.report.Tested) {
			continue
		}
		if i >= 0 {
			return -1
		}
		i = k
	}
	return i
}

// fillFromFile fills the result from a report if no parser claims the text. If the program that was run only runs
// others, as make does, the tool is the one that wrote the report.
func (s *Session) fillFromFile(r *result.ToolResult, m *claim, program string) {
	toolName := program
	if p := s.direct(); p != nil {
		toolName, r.ToolFamily = p.Tool, p.Family
	} else if m.parser.Tool != "junit" && !s.runsTests() {
		toolName = m.parser.Tool
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Source == "" && m.parser.Tool != toolName && m.parser.Tool != "junit" {
			f.Source = m.parser.Tool
		}
	}
	r.Tool = toolName
	r.Parser.Name = "junit"
	if m.format.Name != "junit" {
		r.Parser.Name = m.parser.Tool
	}
}

// doubtful is the doubt that text and report count different numbers of failures.
func doubtful(text, file int) string {
	return fmt.Sprintf("the output counts %d failures, the report that the run wrote %d", text, file)
}
