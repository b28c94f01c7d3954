package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cairn/render"

	"cairn/result"
)

// What is written comes out clean, however it is cut into pieces.
func TestOutputIsClean(t *testing.T) {
	piece := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"\n", "\r\n", "\x1b[31m", "\x1b]0;title\a", "\x1b", "[2J", "\u202e", "\u200b", "\ufeff", "\u009b", "\xc2", "text", "\t"}))
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(piece, 0, 20).Draw(t, "pieces")
		var got bytes.Buffer
		out := &output{to: &got}
		for _, p := range pieces {
			if n, err := io.WriteString(out, p); n != len(p) || err != nil {
				t.Fatalf("wrote %d of %d bytes: %v", n, len(p), err)
			}
		}
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
		if want := render.Shown(strings.Join(pieces, "")); got.String() != want || strings.ContainsAny(want, "\u200b\ufeff") {
			t.Errorf("printed %q, want %q", got.String(), want)
		}
	})
}

// What has no width may be all that tells two values apart.
func TestOutputShowsWhatHasNoWidth(t *testing.T) {
	var got bytes.Buffer
	io.WriteString(&output{to: &got}, "rm -rf /\u200btmp (expected \ufeffid, got i\u00add) 👨\u200d👩\n")
	if want := "rm -rf /\\u200btmp (expected \\ufeffid, got i\\u00add) 👨\u200d👩\n"; got.String() != want {
		t.Errorf("printed %q, want %q", got.String(), want)
	}
}

// A name with a line break in an error begins no line that looks like one of cairn's.
func TestErrorsQuoteOnTheirOwnLines(t *testing.T) {
	var got bytes.Buffer
	a := &app{err: &output{to: &got}}
	a.warn("reading \"x\r\ncairn: all is well\u2028cairn: recorded\": no such file")
	if want := "cairn: reading \"x\n  cairn: all is well\n  cairn: recorded\": no such file\n"; got.String() != want {
		t.Errorf("printed %q, want %q", got.String(), want)
	}
}

func TestOutputPrintsALineAtOnce(t *testing.T) {
	var got bytes.Buffer
	out := &output{to: &got}
	io.WriteString(out, "one\ntw")
	if got.String() != "one\n" {
		t.Errorf("printed %q before the second line ended", got.String())
	}
	io.WriteString(out, "o\n")
	if got.String() != "one\ntwo\n" {
		t.Errorf("printed %q", got.String())
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestOutputSaysThatItCouldNotBeWritten(t *testing.T) {
	if _, err := io.WriteString(&output{to: brokenPipe{}}, "x\n"); err == nil {
		t.Error("no error")
	}
}

// JSON says the same before and after, and has nothing left to clean.
func TestEscapeHidden(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"\u202e", "\u2028", "\u009b31m", "\x7f", "\U000e0041", "plain"}))
	rapid.Check(t, func(t *rapid.T) {
		var want, got []string
		doc, err := json.Marshal(rapid.SliceOf(text).Draw(t, "texts"))
		if err != nil {
			t.Fatal(err)
		}
		doc = append(doc, '\n')
		safe := escapeHidden(doc)
		if clean := result.Clean(string(safe)); clean != string(safe) {
			t.Errorf("%q is left to clean in %q", safe, clean)
		}
		if json.Unmarshal(doc, &want) != nil || json.Unmarshal(safe, &got) != nil || strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%q became %q", doc, safe)
		}
	})
}

func TestSayStaysOnItsLine(t *testing.T) {
	var got bytes.Buffer
	a := &app{out: &output{to: &got}}
	if err := a.say("%s %d %v\n", "pin\nforged\x1b[2J", 7, []string{"a\rb"}); err != nil {
		t.Fatal(err)
	}
	if want := "pin forged 7 [a b]\n"; got.String() != want {
		t.Errorf("printed %q, want %q", got.String(), want)
	}
}
