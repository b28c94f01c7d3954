package read

import (
	"slices"
	"strings"
	"unsafe"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/scan"
	"cairn/parsers/text/term"
)

// noReason recognise lines that hold an alarm word and do not say why a command failed.
var noReason = [...]func(line string) bool{isBinary, isMarkup, isHeading, isTally, warns, isQuoted, denies}

func isBinary(line string) bool { return strings.ContainsRune(line, '\uFFFD') }

// isHeading reports whether a line ends with a colon: the lines below say what is wrong.
func isHeading(line string) bool { return strings.HasSuffix(strings.TrimRight(line, " "), ":") }

// warns reports whether a line begins with "warning: ", or with the name of a program and a word for a warning:
// "npm warn Unknown user config", "pnpm notice …".
func warns(line string) bool {
	if name, rest, ok := strings.Cut(line, " "); ok && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == "" && strings.HasPrefix(rest, "notice ") {
		return true
	} else if ok && strings.HasPrefix(rest, "warn ") || strings.HasPrefix(rest, "WARN ") {
		line = rest
	}
	return len(line) >= 4 && strings.EqualFold(line[:4], "warn")
}

// isQuoted reports whether a line is part of a difference, a mail or a table.
func isQuoted(text string) bool {
	return strings.IndexByte("<>+-|#", text[0]) >= 0 || strings.Contains(text, " | ") || strings.Contains(text, " │ ")
}

// denies reports whether a sentence says that nothing failed: "no errors", "nothing failed".
func denies(text string) bool {
	words := strings.Fields(strings.ToLower(text))
	for i, word := range words[:max(0, len(words)-1)] {
		counts := slices.ContainsFunc(counted[:], func(w string) bool { return strings.HasPrefix(words[i+1], w) })
		if counts && lex.IsOneOf(word, "no nothing none never without zero") {
			return true
		}
	}
	return false
}

// isMarkup reports whether a line is part of a document that no reader understood.
func isMarkup(text string) bool {
	text = strings.TrimLeft(text, " \t[")
	return text != "" && strings.IndexByte("<{\"", text[0]) >= 0
}

// alarms reports whether a line has an alarm word, whatever the tool.
func alarms(text string) bool {
	l := term.RawLine{Text: unsafe.Slice(unsafe.StringData(text), len(text))} // lent: Look keeps nothing
	scan.NewScanner().Look(&l)
	return l.Alarm >= 0
}

// troubleWords are further words that report trouble, in messages of which it is known that a program speaks of
// itself.
var troubleWords = [...]string{"not ", "n't ", "bad ", "illegal", "unrecogni", "no valid", "malformed", "duplicate", "incorrect", "wrong ", "already exist", "ambiguous", "exist"}

// TellsTrouble reports whether a message of a program about itself says that something went wrong.
func TellsTrouble(text string) bool { return tellsTrouble(text) }

func tellsTrouble(text string) bool {
	low := strings.ToLower(text)
	return alarms(text) || slices.ContainsFunc(troubleWords[:], func(w string) bool { return strings.Contains(low, w) })
}

// counted are the beginnings of the words that a closing line counts.
var counted = [...]string{"error", "fail", "warn", "problem", "issue", "violation", "test", "pass", "assert"}

// isTally reports whether a line only counts failures: "2 errors", "failures=4".
func isTally(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" \t,;:=|()[]", r) })
	for i := 0; i+1 < len(words); i++ {
		for _, w := range counted {
			if lex.IsDigits(words[i]) && strings.HasPrefix(words[i+1], w) || lex.IsDigits(words[i+1]) && strings.HasPrefix(words[i], w) {
				return true
			}
		}
	}
	return false
}

// Reason is the line of a program's output that best says why it failed: the last one that begins with an error,
// together with the next line if the first only announces it; otherwise the last one with an alarm word, or else
// the last one that is not blank.
func Reason(printed []string) (reason string) {
	best := 0
	for i, line := range printed {
		text, rank := strings.TrimSpace(line), 1
		if strings.Trim(text, "-=*#. ") == "" {
			continue
		}
		if alarms(text) && !isTally(text) && !denies(text) {
			if rank = 2; lex.HasAnyPrefix(strings.ToLower(text), "error", "fatal", "fail") {
				rank = 3
			}
			if isHeading(text) && i+1 < len(printed) {
				text += " " + strings.TrimSpace(printed[i+1])
			}
		}
		if rank >= best {
			best, reason = rank, lex.Clip(text)
		}
	}
	return reason
}
