package golden

import (
	"fmt"
	"strings"
	"testing"

	"cairn/parsers"
	"cairn/result"
)

// noise is a log in which nothing is wrong, no line like the one before.
func noise(lines int) []byte {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "%s stage %c of job-%d took %dms\n", strings.Repeat("step ", 1+i%5), 'a'+i%26, i, i*7%100)
	}
	return []byte(b.String())
}

// hidden lists cases whose decisive line has no word that says so: only a
// parser of that tool can find it in a long log.
var hidden = map[string]string{
	"generic/actionlint-default": "path:line:column and a sentence",
	"generic/actionlint-json":    "path:line:column and a sentence",
	"generic/bandit-text":        "issues have codes only",
	"sarif/another-reason":       "a sentence without a word of alarm",
}

// TestHaystack: the decisive line of every tool is found in the middle of a
// long log of other things.
func TestHaystack(t *testing.T) {
	before, after := noise(1500), noise(2500)
	each(t, func(t *testing.T, c Case) {
		if why := hidden[c.Name]; why != "" {
			t.Skip(why)
		}
		var says []string
		for _, f := range c.Truth {
			if f.Kind == "says" {
				says = append(says, f.Text)
			}
		}
		if len(says) == 0 {
			t.Skip("no decisive line recorded")
		}
		output := parsers.Bytes{{Stream: parsers.Stdout, Data: before}}
		at := int64(len(before))
		for _, chunk := range c.Output {
			chunk.Offset = at
			output, at = append(output, chunk), at+int64(len(chunk.Data))
		}
		output = append(output, parsers.Chunk{Stream: parsers.Stdout, Offset: at, Data: after})
		r, compact := answer(c.Input(output), c.Exit)
		if r.ParserConfidence == result.Parsed {
			return // findings tell it
		}
		for _, s := range says {
			if !strings.Contains(compact, s) {
				t.Errorf("the compact text does not say: %s\n%.3000s", s, compact)
			}
		}
		if len(compact) > 10<<10 {
			t.Errorf("compact text of %d bytes", len(compact))
		}
	})
}
