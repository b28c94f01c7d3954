package main

import (
	"context"
	"fmt"
	"io"

	"cairn/internal/place"
	"cairn/internal/tokens"
	"cairn/recall"
	"cairn/render"
)

// tokenCount is what a sample of captures costs a language model.
type tokenCount struct {
	Captures int `json:"captures"` // in the sample
	Raw      int `json:"raw"`      // tokens of all that they printed
	Shown    int `json:"shown"`    // of their compact forms
	Saved    int `json:"saved"`
}

// Bounds of the sample.
const (
	sampleCaptures = 100
	sampleBytes    = 256 << 10 // of one output
)

// countTokens counts on the newest captures whose output is in this clone.
func countTokens(site *place.Site, ids []string) (*tokenCount, error) {
	count, err := tokens.New()
	if err != nil {
		return nil, err
	}
	t := &tokenCount{}
	for _, id := range ids {
		if t.Captures == sampleCaptures {
			break
		}
		raw, shown, ok := sampleOf(site, id)
		if ok {
			t.Captures, t.Raw, t.Shown = t.Captures+1, t.Raw+count(raw), t.Shown+count(shown)
		}
	}
	t.Saved = t.Raw - t.Shown
	return t, nil
}

// sampleOf gives what a capture printed and what is shown of it.
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
	return fmt.Sprintf("tokens of the newest %d captures here: printed %d, shown %d: %d saved\n", t.Captures, t.Raw, t.Shown, t.Saved)
}
