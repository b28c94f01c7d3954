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

// asked leaves out the facts that package golden does not require: decisive lines ("says") of a run that the tool's
// parser read. The parser makes findings of these lines, and the findings are facts of their own.
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

// goesOn says whether r continues a name, as in TestSub/one.
func goesOn(r rune) bool { return wordRune(r) || strings.ContainsRune("/[-#", r) }

func wordRune(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r))
}
