package parsers_test

import (
	"iter"
	"os"
	"strings"
	"testing"

	"cairn/golden"
	"cairn/parsers"
	"cairn/parsers/internal/engine"
	"cairn/parsers/tool"
	"cairn/result"
)

// breakAt says where every parser breaks off: a copy of p does so there.
var breakAt = map[string]func(p *tool.Parser){
	"the beginning": formats(func(f tool.Format) tool.Format {
		f.Parse = func(*tool.Input) *tool.Report { panic("broken at the beginning") }
		return f
	}),
	"a line": formats(func(f tool.Format) tool.Format {
		parse := f.Parse
		f.Parse = func(in *tool.Input) *tool.Report {
			broken := *in
			broken.Source = breaking{in.Source}
			return parse(&broken)
		}
		return f
	}),
	"the end": formats(func(f tool.Format) tool.Format {
		parse := f.Parse
		f.Parse = func(in *tool.Input) *tool.Report { parse(in); panic("broken at the end") }
		return f
	}),
	"a sniff": formats(func(f tool.Format) tool.Format {
		f.Sniff = func(string) bool { panic("broken at a line that may be its own") }
		return f
	}),
	"the command": func(p *tool.Parser) { p.Matches = func([]string) bool { panic("broken at the command") } },
	"the address of a rule": func(p *tool.Parser) {
		p.RuleURL = func(string) string { panic("broken at the address of a rule") }
	},
	"a test's name": func(p *tool.Parser) {
		p.Filter.Spell = func(*result.Finding) string { panic("broken at a test's name") }
	},
}

func formats(change func(tool.Format) tool.Format) func(*tool.Parser) {
	return func(p *tool.Parser) {
		all := make([]tool.Format, len(p.Formats))
		for i, f := range p.Formats {
			all[i] = change(f)
		}
		p.Formats = all
	}
}

// breaking is a source that breaks off in the middle of what it has.
type breaking struct{ tool.Source }

func (b breaking) Chunks() iter.Seq[tool.Chunk] {
	return func(yield func(tool.Chunk) bool) {
		for c := range b.Source.Chunks() {
			if half := len(c.Data) / 2; half > 0 && !yield(c.Take(half)) {
				return
			}
			panic("broken at a line")
		}
	}
}

// TestEveryReaderBreaksOff: wherever the parser of a tool breaks off, the facts of the run
// are as ever, no failure becomes a success, and the result says which parser it was.
func TestEveryReaderBreaksOff(t *testing.T) {
	cases, err := golden.Load("../golden")
	if err != nil {
		t.Fatal(err)
	}
	for where, breaks := range breakAt {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			table, broken := engine.TableOf(brokenParsers(breaks)), 0
			for i, c := range cases {
				if i%15 > 0 && os.Getenv("CAIRN_TEST_THOROUGH") == "" {
					continue
				}
				s := parsers.NewWith(table, c.Input(c.Output))
				s.Scan()
				r := s.Result(c.Exit)
				if why, _ := r.Extra["broken"].(string); why != "" {
					broken++
					checkBroken(t, c, r, why, where != "a sniff") // another of its formats may know the output
				}
			}
			if broken < 10 {
				t.Errorf("%d results say that a parser broke off", broken)
			}
		})
	}
}

func brokenParsers(breaks func(*tool.Parser)) (all []*tool.Parser) {
	for _, p := range parsers.All() {
		broken := *p
		breaks(&broken)
		all = append(all, &broken)
	}
	return all
}

func checkBroken(t *testing.T, c golden.Case, r *result.ToolResult, why string, untyped bool) {
	t.Helper()
	inView := c.Exit.Code == 0 && r.Status == result.Failed // a failure that a pipe would hide is found whatever the tool
	reported := len(c.Input(c.Output).Artifacts) > 0        // reports of any tool have a reader of their own
	if r.ParserConfidence == result.Parsed || untyped && !inView && !reported && r.ParserConfidence != result.Untyped || !strings.Contains(why, " broke off: ") {
		t.Errorf("%s: %s, %d findings, %q", c.Name, r.ParserConfidence, len(r.Findings), why)
	}
	if failed := c.Exit.Code != 0 || c.Exit.Signal != "" || c.Exit.TimedOut; failed && (r.Status == result.OK || r.Status == result.Passed) || r.Status == result.Passed {
		t.Errorf("%s: %s of exit %+v", c.Name, r.Status, c.Exit)
	}
	size, text := int64(0), false
	for chunk := range c.Output.Chunks() {
		size += int64(len(chunk.Data))
		text = text || strings.TrimSpace(string(chunk.Data)) != ""
	}
	if r.Raw.Bytes != size || text && r.Body == "" {
		t.Errorf("%s: %d of %d bytes, shown: %q", c.Name, r.Raw.Bytes, size, r.Body)
	}
}
