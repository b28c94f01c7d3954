package read

import (
	"strings"

	"cairn/parsers/read/lex"
)

// Counts reads "3 failed, 2 passed", "Tests: 3 failed, 12 total", "2 errors and
// 1 warning": each number and the word behind it, in lower case. What is no
// number and no word is passed by; a number without a word is not counted.
func Counts(line string) map[string]int {
	counts := map[string]int{}
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t,;|()[]=·•.", r) })
	for i := 0; i+1 < len(words); i++ {
		n := strings.TrimSuffix(words[i], ":")
		if !lex.IsDigits(n) || len(n) > 9 {
			continue
		}
		if word := strings.ToLower(strings.TrimRight(words[i+1], ":!")); word != "" && lex.Letter(word[0]) != 0 {
			counts[word] += lex.Atoi(n)
		}
	}
	return counts
}

// CountsBehind reads "Tests run: 13, Failures: 8, Errors: 1": each word, in lower
// case, and the number behind it.
func CountsBehind(line string) map[string]int {
	counts := map[string]int{}
	for part := range strings.SplitSeq(line, ",") {
		name, n, ok := strings.Cut(part, ":")
		if n = strings.TrimRight(strings.TrimSpace(n), ".)!"); ok && n != "" && lex.IsDigits(n) && len(n) <= 9 {
			counts[strings.ToLower(strings.TrimSpace(name))] += lex.Atoi(n)
		}
	}
	return counts
}
