package read

import (
	"cmp"
	"strconv"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/shell"
	"cairn/result"
)

// toldBy is the finding that a line reports by its form. The severity info marks a line of mere information, which
// the caller drops.
func (a *anyones) toldBy(text string, own bool) (f result.Finding, ok bool) {
	if f, ok = inColumns(text); ok {
		return f, true
	}
	text = cutTag(text)
	bare, word, timed := cutLevel(text)
	severity := SeverityOf(word)
	if severity == result.SevInfo {
		return result.Finding{Severity: result.SevInfo}, true
	}
	logged := severity != "" && strings.HasPrefix(text[len(word):], " ") && strings.EqualFold(text[:len(word)], word) // "ERROR a.rst:3 text": the word is not part of the path
	if f, ok = placed(text, severity); ok && !logged {
		return f, true
	}
	if len(bare) != len(text) { // a time or a word was removed
		if f, ok = placed(bare, severity); ok {
			f.RawSeverity = cmp.Or(f.RawSeverity, ownWord(own, word))
			return f, true
		}
	}
	if text[0] != ' ' && text[0] != '\t' && (severity != "" || own || saysLine(text) || alarms(text) && !isTally(text)) {
		if at := a.within(text); at != nil {
			f = sentence(severity, bare, at)
			f.RawSeverity = ownWord(own, word)
			return f, true
		}
	}
	switch {
	case severity == result.SevError && bare != "" && timed:
		return result.Finding{Kind: result.GenericFinding, Message: bare}, true
	case severity == result.SevError && bare != "":
		return result.Finding{Kind: result.GenericFinding, Message: strings.TrimSpace(text)}, true
	case strings.HasPrefix(text, "Module not found: "): // webpack's, whatever program runs it
		return result.Finding{Kind: result.BuildError, Message: text}, true
	case severity == result.SevWarning: // a warning without a place explains no failure
		return result.Finding{Severity: result.SevInfo}, true
	}
	if f, ok = unformatted(text); ok {
		return f, true
	}
	return ofFile(text)
}

// ownWord is the severity word of a line in which the program names itself: such a line is a report and not only a
// log.
func ownWord(own bool, word string) string {
	if own {
		return word
	}
	return ""
}

// inColumns reads a row whose cells are separated by blanks, from the severity to the place:
//
//	warn   no-var  Unexpected var.   /src/a.js:3:7
func inColumns(text string) (f result.Finding, ok bool) {
	if last := text[len(text)-1]; last < '0' || last > '9' {
		return f, false
	}
	word, rest, _ := strings.Cut(text, " ")
	f = result.Finding{Severity: SeverityOf(word), RawSeverity: lowered(word)}
	behind := strings.LastIndex(rest, "  ")
	if f.Severity == "" || behind < 0 {
		return f, false
	}
	if f.At = place.LastColons(rest[behind+2:]); f.At == nil {
		return f, false
	}
	rest = strings.TrimSpace(rest[:behind])
	if rule, message, ruled := strings.Cut(rest, "  "); ruled && !strings.Contains(rule, " ") {
		f.Rule, rest = rule, strings.TrimSpace(message)
	} else if rule, message, _ := strings.Cut(rest, " "); isDashed(rule) { // the longest rule of a column is followed by one blank
		f.Rule, rest = rule, message
	}
	f.Message = rest
	return f, rest != ""
}

// sentence is the finding of a sentence that contains a place. A code at the beginning of the text becomes the
// rule, a program and its word for the severity before a place are removed as the place is: "[TRY203] text -
// src/t.py:3:4", "asciidoctor: WARNING: a.adoc: line 6: text".
func sentence(severity result.Severity, text string, at *result.Location) result.Finding {
	if program, said, ok := strings.Cut(text, ": "); ok && severity == "" && isDashed("-"+program) {
		if word, rest := CutSeverity(said); word != "" {
			severity, text = SeverityOf(word), rest
		}
	}
	if behind, ok := strings.CutPrefix(text, at.Path); ok && len(behind) > 1 {
		if words, rest, ok := strings.Cut(strings.TrimLeft(behind, ",: "), ": "); ok && words == "line "+strconv.Itoa(at.Line) {
			text = rest
		}
	}
	message, rule := cutCode(text)
	if head, tail, ok := strings.Cut(message, " - "); ok && rule != "" && strings.HasPrefix(tail, at.Path+":") {
		message = head
	} else if head, tail, ok := lex.CutLast(message, " "); ok && rule == "" && strings.HasPrefix(tail, at.Path+":") {
		if said, word := Parens.Cut(head); said != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-/@") == "" {
			message, rule = said, word // "text (some-rule) src/t.html:3:4"
		}
	}
	return result.Finding{Severity: severity, Rule: rule, Message: message, At: at}
}

// cutTag removes the program's name before a line: "<markuplint> error: text".
func cutTag(text string) string {
	if name, rest, ok := strings.Cut(text, "> "); ok && text[0] == '<' && rest != "" && lex.IsIdentifier(name[1:]) {
		return rest
	}
	return text
}

// unformatted reads how formatters that only check report a file: "F would be reformatted".
func unformatted(text string) (f result.Finding, ok bool) {
	for _, ending := range [...]string{" would be reformatted", " would be formatted", " needs formatting", " is not formatted", " is not formatted correctly", ": needs formatting", ": not formatted"} {
		if path, is := strings.CutSuffix(strings.TrimSuffix(text, "."), ending); is && place.IsFile(path) && !strings.Contains(path, ": ") {
			return result.Finding{Rule: "unformatted", Message: text[len(path)+1:], At: &result.Location{Path: path}, Fixable: true}, true
		}
	}
	for _, beginning := range wouldFormat {
		if path, is := strings.CutPrefix(text, beginning); is && place.IsFile(path) {
			return result.Finding{Rule: "unformatted", Message: strings.TrimSpace(beginning), At: &result.Location{Path: path}, Fixable: true}, true
		}
	}
	return f, false
}

// wouldFormat are the words that some formatters put before the file.
var wouldFormat = [...]string{"Would sort ", "Would format ", "Would reformat ", "would have reindented "}

// saysLine reports whether a line begins like "F line 3: ".
func saysLine(text string) bool {
	words := strings.SplitN(text, " ", 4)
	return len(words) == 4 && words[1] == "line" && place.IsFile(words[0]) && strings.HasSuffix(words[2], ":")
}

// placed reads a line that begins with a place, if it is a diagnostic: it has a severity, or its path is that of a
// source file, or its words report a failure.
func placed(text string, severity result.Severity) (f result.Finding, ok bool) {
	d, ok := cutOdd(cutQuotedURL(cutMark(strings.TrimLeft(text, " \t"))))
	if !ok || d.Word == "" && (text[0] == ' ' || text[0] == '\t') && !isListed(text, d.At.Path) {
		return f, false
	}
	if d.Word == "syntax error" { // this severity word is the message as well
		d.Message = text[max(0, strings.Index(text, d.Word), strings.Index(text, "Syntax error")):]
	}
	d.At.Path = withoutLabel(d.At.Path)
	path := d.At.Path
	_, code := cutCode(d.Message)
	known := d.Word != "" || severity != "" || code != "" || isUnclosed(d.Message)
	between := text[:max(0, len(text)-len(d.Message))]
	switch {
	case SeverityOf(d.Word) == result.SevInfo && !breaksRule(d.Message), strings.HasPrefix(d.Message, "installing '"):
		return result.Finding{Severity: result.SevInfo}, true
	case place.IsHost(d.At), lex.HasAnyPrefix(d.Message, "in `", "in '") && strings.HasSuffix(d.Message, "'"), shell.IsShellName(text), len(path) > 2 && path[1] == ':' && path[2] == ' ', isProse(path):
		return f, false
	case !known && !strings.Contains(between, ":") && !strings.Contains(between, " Ln "), !known && !isSource(path) && !(strings.Contains(between, "line ") && place.IsFile(path)) && !alarms(d.Message):
		return f, false
	}
	if d.Rule == "" {
		d.Message, d.Rule = cutAnyRule(strings.TrimPrefix(d.Message, "- "))
	}
	if d.Rule == "" && d.Word != "" && strings.HasSuffix(between, "["+d.Word+"] ") { // "[error] text (colons)"
		d.Message, d.Rule = Parens.Cut(d.Message)
	} else if word, said := CutSeverity(d.Message); d.Word == "" && !strings.Contains(word, " ") { // "DL3006 warning: text"
		d.Word, d.Message = word, said
	}
	if word, rule, ok := strings.Cut(d.Rule, "/"); ok && SeverityOf(lowered(word)) != "" { // "[Warning/no-ids]"
		d.Word, d.Rule = lowered(word), rule
	}
	if f = (Linter{}).finding(d); f.Severity == "" {
		f.Severity = severity
	}
	return f, true
}

// isUnclosed reports whether a message is what zsh and mksh print about a script that ends within quotes.
func isUnclosed(message string) bool {
	message = strings.TrimSpace(message)
	return message == "no closing quote" || strings.HasPrefix(message, "unmatched ") && len(message) == len(`unmatched "`)
}

// cutQuotedURL turns `"file:/src/a.html":1.1-1.14: text`, a form of the GNU standards, into "/src/a.html:1:1:
// text".
func cutQuotedURL(text string) string {
	quoted, ok := strings.CutPrefix(text, `"file:`)
	path, behind, both := strings.Cut(quoted, `":`)
	where, message, all := strings.Cut(behind, ": ")
	from, _, _ := strings.Cut(where, "-")
	if !ok || !both || !all || !lex.IsDigits(strings.ReplaceAll(from, ".", "")) {
		return text
	}
	return "/" + strings.TrimLeft(path, "/") + ":" + strings.ReplaceAll(from, ".", ":") + ": " + message
}

// AnyRule removes the rule from a message, wherever it stands.
func AnyRule(message string) (rest, rule string) { return cutAnyRule(message) }

// cutAnyRule removes the rule from a message, wherever tools write it: "E305 text", "[MD009] text", "text [rule]"
// and "text (some-rule)". A mark that says that the problem can be fixed is no rule.
func cutAnyRule(message string) (rest, rule string) {
	for _, mark := range [...]string{" [*]", " [fixable]"} {
		message = strings.TrimSuffix(message, mark)
	}
	if rest, rule = cutCode(message); rule != "" {
		rest, _ = Brackets.Cut(strings.TrimPrefix(rest, "[*] ")) // brackets at the end name the tool that has the code
		return rest, rule
	}
	if rest, rule = Brackets.Cut(message); rule != "" {
		return rest, WarningFlag(rule)
	}
	if word, rest, ok := strings.Cut(message, "): "); ok && message[0] == '(' && strings.Contains(word, "_") && lex.IsIdentifier(word[1:]) {
		return rest, word[1:] // dtc's "(node_names): text"
	}
	if rest, rule = Parens.Cut(message); rest != "" && strings.ContainsAny(rule, "-/") && strings.Trim(rule, "abcdefghijklmnopqrstuvwxyz0123456789-/@") == "" && strings.Trim(rule, "0123456789-/") != "" {
		return rest, rule
	}
	if word, text, ok := strings.Cut(message, " : "); ok && text != "" && isDashed(word) {
		return text, word // "no-undef : text"
	}
	if word, text, ok := strings.Cut(message, " "); ok && isDashed(word) && text != "" && 'A' <= text[0] && text[0] <= 'Z' {
		return text, word // "require-lock-timeout Missing …"
	}
	return message, ""
}

// WarningFlag is a rule with the flag of the warning that became an error: -Wformat for -Werror=format.
func WarningFlag(rule string) string {
	for _, made := range [...]string{"-Werror=", "-Werror-", "-w+error="} { // the last is NASM's
		if flag, ok := strings.CutPrefix(rule, made); ok {
			return made[:strings.Index(made, "error")] + flag
		}
	}
	return rule
}

// breaksRule reports whether a note names a rule: then it is a finding of its own. A compiler's note, or one that
// names a switch such as -Wall, belongs to the diagnostic above.
func breaksRule(message string) bool {
	_, rule := cutAnyRule(message)
	return rule != "" && rule[0] != '-'
}

// isDashed reports whether a word consists of small letters and digits with dashes, as names of rules do.
func isDashed(word string) bool {
	return strings.Contains(word, "-") && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-/@") == ""
}

// cutCode removes a code from the beginning of a text: "E305 text", "DOC03: text", "[MD009] text".
func cutCode(text string) (rest, code string) {
	code, rest, ok := strings.Cut(text, " ")
	code = strings.TrimSuffix(code, ":")
	if n := len(code); n > 2 && code[0] == '[' && code[n-1] == ']' {
		code = code[1 : n-1]
	}
	number, alias, aliased := strings.Cut(code, "/") // "MD022/blanks-around-headings"
	letters := strings.TrimRight(number, "0123456789")
	digits := len(number) - len(letters)
	letters = strings.TrimSuffix(letters, "-")
	isCode := letters != "" && len(letters) <= 8 && 2 <= digits && digits <= 5 && strings.Trim(letters, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	if !ok || rest == "" || aliased != isDashed(alias) || !isCode || lex.IsOneOf(letters, "UTF ISO SHA HTTP IPV PEP RFC CVE") {
		return text, ""
	}
	return rest, code
}

// isListed reports whether a line is a row of a list: indented by two blanks, with the path of a source file.
func isListed(text, path string) bool {
	return strings.HasPrefix(text, "  ") && text[2] != ' ' && isSource(path) && strings.Contains(path, "/")
}

// isProse reports whether the words before a place form a sentence, so that only the last word is the path.
func isProse(path string) bool {
	i := strings.IndexByte(path, ' ')
	return i > 0 && !strings.ContainsAny(path[:i], `/\`) && strings.Count(path, " ") > 1
}

// ofFile reads "F: error: text", which names a file without a line.
func ofFile(text string) (f result.Finding, ok bool) {
	path, rest, ok := strings.Cut(text, ": ")
	if !ok || !place.IsFile(path) || strings.Contains(path, ":") {
		return f, false
	}
	word, message := CutSeverity(rest)
	severity := SeverityOf(word)
	if bare, rule := cutCode(rest); severity == "" && rule != "" { // "F: E001 text"
		return result.Finding{Rule: rule, Message: bare, At: &result.Location{Path: path}}, true
	}
	if class, said, is := strings.Cut(rest, " Error: "); severity == "" && is && lex.IsIdentifier(class) && said != "" { // "F: Validation Error: text"
		return result.Finding{Severity: result.SevError, Message: trimNumber(said), At: &result.Location{Path: path}}, true
	}
	if severity == "" || !strings.HasPrefix(rest[len(word):], ":") {
		return f, false
	}
	message, rule := cutAnyRule(message)
	return result.Finding{Severity: severity, RawSeverity: word, Rule: rule, Message: message, At: &result.Location{Path: path}}, true
}

// trimNumber removes the number of an error from a text: "[3] text".
func trimNumber(text string) string {
	number, rest, ok := strings.Cut(strings.TrimPrefix(text, "["), "] ")
	if ok && text[0] == '[' && lex.IsDigits(number) {
		return rest
	}
	return text
}

// isSource reports whether a path has an extension, or is one of the source files without one.
func isSource(path string) bool {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	i := strings.LastIndexByte(base, '.')
	return i > 0 && len(base)-i <= 8 && !strings.ContainsAny(base[i:], " ") || strings.HasSuffix(base, "file") && 'A' <= base[0] && base[0] <= 'Z' // "Dockerfile"
}
