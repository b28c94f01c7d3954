package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall"
)

// TestWords: filters are typed as recall has them.
func TestWords(t *testing.T) {
	for typed, want := range map[string]string{
		"":                                 `{}`,
		"status:failed tool=pytest":        `{"status":"failed","tool":"pytest"}`,
		"--status failed --dirty --tool x": `{"status":"failed","tool":"x","dirty":"yes"}`,
		`since:"2 days ago" go test`:       `{"command":"*go*test*","since":"2 days ago"}`,
		`https://x status`:                 `{"command":"*https://x*status*"}`,
	} {
		f, err := filtersOf(typed)
		got, _ := json.Marshal(f)
		if err != nil || string(got) != want {
			t.Errorf("%q: %s, %v; want %s", typed, got, err, want)
		}
		again, err := filtersOf(wordsOf(f))
		if twice, _ := json.Marshal(again); err != nil || !bytes.Equal(twice, got) {
			t.Errorf("%q is written as %q, which reads %s, %v", typed, wordsOf(f), twice, err)
		}
	}
	for _, wrong := range []string{"status:fail", "--nothing", `grep:"a`, "since:", "limit:x", "since:2h until:3h"} {
		if f, err := filtersOf(wrong); err == nil {
			t.Errorf("%q is read as %+v", wrong, f)
		}
	}
}

// opensOutput puts bytes into a store and opens them.
func opensOutput(t *testing.T, content []byte) *output {
	t.Helper()
	site, err := place.Open(context.Background(), t.TempDir(), place.Env{Dir: t.TempDir()}, func(w manifest.Warning) { t.Error(w) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { site.Close() })
	info, err := site.Objects.Put(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	out, err := recall.Find(context.Background(), site, info.ID.String())
	if err != nil {
		t.Fatal(err)
	}
	o, err := opened(out, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.close)
	return o
}

// TestOutputIsWhole: what is shown line by line is each byte once, with the right numbers, and the way back is the way there.
func TestOutputIsWhole(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var content bytes.Buffer
	for range 300 {
		n := random.IntN(80)
		if n > 70 {
			n *= 60 // longer than a piece
		}
		content.WriteString(strings.Repeat(string("xé→\x1b"[random.IntN(2)]), n) + strings.Repeat("→", random.IntN(9)) + "\x1b[31mred\x1b[0m")
		content.WriteString([]string{"\n", "\r\n", "\n\n", "\xff\n"}[random.IntN(4)])
	}
	o := opensOutput(t, content.Bytes())
	var seen []byte
	number := int64(1)
	for {
		text, next, ends, err := o.piece(o.at)
		if err != nil || next <= o.at && !ends {
			t.Fatal(next, err)
		}
		seen = append(seen, text...)
		if o.line != number {
			t.Fatalf("at %d it is line %d, and not %d", o.at, o.line, number)
		}
		if ends {
			seen = append(seen, '\n')
			number++
		}
		if !o.down() {
			break
		}
	}
	if !bytes.Equal(seen, content.Bytes()) {
		t.Error("what is shown is not what was printed")
	}
	for o.up() {
	}
	if o.at != 0 || o.line != 1 {
		t.Errorf("back at the beginning it is byte %d, line %d", o.at, o.line)
	}
	at, err := o.offset(context.Background(), 100)
	line, err2 := o.lineAt(context.Background(), at)
	if want := len(bytes.Join(bytes.SplitAfterN(content.Bytes(), []byte("\n"), 100)[:99], nil)); err != nil || err2 != nil || at != int64(want) || line != 100 {
		t.Errorf("line 100 begins at %d, which is in line %d; want %d, %v %v", at, line, want, err, err2)
	}
}

// TestFind: a text is found wherever pieces that are read end, both ways and around the end.
func TestFind(t *testing.T) {
	content := bytes.Repeat([]byte("."), 2*bytesRead+10)
	places := []int64{5, bytesRead - 3, 2*bytesRead - 1}
	for _, at := range places {
		copy(content[at:], "NeeDle")
	}
	o := opensOutput(t, content)
	for _, c := range []struct {
		text    string
		from    int64
		forward bool
		want    int64
	}{
		{"needle", 0, true, 5}, {"needle", 5, true, bytesRead - 3}, {"NeeDle", bytesRead - 3, true, 2*bytesRead - 1}, {"needle", 2*bytesRead - 1, true, 5},
		{"needle", 2*bytesRead - 1, false, bytesRead - 3}, {"needle", 5, false, 2*bytesRead - 1}, {"needLe", 0, true, -1},
	} {
		if got, err := o.find(context.Background(), c.text, c.from, c.forward); err != nil || got != c.want {
			t.Errorf("%s from %d, forward %v: %d, %v; want %d", c.text, c.from, c.forward, got, err, c.want)
		}
	}
}

// TestShownIsText: of what a tool prints nothing acts on the terminal but colours, and those only where they are wanted.
func TestShownIsText(t *testing.T) {
	hostile := "a\x1b[31mred\x1b[0m\x1b]0;title\x07\x1b[2J\x1b[1;1H\x1b]8;;http://x\x1b\\l\x9b31m\rb\u202ec\u200b\ttab\x00"
	o := &output{}
	for _, color := range []bool{true, false} {
		u := &UI{color: color}
		got := o.shown(u, []byte(hostile))
		if left := strings.NewReplacer("\x1b[31m", "", "\x1b[0m", "").Replace(got); strings.ContainsAny(left, "\x1b\x07\x00\r\u202e\u009b\t") {
			t.Errorf("color %v: %q acts", color, got)
		}
		if strings.Contains(got, "\x1b") != color || !strings.Contains(ansi.Strip(got), "ared") {
			t.Errorf("color %v: %q", color, got)
		}
	}
	o.escapes = true
	if got := o.shown(&UI{color: true}, []byte(hostile)); !strings.Contains(got, "␛[31mred␛[0m␛]0;title␇␛[2J") || strings.Contains(got, "\x1b") {
		t.Errorf("its escape sequences are not all shown: %q", got)
	}
}
