package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"cairn/internal/build"
	"cairn/internal/place"
	"cairn/recall"
	"cairn/render"
	"cairn/result"
)

// tokenCount is how many tokens a sample of captures takes for a language model.
type tokenCount struct {
	Captures int `json:"captures"` // in the sample
	Raw      int `json:"raw"`      // tokens of their output
	Shown    int `json:"shown"`    // tokens of their compact forms
	Saved    int `json:"saved"`
}

// Limits of the sample.
const (
	sampleCaptures = 100
	sampleBytes    = 256 << 10 // bytes of one output
)

// countTokens counts for the newest captures whose output is in this clone.
func countTokens(site *place.Site, ids []string) (t *tokenCount, err error) {
	counter, err := newTokenCounter()
	if err != nil {
		return nil, err
	}
	defer func() {
		if closeErr := counter.close(); closeErr != nil { // its error says more than that of the broken pipe
			t, err = nil, closeErr
		}
	}()
	t = &tokenCount{}
	for _, id := range ids {
		if t.Captures == sampleCaptures {
			break
		}
		raw, shown, ok := sampleOf(site, id)
		if !ok {
			continue
		}
		t.Captures++
		for _, part := range []struct {
			text string
			sum  *int
		}{{raw, &t.Raw}, {shown, &t.Shown}} {
			n, err := counter.count(part.text)
			if err != nil {
				return nil, err
			}
			*part.sum += n
		}
	}
	t.Saved = t.Raw - t.Shown
	return t, nil
}

// sampleOf returns the output of a capture and its compact form.
func sampleOf(site *place.Site, id string) (raw, shown string, ok bool) {
	out, err := recall.Find(context.Background(), site, id)
	if err != nil || out.Record == nil || out.ID.IsZero() {
		return "", "", false
	}
	obj, err := out.Open()
	if err != nil {
		return "", "", false
	}
	defer obj.Close()
	r, _, err := out.Result()
	if err != nil || obj.Size() > sampleBytes {
		return "", "", false
	}
	text, err := io.ReadAll(obj)
	if err != nil {
		return "", "", false
	}
	return string(text), render.Compact(r, text), true
}

func (t *tokenCount) text() string {
	return fmt.Sprintf("tokens of the newest here, %s: printed %d, shown %d: %d saved\n", result.Count(t.Captures, "capture"), t.Raw, t.Shown, t.Saved)
}

// tokenCounter is a running cairn-tokens. The vocabulary is in that program, since
// loading it would slow down each start of this one.
type tokenCounter struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	said bytes.Buffer // its stderr
}

func newTokenCounter() (*tokenCounter, error) {
	program, err := build.Companion("cairn-tokens")
	if err != nil {
		return nil, err
	}
	c := &tokenCounter{cmd: exec.Command(program)}
	c.cmd.Stderr = &c.said
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(out)
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	return c, nil
}

func (c *tokenCounter) count(text string) (int, error) {
	if _, err := fmt.Fprintf(c.in, "%d\n%s", len(text), text); err != nil {
		return 0, fmt.Errorf("counting tokens: %w", err)
	}
	line, err := c.out.ReadString('\n')
	if err != nil {
		return 0, fmt.Errorf("counting tokens: %w", err)
	}
	return strconv.Atoi(strings.TrimSpace(line))
}

// close ends the program, and returns the error that it printed.
func (c *tokenCounter) close() error {
	err := errors.Join(c.in.Close(), c.cmd.Wait())
	if err != nil {
		return fmt.Errorf("counting tokens: %s", cmp.Or(strings.TrimSpace(c.said.String()), err.Error()))
	}
	return nil
}
