package lex

import (
	"strings"
	"testing"
)

func TestNumbers(t *testing.T) {
	for s, want := range map[string]int{"0": 0, "7": 7, "2147483647": 1<<31 - 1, "2147483648": 0, "-1": 0, "+1": 0, "1x": 0, "": 0, "٣": 0} {
		if got := Atoi(s); got != want {
			t.Errorf("Atoi(%q) is %d, want %d", s, got, want)
		}
	}
	for s, want := range map[string]int{"12 errors": 12, "x": 0, "": 0, "3.5": 3} {
		if got := LeadingNumber(s); got != want {
			t.Errorf("LeadingNumber(%q) is %d, want %d", s, got, want)
		}
	}
	if n := LeadingNumber(strings.Repeat("9", 99)); n < 0 {
		t.Errorf("a number of 99 digits is %d", n)
	}
	for s, want := range map[string]bool{"0": true, "123": true, "": false, "1.2": false, "１": false} {
		if IsDigits(s) != want {
			t.Errorf("IsDigits(%q) is %v", s, !want)
		}
	}
}

func TestCutCount(t *testing.T) {
	for s, want := range map[string]int{"3 errors.": 3, "1 error": 1, "error": 0, "3  errors": 0, "x 3 errors": 0} {
		if n, _, ok := CutCount(s, "error"); n != want || ok != (want != 0) {
			t.Errorf("%q: %d %v", s, n, ok)
		}
	}
	if _, rest, _ := CutCount("3 errors in 2 files", "error"); rest != " in 2 files" {
		t.Errorf("%q", rest)
	}
}

func TestWords(t *testing.T) {
	for w, want := range map[string]bool{"A=b": true, "A=": true, "=b": false, "a": false, "--a=b": false, "a/b=c": false, "a.b=c": false} {
		if IsAssignment(w) != want {
			t.Errorf("IsAssignment(%q) is %v", w, !want)
		}
	}
	for w, want := range map[string]bool{"a": true, "_a1": true, "größe": true, "1a": false, "a-b": false, "": false} {
		if IsIdentifier(w) != want {
			t.Errorf("IsIdentifier(%q) is %v", w, !want)
		}
	}
	if !IsOneOf("b", "a b c") || IsOneOf("", "a b") || IsOneOf("a b", "a b") {
		t.Error("IsOneOf")
	}
	if v, ok := CutLabel("  Expected : 3: 4", "got", "expected"); !ok || v != "3: 4" {
		t.Errorf("%q %v", v, ok)
	}
	if got := OnOneLine(" a\n\t b "); got != "a b" {
		t.Errorf("%q", got)
	}
	for path, want := range map[string][2]string{"a.ipynb:cell 3": {"a.ipynb", "cell 3"}, "a.ipynb:cell_3": {"a.ipynb", "cell 3"}, "a.py": {"a.py", ""}} {
		if p, cell := CutCell(path); p != want[0] || cell != want[1] {
			t.Errorf("%q: %q %q", path, p, cell)
		}
	}
}

// TestCuts: a text is never cut within a character.
func TestCuts(t *testing.T) {
	for n := range 8 {
		if s := CutText("aößb", n); strings.ContainsRune(s, '�') || n < 6 && len(s) > n+len("…") {
			t.Errorf("%d: %q", n, s)
		}
		if cut := "aößb"[:RuneCut("aößb", n)]; strings.ToValidUTF8(cut, "") != cut || len(cut) > n {
			t.Errorf("%d: %q", n, cut)
		}
	}
}

// TestLog: of a long log the first and the last lines are kept, in their order,
// and a log that was cleared knows nothing of what was in it.
func TestLog(t *testing.T) {
	var g Log
	buf := []byte("line 000")
	for i := range logHead + logTail + 5 {
		buf[5], buf[6], buf[7] = byte('0'+i/100), byte('0'+i/10%10), byte('0'+i%10)
		g.Add(string(buf))
	}
	all := g.Lines()
	if len(all) != logHead+logTail || g.Omitted != 5 || all[0] != "line 000" || all[logHead-1] != "line 199" || all[logHead] != "line 205" || all[len(all)-1] != "line 404" {
		t.Errorf("%d lines, %d omitted: %q … %q, %q … %q", len(all), g.Omitted, all[0], all[logHead-1], all[logHead], all[len(all)-1])
	}
	if g.Clear(); !g.Empty() || len(g.Lines()) != 0 || g.Omitted != 0 {
		t.Errorf("after Clear: %v", g.Lines())
	}
	g.Add(strings.Repeat("x", MaxLogLine+1))
	if n := len(g.Lines()[0]); n != MaxLogLine {
		t.Errorf("a line of %d bytes", n)
	}
}

// TestBounded: the beginning and the end stay, and what is left out is counted.
func TestBounded(t *testing.T) {
	b := Bounded{Max: 40}
	for _, s := range []string{"first", "second", "third one", "fourth one", "fifth one", "the last", "", ""} {
		b.Add(s, nil)
	}
	got := strings.Join(b.Lines(), "|")
	if !strings.HasPrefix(got, "first|second|") || !strings.HasSuffix(got, "|the last") || !strings.Contains(got, "lines left out") {
		t.Errorf("%q", got)
	}
	room := 10
	few := Bounded{Max: 1000}
	few.Add("123456", &room)
	few.Add("123456", &room)
	if got := strings.Join(few.Lines(), "|"); got != "123456|… 1 lines left out …" {
		t.Errorf("without room: %q", got)
	}
}

// TestHash: words apart have another hash than words together.
func TestHash(t *testing.T) {
	seen := map[Hash]string{}
	for name, h := range map[string]Hash{
		"":     NewHash(),
		"ab":   NewHash().Text("ab"),
		"a,b":  NewHash().Text("a").Text("b"),
		"a,":   NewHash().Text("a").Text(""),
		"a":    NewHash().Text("a"),
		"1":    NewHash().Number(1),
		"256":  NewHash().Number(256),
		"-1":   NewHash().Number(-1),
		"a, 1": NewHash().Text("a").Number(1),
	} {
		if other, same := seen[h]; same {
			t.Errorf("%q and %q are the same", name, other)
		}
		seen[h] = name
	}
}

func TestTrimBlankLines(t *testing.T) {
	if got := strings.Join(TrimBlankLines([]string{"", "a", "", " "}), "|"); got != "|a" {
		t.Errorf("%q", got)
	}
}
