package engine

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// spliced is an output followed by files that hold more of the same output.
type spliced struct {
	first term.Source // nil: the files alone
	size  int64       // bytes of first
	files []tool.Artifact
}

const fileChunk = 64 << 10

func (j spliced) Chunks() iter.Seq[term.Chunk] {
	return func(yield func(term.Chunk) bool) {
		var open [3]bool // streams whose last line has not ended
		if j.first != nil {
			for c := range j.first.Chunks() {
				if len(c.Data) > 0 {
					open[c.Stream] = c.Data[len(c.Data)-1] != '\n'
				}
				if !yield(c) {
					return
				}
			}
		}
		at, buf := j.size, make([]byte, fileChunk)
		for _, a := range j.files {
			c := term.Chunk{Stream: a.Stream(), Offset: at}
			if open[c.Stream] {
				if c.Data = []byte{'\n'}; !yield(c) {
					return
				}
			}
			at++ // always, so that fileAt can find the file of an offset
			r := a.Reader()
			for {
				n, err := r.Read(buf)
				if n > 0 {
					c.Offset, c.Data = at, buf[:n]
					if at += int64(n); !yield(c) {
						return
					}
					open[c.Stream] = buf[n-1] != '\n'
				}
				if err != nil {
					break
				}
			}
		}
	}
}

// fileAt returns the file that holds the byte at an offset.
func (j spliced) fileAt(at int64) (a tool.Artifact, ok bool) {
	from := j.size
	for _, a = range j.files {
		if from++; at < from+a.Size {
			return a, at >= from
		}
		from += a.Size
	}
	return a, false
}

// diverted removes from the artifacts the files into which a tool wrote its ordinary output instead of printing it,
// and returns them. A file stays if the tool printed its output as well.
func (s *Session) diverted() (files []tool.Artifact) {
	if len(s.in.Artifacts) == 0 {
		return nil
	}
	said := s.parts()
	s.in.Artifacts = slices.DeleteFunc(slices.Clone(s.in.Artifacts), func(a tool.Artifact) bool {
		if a.Role != tool.RoleOutput && a.Role != tool.RoleErrors {
			return false
		}
		known := len(said) > 0 && slices.ContainsFunc(s.readFile(a), func(m *claim) bool {
			return slices.ContainsFunc(said, func(p *claim) bool { return p.parser.Tool == m.parser.Tool })
		})
		if !known {
			files = append(files, a)
		}
		return !known
	})
	return files
}

// resultWith is the result of a run that wrote a part of its output to files. The files are read behind the output
// as if they had been printed; their findings get no spans, which would point into the files.
func (s *Session) resultWith(files []tool.Artifact, exit result.Exit) *result.ToolResult {
	all := spliced{first: s.in.Source, size: s.stats.bytes, files: files}
	in := s.in
	in.Source = all
	whole := newSession(s.table, in, s.faults)
	whole.ranIn = s.ranIn
	whole.Scan()
	whole.stats = s.stats
	r := whole.Result(exit)
	s.tests = whole.tests
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.RawSpan == nil || f.RawSpan.End <= all.size {
			continue
		}
		if a, ok := all.fileAt(f.RawSpan.Start); ok {
			result.SetExtra(&f.Extra, "artifact", s.shown(a.Path))
		}
		f.RawSpan = nil
	}
	names := make([]any, len(files))
	for i, a := range files {
		names[i] = s.shown(a.Path)
	}
	result.SetExtra(&r.Extra, "output_in", names)
	for i := range r.Parts {
		if p := &r.Parts[i]; p.RawSpan != nil && p.RawSpan.End > all.size {
			p.RawSpan = nil
		}
	}
	return r
}

// shown is a path without secrets, as a sealed result may show it.
func (s *Session) shown(name string) string {
	if s.in.Redact != nil {
		name = s.in.Redact(name)
	}
	return result.CleanLine(name)
}

// retold recognises lines with alarm words that only repeat findings of a file.
type retold struct {
	lines    map[string]bool // lines of the findings' details and messages
	findings []toldFinding
	budget   int                    // how many lines may still be searched for words
	repeats  func(line string) bool // reports whether a build tool's line only says that tests failed
}

// toldFinding holds the words by which a line that repeats a finding is recognised.
type toldFinding struct {
	names []string // id, name, rule and message: a line about the finding has one of them
	text  string   // all words of the finding
}

const (
	maxTold      = 500  // findings whose words are searched for
	maxToldLines = 2000 // lines with alarm words that are searched; further ones are shown
)

// toldBy collects the words of the findings that files contain; nil without findings.
func (s *Session) toldBy(parts []*claim) *retold {
	t := &retold{lines: map[string]bool{}, budget: maxToldLines, repeats: s.table.repeats}
	any := false
	for _, m := range parts {
		if m.file == "" {
			continue
		}
		any = true
		for i := range m.report.Findings {
			if i == maxTold {
				break
			}
			t.learn(&m.report.Findings[i])
		}
	}
	if !any {
		return nil
	}
	return t
}

func (t *retold) learn(f *result.Finding) {
	for _, text := range []string{f.Detail, f.Message} {
		for line := range strings.Lines(text) {
			t.lines[strings.TrimSpace(line)] = true
		}
	}
	name := cmp.Or(f.Name, f.ID[strings.LastIndexAny(f.ID, ".:/# ")+1:])
	told := toldFinding{text: strings.Join(append(f.Suite, f.ID, name, f.Rule, f.RuleName, f.Message, f.Detail, f.Location), " ")}
	if f.At != nil {
		told.text += " " + f.At.String()
	}
	for _, word := range []string{f.ID, name, f.Rule, f.Message[:lex.RuneCut(f.Message, 60)]} {
		if word != "" {
			told.names = append(told.names, word)
		}
	}
	t.findings = append(t.findings, told)
}

// knows reports whether a line says nothing beyond the findings; false if t is nil.
func (t *retold) knows(line []byte) bool {
	if t == nil {
		return false
	}
	s := strings.TrimSpace(string(term.Resolve(line)))
	s = strings.TrimSpace(strings.TrimPrefix(s, "[ERROR]"))
	if s == "" || t.lines[s] || t.repeats(s) {
		return true
	}
	if t.budget--; t.budget < 0 {
		return false
	}
	return slices.ContainsFunc(t.findings, func(f toldFinding) bool { return f.holds(s) })
}

// verdictWords are words that test runners print about any failed test.
const verdictWords = "FAIL FAILED FAILURE ERROR FAIL: ERROR: failed error Time elapsed sec java lang"

// holds reports whether a line names the finding, and has no words but the finding's and verdictWords. The
// finding's name alone proves nothing: a test may be called "save".
func (f toldFinding) holds(line string) bool {
	if !slices.ContainsFunc(f.names, func(name string) bool { return strings.Contains(line, name) }) {
		return false
	}
	isWord := func(r rune) bool { return unicode.IsLetter(r) || r == '_' }
	for _, word := range strings.FieldsFunc(line, func(r rune) bool { return !isWord(r) }) {
		if len(word) > 2 && !lex.IsOneOf(word, verdictWords) && !strings.Contains(f.text, word) {
			return false
		}
	}
	return true
}
