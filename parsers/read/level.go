package read

import (
	"strconv"
	"strings"

	"cairn/parsers/text/lex"
)

// cutLevel removes a time and a log level, or a word such as "Error: ", from the beginning of a line.
func cutLevel(text string) (rest, word string, timed bool) {
	if word, message, ok := cutFields(text); ok {
		return message, word, true
	}
	rest, timed = cutTime(text)
	if strings.HasPrefix(rest, "**") || strings.HasPrefix(rest, "!!") {
		rest = strings.TrimLeft(rest, "*! ")
	}
	if word, behind := CutSeverity(rest); word != "" && (timed || isHeadword(rest, word)) {
		if strings.HasPrefix(rest, "error ") {
			behind = rest // the word begins a sentence
		}
		return strings.TrimLeft(strings.TrimPrefix(cutLogger(behind), "error :"), ": "), word, timed
	}
	if !timed {
		rest = text
	}
	return rest, "", timed
}

// cutLogger removes what Spring Boot puts before a message: "1426 --- [shop] [main] o.s.boot.SpringApplication :
// text".
func cutLogger(text string) string {
	behind := strings.TrimLeft(text, " ")
	if behind == "" || behind[0] < '0' || behind[0] > '9' {
		return text
	}
	process, rest, ok := strings.Cut(behind, " --- [")
	if _, message, said := strings.Cut(rest, " : "); ok && said && lex.IsDigits(process) {
		return message
	}
	return text
}

// cutFields reads a log of named fields: `time="…" level=fatal msg="text" err="why"`.
func cutFields(text string) (word, message string, ok bool) {
	_, behind, found := strings.Cut(text, "level=")
	if !found {
		return "", "", false
	}
	word, rest, _ := strings.Cut(behind, " ")
	if SeverityOf(word) == "" || !strings.ContainsRune(text[:len(text)-len(behind)], '=') {
		return "", "", false
	}
	for _, field := range [...]string{"msg=", "err=", "error="} {
		if _, value, has := strings.Cut(" "+rest, " "+field); has {
			if quoted, err := strconv.QuotedPrefix(value); err == nil {
				value, _ = strconv.Unquote(quoted)
			} else {
				value, _, _ = strings.Cut(value, " ")
			}
			message = strings.TrimPrefix(message+": "+value, ": ")
		}
	}
	return word, message, message != ""
}

// isHeadword reports whether a text begins with word as a severity: "error: text", "ERROR text", "[ERROR] text",
// "Fatal error : text".
func isHeadword(text, word string) bool {
	if text[0] == '[' || text[0] == '(' || !lex.IsOneOf(strings.ReplaceAll(word, " ", "-"), "error fatal fatal-error warning warn note info hint") {
		return text[0] == '['
	}
	behind := text[len(word):]
	return strings.HasPrefix(behind, ": ") || strings.HasPrefix(behind, " : ") || strings.ToUpper(word) == text[:len(word)] || word == "error" && strings.HasPrefix(text, "error ")
}

// cutTime removes "2026-11-22T19:44:51Z ", "2026/11/22 19:44:37| " and the like from a line, with the number of a
// process behind it. NestJS puts the process first: "[Nest] 23881  - 11/27/2026, 11:21:02 AM   ERROR
// [ExceptionHandler] text".
func cutTime(text string) (rest string, timed bool) {
	if _, behind, ok := strings.Cut(text, "M  "); ok && strings.HasPrefix(text, "[Nest] ") {
		return strings.TrimLeft(behind, " "), true
	}
	rest = strings.TrimPrefix(text, "[")
	if len(rest) < 19 || !lex.IsDigits(rest[:4]) || rest[4] != '-' && rest[4] != '/' || rest[7] != rest[4] || rest[13] != ':' || rest[16] != ':' {
		return text, false
	}
	rest = strings.TrimLeft(rest[19:], "0123456789.,Z+:|] -")
	if number, behind, ok := strings.Cut(rest, "] "); ok && strings.HasPrefix(number, "[") && lex.IsDigits(number[1:]) {
		rest = behind // "[2026-11-22 23:08:59 +0000] [18499] [ERROR] text"
	}
	return rest, true
}
