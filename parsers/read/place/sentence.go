package place

import (
	"iter"
	"strings"
	"unicode/utf8"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// InSentence finds the place that a sentence names, wherever it stands:
//
//	config : [haproxy.cfg:12] : invalid port       …: at conf/a.ini:3:7: no such key
//	possible bashism in b.sh line 2 (echo -e):     Bungled /etc/squid.conf line 2: acl x
//	unresolved name in a.py: line 1, column 16     invalid syntax ("a.py", line 3)
//	Invalid directive at line 2 in file a.conf     bad option at line 2 of dns.conf
//	At: ('/tmp/def.vcl' Line 5 Pos 9)              line 5 of "e.y", a token appears …
//
// It is for lines that are known to report a failure. A host with its port, a time or a version is no place. A line
// number in words is preferred to one behind a colon; if there are two different places of the same kind, the
// result is nil.
func InSentence(text string) *result.Location {
	text = text[:min(len(text), MaxPlace)]
	if mayNameLine(text) {
		if at, many := theOnly(linesNamed(strings.Fields(text))); at != nil || many {
			return at
		}
	}
	at, _ := theOnly(filesWithLine(text))
	return at
}

// mayNameLine reports whether a text may contain the word "line". A text with letters beyond ASCII always may.
func mayNameLine(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c|0x20 == 'e' && i >= 3 && strings.EqualFold(text[i-3:i+1], "line") {
			return true
		}
	}
	return false
}

// linesNamed yields the places whose line is given in words.
func linesNamed(words []string) iter.Seq[result.Location] {
	return func(yield func(result.Location) bool) {
		for i := range words {
			if at, ok := lineAmong(words, i); ok && !yield(at) {
				return
			}
		}
	}
}

// filesWithLine yields the places that are a single word.
func filesWithLine(text string) iter.Seq[result.Location] {
	return func(yield func(result.Location) bool) {
		for word := range strings.FieldsSeq(text) {
			if !hasPosition(word) {
				continue
			}
			if at, ok := fileAndLine(word); ok && !yield(at) {
				return
			}
		}
	}
}

// hasPosition reports whether a word has a digit where a position may begin.
func hasPosition(word string) bool {
	for i := 1; i < len(word); i++ {
		if kinds[word[i]]&follows != 0 && kinds[word[i-1]]&begins != 0 {
			return true
		}
	}
	return false
}

// theOnly is the one place in all; nil without any, or with several that differ (many).
func theOnly(all iter.Seq[result.Location]) (only *result.Location, many bool) {
	for at := range all {
		if only != nil && *only != at {
			return nil, true
		}
		only = &at
	}
	return only, false
}

// lineAmong reads "line 3" at words[i], and the file before or behind it.
func lineAmong(words []string, i int) (at result.Location, ok bool) {
	word := strings.ToLower(strings.TrimSuffix(strings.TrimLeft(words[i], "(["), ":"))
	if word != "line" && !strings.HasSuffix(word, "---line") || i+1 >= len(words) {
		return at, false
	}
	line, rest := number(words[i+1])
	if at.Line = line; line == 0 || strings.Trim(rest, "0123456789,.;:)]'") != "" {
		return at, false
	}
	if column, colon := strings.CutPrefix(rest, ":"); colon {
		at.Column, _ = number(column)
	} else if i+3 < len(words) && isPosition(words[i+2]) {
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

// fileBehind is the file F in "of F" or "in file F".
func fileBehind(words []string) string {
	if len(words) > 1 && lex.IsOneOf(words[0], "of in") {
		if words = words[1:]; len(words) > 1 && words[0] == "file" {
			words = words[1:]
		}
		return unquoted(words[0])
	}
	return ""
}

// fileBefore is the file F at the end of "F", "F, on" or "F at".
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

// fileAndLine reads a word such as "[haproxy.cfg:12]" or "a.ini:3:7:". A place with a closing bracket alone is one
// in the program's own source, printed by its logger.
func fileAndLine(word string) (at result.Location, ok bool) {
	if strings.HasSuffix(word, "]") && !strings.HasPrefix(word, "[") {
		return at, false
	}
	word = unquoted(word)
	if strings.Contains(word, "(") {
		word += ")" // of "a.c(3,7)"
	}
	at, _, ok = Cut(word + ":")
	return at, ok && IsFile(at.Path) && !IsHost(at)
}

func unquoted(word string) string { return strings.Trim(word, "\"'`‘’“”<>()[],;:") }

// IsFile reports whether a word looks like the path of a file: it has folders, or an extension that files have and
// hosts do not.
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
	return ending != "" && len(ending) <= 12 && !lex.IsDigits(ending) && !isHostName(word)
}

// IsHost reports whether what was read as a file and a line is a host and its port, as in "db.example.com:5432".
func IsHost(at result.Location) bool { return at.Column == 0 && isHostName(at.Path) }

// endsWithHost reports whether a sentence ends with a host, "no answer of 10.0.0.1", or as Java prints its name and
// address, "Connection refused: localhost/127.0.0.1".
func endsWithHost(text string) bool {
	_, word, ok := lex.CutLast(text, " ")
	name, _, _ := strings.Cut(word, "/")
	return ok && !lex.IsDigits(name) && isHostName(name)
}

// domains are endings of host names that hardly any file has.
const domains = "com org net io dev edu gov app ai co local localhost localdomain internal invalid example test lan home corp intra svc cluster arpa cloud"

// countries are endings of host names that some files have too; with such an ending, only a name of four parts
// counts as a host.
const countries = "at au be br ca ch cn de dk es eu fi fr ie il in it jp kr mx nl no nz pt ru se tw ua uk us za"

// isHostName reports whether a word is the name or the address of a machine.
func isHostName(word string) bool {
	if strings.ContainsAny(word, `/\`) {
		return false
	}
	ending := strings.ToLower(word[strings.LastIndexByte(word, '.')+1:])
	switch parts := strings.Count(word, ".") + 1; {
	case parts == 1:
		return word == "localhost" || lex.IsDigits(word)
	case strings.Trim(word, "0123456789.") == "", lex.IsOneOf(ending, domains):
		return true
	default:
		return parts > 3 && lex.IsOneOf(ending, countries)
	}
}
