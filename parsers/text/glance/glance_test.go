package glance

import (
	"bytes"
	"slices"
	"testing"
)

// FuzzGlance: whatever the words and the text, Look says what Plain says, and no word
// is passed over. The words stand behind each other in one string, each with its group
// and whether its case matters in the byte before it.
func FuzzGlance(f *testing.F) {
	f.Add([]byte("\x00error\x91 in \x0ftype"), []byte("2026-11-20 ERROR in the type\n\x1b[31m\tx\xff é"))
	f.Add([]byte("\x13ab\x84\xe2\x80\xa6\x8fwarning"), bytes.Repeat([]byte("WARNing ab\r\n\x00\x7f…"), 20))
	f.Add([]byte(""), []byte("nothing is looked for"))
	f.Fuzz(func(t *testing.T, words, text []byte) {
		var tables Tables
		type word struct {
			text    string
			anyCase bool
		}
		var all []word
		for _, w := range bytes.SplitAfterN(words, []byte{' '}, 20) {
			if len(w) < 2 {
				continue
			}
			one := word{string(w[1:]), w[0]&0x80 != 0}
			tables.Add(one.text, int(w[0])%(SetSize*Sets), one.anyCase)
			all = append(all, one)
		}
		tables.Prepare()
		blocks := len(text)/Size + 1
		text = append(text, make([]byte, blocks*Size+SeedSize-1-len(text))...)
		fast, plain := make([]Sight, blocks), make([]Sight, blocks)
		tables.Look(text, fast)
		tables.Plain(text, plain)
		if !slices.Equal(fast, plain) {
			t.Fatalf("%q\n%x\n%x", text, fast, plain)
		}
		for i := range blocks * Size {
			for _, w := range all {
				four := w.text[:min(len(w.text), SeedSize)]
				if begins(text[i:], four, w.anyCase) && fast[i/Size].Hit>>(i%Size)&1 == 0 {
					t.Fatalf("%q is not seen at %d of %q", four, i, text)
				}
			}
		}
	})
}

func begins(text []byte, word string, anyCase bool) bool {
	if len(text) < len(word) {
		return false
	}
	for k := range len(word) {
		a, b := text[k], word[k]
		if l := b | 0x20; anyCase && 'a' <= l && l <= 'z' {
			a, b = a|0x20, l
		}
		if a != b {
			return false
		}
	}
	return true
}

// TestLookNoFurther: the last block needs SeedSize-1 bytes behind it and no more, and
// where there is nothing to look at nothing is read.
func TestLookNoFurther(t *testing.T) {
	var tables Tables
	tables.Add("abcd", 0, false)
	tables.Prepare()
	text := make([]byte, Size+SeedSize-1)
	copy(text[Size-1:], "abcd")
	var seen [1]Sight
	tables.Look(text, seen[:])
	if seen[0].Hit != 1<<(Size-1) {
		t.Errorf("%x", seen)
	}
	tables.Look(nil, nil)
}
