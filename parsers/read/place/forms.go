package place

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// Cut reads the place at the beginning of a line, and returns what follows it, without the mark between them. It
// reads these forms:
//
//	src/a.c:3:7: rest        src/a.c:3: rest        src/a.c:3:7 - rest
//	src/a.c(3,7): rest       src/a.c(3): rest       src/a.c (3): rest
//	src/a.c:3:7-9: rest
//	src/a.c:3.7: rest        src/a.c:3.7-9: rest    src/a.c:3.7-4.2: rest    "src/a.c":3.7-3.9: rest
//	src/a.c: line 3, col 7, rest                    src/a.c: line 3: rest
//	src/a.ts[3, 7]: rest                            nb.ipynb:cell_2:3:7: rest
//	src/A.java:[3,7] rest                           src/a.kt: (3, 7): rest
//	"src/a.c", line 3: rest  src/a.c, line 3, col 7: rest
//
// A path may hold blanks and a drive letter, and is "-" for the standard input. Without a line number behind the
// path, ok is false. Columns count as the tool counts. A path holds no tab: parallel --tag puts a name and a tab
// before each line. The word "file" before an absolute path is left out.
func Cut(line string) (at result.Location, rest string, ok bool) {
	if line == "" || line[0] == ' ' || line[0] == '\t' || line[0] == ':' || strings.HasPrefix(line, "[ ") {
		return at, "", false
	}
	if at, rest, ok = cutPlain(line); !ok {
		at, rest, ok = cutAny(line)
	}
	at.Path = at.Path[strings.LastIndexByte(at.Path, '\t')+1:]
	if strings.HasPrefix(at.Path, "file /") {
		at.Path = at.Path[len("file "):]
	}
	return at, rest, ok
}

// cutAny is Cut for all forms.
func cutAny(line string) (at result.Location, rest string, ok bool) {
	head := line[:min(len(line), MaxPlace)]
	for i := 0; i < len(head); i++ {
		c := head[i]
		if kinds[c]&begins == 0 || i+1 == len(line) || kinds[line[i+1]]&follows == 0 {
			continue
		}
		if line[i+1] == ' ' && !strings.HasPrefix(line[i+2:], "line ") && !strings.HasPrefix(line[i:], ": (") {
			continue
		}
		switch c {
		case ':':
			if at, rest, ok = cutColon(line, i); ok {
				return at, rest, true
			}
		case '(':
			if at, rest, ok = cutParens(line, i); ok {
				return at, rest, true
			}
		case '[':
			if at, rest, ok = cutBrackets(line, i); ok {
				return at, rest, true
			}
		case ',':
			if at, rest, ok = cutWords(line, i, ", line "); ok {
				return at, rest, true
			}
		}
	}
	return result.Location{}, "", false
}

// cutColon reads "3:7: rest", "3: rest" or " line 3, col 7, rest" behind the colon at line[i].
func cutColon(line string, i int) (at result.Location, rest string, ok bool) {
	if strings.HasPrefix(line[i:], ": line ") {
		return cutWords(line, i, ": line ")
	}
	if pair := strings.TrimPrefix(line[i+1:], " "); pair != "" && (pair[0] == '[' || pair[0] == '(') {
		return cutPair(line[:i], pair)
	}
	at.Line, rest = number(line[i+1:])
	at.Path, at.Label = line[:i], ""
	if i > 2 && line[0] == '"' && line[i-1] == '"' { // GNU: "path":3.7: rest
		at.Path = line[1 : i-1]
	}
	if at.Line > 0 && line[i-1] >= '0' && line[i-1] <= '9' {
		at.Path, at.Label = lex.CutCell(at.Path)
	}
	if at.Line == 0 || !isPath(at.Path) {
		return at, "", false
	}
	if strings.HasPrefix(rest, ":") {
		if column, after := number(rest[1:]); after != rest[1:] {
			at.Column, rest = column, after
		}
	} else if strings.HasPrefix(rest, ".") { // GNU: path:3.7: rest
		if column, after := number(rest[1:]); column > 0 && (strings.HasPrefix(after, ":") || strings.HasPrefix(after, "-")) {
			at.Column, rest = column, after
		}
	}
	if end, after := number(strings.TrimPrefix(rest, "-")); strings.HasPrefix(rest, "-") && end > 0 {
		at.EndColumn, rest = end, after
		column, behind := number(strings.TrimPrefix(rest, "."))
		switch {
		case strings.HasPrefix(rest, ".") && column > 0: // GNU: path:3.7-4.2: rest
			at.EndLine, at.EndColumn, rest = end, column, behind
		case at.Column == 0:
			at.EndLine, at.EndColumn = end, 0
		}
	}
	rest, ok = afterPlace(rest)
	return at, rest, ok
}

// cutPair reads "[3,7] rest", Maven's form, and "(3, 7): rest", an older form of Kotlin.
func cutPair(path, pair string) (at result.Location, rest string, ok bool) {
	at.Path = path
	at.Line, rest = number(pair[1:])
	if !strings.HasPrefix(rest, ",") || !isPath(path) || !IsFile(path) {
		return at, "", false
	}
	at.Column, rest = number(strings.TrimPrefix(rest[1:], " "))
	ends := "] "
	if pair[0] == '(' {
		ends = "): "
	}
	rest, ok = strings.CutPrefix(rest, ends)
	return at, rest, ok && at.Line > 0
}

// cutParens reads "3,7): rest" or "3): rest" behind the bracket at line[i]. With a blank before the bracket, the
// text before it must look like a file, and a colon must follow: sentences hold numbers in brackets too.
func cutParens(line string, i int) (at result.Location, rest string, ok bool) {
	at.Line, rest = number(line[i+1:])
	path, apart := strings.CutSuffix(line[:i], " ")
	if at.Line == 0 || !isPath(path) || apart && !IsFile(path) {
		return at, "", false
	}
	at.Path = path
	if strings.HasPrefix(rest, ",") {
		at.Column, rest = number(strings.TrimPrefix(rest[1:], " "))
	}
	rest, ok = strings.CutPrefix(rest, ")")
	if !ok || rest != "" && rest[0] != ':' && rest[0] != ' ' || apart && !strings.HasPrefix(rest, ":") {
		return at, "", false
	}
	rest, ok = afterPlace(rest)
	return at, rest, ok
}

// cutBrackets reads "3, 7]: rest" behind the bracket at line[i]. Without a column, the text is an element of a
// list.
func cutBrackets(line string, i int) (at result.Location, rest string, ok bool) {
	at.Line, rest = number(line[i+1:])
	if at.Line == 0 || !strings.HasPrefix(rest, ", ") || !isPath(line[:i]) || !strings.Contains(line[:i], ".") {
		return at, "", false
	}
	if at.Column, rest = number(rest[2:]); at.Column == 0 || !strings.HasPrefix(rest, "]: ") {
		return at, "", false
	}
	at.Path = line[:i]
	return at, rest[len("]: "):], true
}

// isLanguage reports whether a word before ": line 7: …" is the name of a library or a shell ("yaml", "bash") or a
// severity ("error"), and so no file.
func isLanguage(word string) bool {
	return lex.IsOneOf(word, "yaml json toml xml ini sh bash dash zsh ksh ash error Error ERROR warning Warning fatal")
}

// cutWords reads "3, col 7, rest" behind the word for "line" at line[i].
func cutWords(line string, i int, word string) (at result.Location, rest string, ok bool) {
	rest, found := strings.CutPrefix(line[i:], word)
	if !found {
		return at, "", false
	}
	at.Path = strings.Trim(line[:i], `"'`)
	if at.Line, rest = number(rest); at.Line == 0 || !isPath(at.Path) || isLanguage(at.Path) {
		return at, "", false
	}
	for _, col := range [...]string{", col ", ", column ", " column ", " col ", ":"} {
		if after, has := strings.CutPrefix(rest, col); has {
			if column, behind := number(after); column > 0 {
				at.Column, rest = column, behind
				break
			}
		}
	}
	rest = strings.TrimLeft(rest, ",:")
	return at, strings.TrimPrefix(rest, " "), true
}

// afterPlace removes the mark between a place and the rest. ok is false if digits or letters follow directly: they
// belong to something else.
func afterPlace(s string) (rest string, ok bool) {
	switch {
	case s == "":
		return "", true
	case s[0] == ':':
		return strings.TrimLeft(s[1:], " "), true
	case strings.HasPrefix(s, " - "):
		return s[3:], true
	case s[0] == ' ':
		return strings.TrimLeft(s, " "), true
	}
	return "", false
}

// isPath reports whether the text before a position can be the path of a file, unlike prose, code and times of day.
func isPath(s string) bool {
	if s == "" || s[0] == '#' || strings.ContainsAny(s, "\"'`{}<>|=;*?") || strings.HasSuffix(s, " ") {
		return false
	}
	if lex.IsDigits(s) || strings.Contains(s, "://") || strings.HasPrefix(s, "\xe2\x94") || strings.HasPrefix(s, "\xe2\x95") { // drawn with lines
		return false
	}
	if i := strings.IndexByte(s, ':'); i >= 0 && i != 1 { // a drive letter
		return false
	}
	if s == "-" {
		return true
	}
	last := s[strings.LastIndexAny(s, `/\`)+1:]
	if strings.Contains(last[strings.LastIndexByte(last, '.')+1:], " ") || strings.Trim(s, "0123456789-T_") == "" {
		return false
	}
	return strings.ContainsAny(s, `./\`) || !strings.ContainsAny(s, " ,()[]")
}

// number reads a number of up to nine digits at the start of s.
func number(s string) (n int, rest string) {
	i := 0
	for i < len(s) && i < 9 && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 || i < len(s) && s[i] >= '0' && s[i] <= '9' {
		return 0, s
	}
	return lex.Atoi(s[:i]), s[i:]
}
