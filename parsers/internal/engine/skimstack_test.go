package engine_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"cairn/parsers/internal/engine"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// TestSkimStack: an error far below a stack of Rust's is not taken for a part of it, and a stack within a flood
// is left out however the output is read.
func TestSkimStack(t *testing.T) {
	const stack = "Stack backtrace:\n   0: anyhow::error::new\n             at /src/lib.rs:3:4\n"
	calm := strings.Repeat("all is well in this line of the log\n", 2000)
	for name, text := range map[string]string{
		"an error below":  stack + calm + "   3: error: the disk is full\n" + calm,
		"a stack amidst":  calm + "Error: no such host\n\n" + stack + calm,
		"a head of none":  calm + "Stack backtrace:\n" + calm + "   at error: the disk is full\n",
		"a stack at last": calm + stack,
	} {
		in := tool.Input{Argv: []string{"prog"}, Source: term.Separate([]byte(text), nil)}
		skimmed, plain := engine.New(known(), in), engine.New(known(), in)
		skimmed.Scan()
		plain.SeeEach()
		exit := result.Exit{Observed: true, Code: 1}
		got, _ := json.Marshal(skimmed.Result(exit))
		want, _ := json.Marshal(plain.Result(exit))
		if !bytes.Equal(got, want) {
			t.Errorf("%s: skimmed %s\nplain   %s", name, got, want)
		}
		if strings.Contains(text, "disk is full") && !strings.Contains(string(got), "disk is full") {
			t.Errorf("%s: the error is hidden: %s", name, got)
		}
	}
}
