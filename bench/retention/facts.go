package main

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/golden"
	"cairn/result"
)

// fact is something that the reader of a failing run must learn; package golden defines the kinds.
type fact = golden.Fact

// asked leaves out facts that package golden does not require: a decisive line ("says") if a parser of the tool made
// findings of it. Those findings are facts of their own.
func asked(facts []fact, confidence result.Confidence) []fact {
	return slices.DeleteFunc(slices.Clone(facts), func(f fact) bool { return f.Kind == "says" && confidence == result.Parsed })
}

// once removes repeated facts: a compact form need not say the same thing twice.
func once(facts []fact) (all []fact) {
	for _, f := range facts {
		if !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

// kept says whether a text has the fact: a decisive line word for word, a place also in the forms path(LINE and
// path[LINE.
func kept(f fact, text string) bool {
	switch f.Kind {
	case "says":
		return strings.Contains(text, f.Text)
	case "at":
		i := strings.LastIndexByte(f.Text, ':')
		if i >= 0 && (whole(f.Text[:i]+"("+f.Text[i+1:], text) || whole(f.Text[:i]+"["+f.Text[i+1:], text)) {
			return true
		}
	}
	return whole(f.Text, text)
}

// whole says whether the text has the words, and not only as a part of longer ones (TestSub/one, x.go:30).
func whole(words, text string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], words)
		if i < 0 {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(words):])
		if !wordRune(before) && !goesOn(after) {
			return true
		}
		at++
	}
}

// goesOn says whether a name continues with this character.
func goesOn(r rune) bool { return wordRune(r) || strings.ContainsRune("/[-#", r) }

func wordRune(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r))
}
