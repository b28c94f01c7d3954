package golden

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"cairn/parsers"
	"cairn/result"
)

// settled are formats in which blocks have an order of their own, and why.
var settled = map[string]string{
	"pytest/text":           "the last line of a block says what came before; errors and failures have sections",
	"go-test/text":          "a failure goes with the package below it, a sub-test with its parent",
	"go-test/json":          "events are in the order of time",
	"go-vet/json":           "diagnostics are listed below their analyzer and their package",
	"cargo-test/text":       "a panic goes with the block of its test",
	"psql/text":             "the statements of a script run one after the other",
	"cargo-test/json":       "a panic goes with the block of its test",
	"ansible-playbook/text": "the results of the hosts stand below their task",
	"knip/symbols":          "rows stand below the head that says what they are",
	"iwyu/text":             "rows stand below the head that says what they are",
	"amtool/text":           "rows stand below the line that names the file",
	"knip/disclosure":       "rows stand below the head that says what they are",
	"depcheck/text":         "names stand below the head that says what they are",
	"attw/text":             "what each way comes to stands below the entry point",
	"gosec/text":            "what could not be compiled stands below the line that names the file",
	"helm/text":             "the items of a list stand below the row that says of what",
	"rumdl/text":            "rows stand below their rule and their file",
	"kube-score/text":       "what is wrong stands below the check and the object",
	"liquibase/text":        "the items of a list stand below the line that says of what",
	"cargo-nextest/text":    "a panic goes with the block of its test",
}

// inOrder: runners number their failures or have sections for them, and the
// elements of a JSON document have commas between them.
func inOrder(r *result.ToolResult) bool {
	own := slices.Contains([]string{"junit", "ruff", "ruff-format", "eslint", "mypy"}, r.Parser.Name) || r.ToolFamily == "cargo" || r.ToolFamily == "go"
	return !own && (r.Kind == result.Test || r.Parser.Format == "json")
}

// TestOrder: tools that work in parallel print in any order. The blocks of
// findings of one file that follow each other are dealt anew, where the format
// lets them stand in any order.
func TestOrder(t *testing.T) {
	dealt := new(tally)
	dealt.ofTools(t, 0.4)
	each(t, func(t *testing.T, c Case) {
		want := asRecorded(c)
		if want.Parser == nil || settled[want.Parser.Name+"/"+want.Parser.Format] != "" || len(c.Files) > 0 || inOrder(want) {
			return
		}
		raw := c.Raw()
		runs := neighbours(want, raw)
		random := rand.New(rand.NewPCG(seed(c.Name), 2))
		n := 0
		for _, run := range runs {
			if raw = deal(raw, run, random); len(run) > 1 {
				n = 1
			}
		}
		dealt.add(c, n, 1)
		if n == 0 {
			return
		}
		got := parsers.Parse(c.Input(restreamed(c.Output, raw)), c.Exit)
		if fingerprints(got) != fingerprints(want) {
			t.Errorf("in another order:\n%s", diff(identities(want), identities(got)))
		}
	})
}

func seed(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}

// neighbours are the spans of findings of one file, of whole lines, that stand
// one behind the other and do not overlap.
func neighbours(r *result.ToolResult, raw []byte) (runs [][]result.Span) {
	file, end := "", int64(-1)
	for _, f := range r.Findings {
		if f.RawSpan == nil || f.At == nil {
			file = ""
			continue
		}
		s := *f.RawSpan
		whole := (s.Start == 0 || raw[s.Start-1] == '\n') && s.End > s.Start && raw[s.End-1] == '\n'
		if !whole || s.Start < end {
			return nil // findings that share a block
		}
		if f.At.Path != file || len(runs) == 0 {
			runs = append(runs, nil)
		}
		file, end = f.At.Path, s.End
		runs[len(runs)-1] = append(runs[len(runs)-1], s)
	}
	return runs
}

// deal puts the texts of the spans into each other's places.
func deal(raw []byte, spans []result.Span, random *rand.Rand) []byte {
	order := random.Perm(len(spans))
	if slices.IsSorted(order) {
		slices.Reverse(order)
	}
	out := slices.Clone(raw[:spans[0].Start])
	for i, s := range spans {
		from := spans[order[i]]
		out = append(out, raw[from.Start:from.End]...)
		next := int64(len(raw))
		if i+1 < len(spans) {
			next = spans[i+1].Start
		}
		out = append(out, raw[s.End:next]...)
	}
	return out
}

// restreamed gives the bytes of raw to the streams as they were. All must be
// of one stream where their order was changed.
func restreamed(output parsers.Bytes, raw []byte) parsers.Bytes {
	var out parsers.Bytes
	for _, chunk := range output {
		end := chunk.Offset + int64(len(chunk.Data))
		out = append(out, parsers.Chunk{Stream: chunk.Stream, Offset: chunk.Offset, Data: raw[chunk.Offset:end]})
	}
	return out
}
