package main

import (
	"bytes"
	"strings"
	"testing"

	"cairn/capture"
	"cairn/render"
	"cairn/result"
)

// bomb breaks off where it is printed.
type bomb struct{}

func (bomb) MarshalJSON() ([]byte, error) { panic("this result is broken") }

// An answer that breaks off gives way to what the command printed.
func TestAnswerBreaksOff(t *testing.T) {
	var out, errs bytes.Buffer
	a := &app{out: &output{to: &out}, err: &output{to: &errs}}
	r := &result.ToolResult{Tool: "make", Status: result.Failed, Extra: map[string]any{"x": bomb{}}}
	a.printAnswer(render.FormatJSON, &capture.Outcome{Status: 3, Result: r, Raw: []byte("out1\n")})
	if out.String() != "out1\n" || !strings.Contains(errs.String(), "this result is broken") || !strings.Contains(errs.String(), "exit status 3") {
		t.Errorf("printed %q, said %q", out.String(), errs.String())
	}
}
