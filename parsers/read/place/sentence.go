package place

import (
	"strings"

	"cairn/parsers/read/lex"
	"cairn/result"
)

// InSentence finds the place that a sentence names, wherever it stands in it:
//
//	config : [haproxy.cfg:12] : invalid port       …: at conf/a.ini:3:7: no such key
//	possible bashism in b.sh line 2 (echo -e):     Bungled /etc/squid.conf line 2: acl x
//	Invalid directive at line 2 in file a.conf     bad option at line 2 of dns.conf
//	At: ('/tmp/def.vcl' Line 5 Pos 9)              line 5 of "e.y", a token appears …
//
// It is for lines that are known to tell of a failure. A host with its port, a
// time, a version is no place.
func InSentence(text string) (at result.Location, ok bool) {
	words := strings.Fields(text[:min(len(text), MaxPlace)])
	for i := range words {
		if at, ok = lineAmong(words, i); ok {
			return at, true
		}
	}
	for _, word := range words {
		if at, ok = fileAndLine(word); ok {
			return at, true
		}
	}
	return at, false
}

// lineAmong reads "line 3" at words[i], and the file before or behind it.
func lineAmong(words []string, i int) (at result.Location, ok bool) {
	word := strings.ToLower(strings.TrimSuffix(strings.TrimLeft(words[i], "(["), ":"))
	if word != "line" && !strings.HasSuffix(word, "---line") || i+1 >= len(words) {
		return at, false
	}
	if at.Line, _ = number(words[i+1]); at.Line == 0 || strings.Trim(words[i+1], "0123456789,.;:)]'") != "" {
		return at, false
	}
	if i+3 < len(words) && isPosition(words[i+2]) {
		at.Column, _ = number(words[i+3])
	}
	for _, path := range []string{fileBehind(words[i+2:]), fileBefore(words[:i])} {
		if IsFile(path) {
			at.Path = path
			return at, true
		}
	}
	return at, false
}

func isPosition(word string) bool {
	return lex.IsOneOf(strings.ToLower(strings.Trim(word, ",:")), "col column pos position char character")
}

// fileBehind is the file in "of F", "in file F".
func fileBehind(words []string) string {
	if len(words) > 1 && lex.IsOneOf(words[0], "of in") {
		if words = words[1:]; len(words) > 1 && words[0] == "file" {
			words = words[1:]
		}
		return unquoted(words[0])
	}
	return ""
}

// fileBefore is the file in "F", "F, on", "F at".
func fileBefore(words []string) string {
	n := len(words)
	for n > 0 && lex.IsOneOf(words[n-1], "on or before at in near -") {
		n--
	}
	if n == 0 {
		return ""
	}
	return unquoted(words[n-1])
}

// fileAndLine reads a word such as "[haproxy.cfg:12]" or "a.ini:3:7:". What stands
// before a closing bracket alone is the place of a logger in its own program.
func fileAndLine(word string) (at result.Location, ok bool) {
	if strings.HasSuffix(word, "]") && !strings.HasPrefix(word, "[") {
		return at, false
	}
	path, rest, _ := strings.Cut(unquoted(word), ":")
	line, rest, _ := strings.Cut(rest, ":")
	if !IsFile(path) || !lex.IsDigits(line) || len(line) > 7 {
		return at, false
	}
	at.Path, at.Line = path, lex.Atoi(line)
	at.Column, _ = number(rest)
	return at, at.Line > 0
}

func unquoted(word string) string { return strings.Trim(word, "\"'`‘’“”<>()[],;:") }

// IsFile: a word is the path of a file by its form: it has folders, or an ending as
// files have and hosts have not.
func IsFile(word string) bool {
	if strings.Contains(word, "://") || strings.ContainsAny(word, "*?=|<>\"' ") {
		return false
	}
	i := strings.LastIndexAny(word, `/\`)
	base := word[i+1:]
	dot := strings.LastIndexByte(base, '.')
	if dot <= 0 {
		return i >= 0 && base != "" && (i > 0 || strings.HasPrefix(word, "/"))
	}
	ending := base[dot+1:]
	return ending != "" && len(ending) <= 12 && !lex.IsDigits(ending) && (i >= 0 || !isHostName(word))
}

// isHostName: a word is the name or the address of a machine by its ending.
func isHostName(word string) bool {
	if strings.ContainsAny(word, `/\`) {
		return false
	}
	ending := word[strings.LastIndexByte(word, '.')+1:]
	return word == "localhost" || lex.IsDigits(ending) && strings.Contains(word, ".") ||
		ending != word && lex.IsOneOf(strings.ToLower(ending), "com org net io dev edu gov app ai co local localhost internal invalid example lan home corp intra svc cluster arpa cloud")
}
