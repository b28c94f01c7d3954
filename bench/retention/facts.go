package main

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/golden"
	"cairn/result"
)

// fact is something that a reader of a failing run must learn: its kind is one
// of package golden's.
type fact = golden.Fact

// asked leaves out what package golden's comment does not ask of a result: a decisive
// line word for word where a tool's own reader made findings of it. Those findings
// are other facts of the run.
func asked(facts []fact, confidence result.Confidence) []fact {
	return slices.DeleteFunc(slices.Clone(facts), func(f fact) bool { return f.Kind == "says" && confidence == result.Parsed })
}

// once leaves out facts that were there before: a compact form need not say
// the same thing twice.
func once(facts []fact) (all []fact) {
	for _, f := range facts {
		if !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

// kept says whether the fact can be read in a text: a line that decides word for
// word, a place also as path(LINE and as path[LINE.
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

// whole says whether the words are in the text, and not as a part of other
// ones (TestSub is not TestSub/one, x.go:3 not x.go:30).
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

// goesOn: the name is a longer one.
func goesOn(r rune) bool { return wordRune(r) || strings.ContainsRune("/[-#", r) }

func wordRune(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r))
}
