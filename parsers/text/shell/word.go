package shell

import (
	"strings"

	"cairn/parsers/text/lex"
)

// shellWord reads one word with its quotes taken off. What the shell would
// expand stays as it is written.
func shellWord(line string) (w word, rest string, ok bool) {
	var b strings.Builder
	i := 0
	for ; i < len(line) && strings.IndexByte(" \t|&;<>()\n", line[i]) < 0; i++ {
		switch c := line[i]; c {
		case '\'':
			n := strings.IndexByte(line[i+1:], c)
			if n < 0 {
				return w, "", false
			}
			b.WriteString(line[i+1 : i+1+n])
			i += n + 1
		case '"':
			n, expands := quoted(&b, line[i+1:])
			if n < 0 {
				return w, "", false
			}
			w.expands = w.expands || expands
			i += n
		case '\\':
			if i+1 == len(line) {
				return w, "", false
			}
			if i++; line[i] != '\n' { // a line that goes on
				b.WriteByte(line[i])
			}
		case '$', '`':
			n := expansionLen(line[i:])
			if n < 0 {
				return w, "", false
			}
			b.WriteString(line[i : i+n])
			w.expands = true
			i += n - 1
		default:
			b.WriteByte(c)
		}
	}
	w.Text = b.String()
	return w, line[i:], true
}

// quoted reads what stands between double quotes, and gives the length up to
// the closing one, itself included; -1 without one.
func quoted(b *strings.Builder, s string) (n int, expands bool) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return i + 1, expands
		case c == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0:
			if i++; s[i] != '\n' {
				b.WriteByte(s[i])
			}
		case c == '$' && i+1 < len(s) && s[i+1] != '\'' || c == '`':
			k := expansionLen(s[i:])
			if k < 0 {
				return -1, false
			}
			b.WriteString(s[i : i+k])
			expands = true
			i += k - 1
		default:
			b.WriteByte(c)
		}
	}
	return -1, false
}

// expansionLen is the length of "$name", "${…}", "$(…)", "$'…'" or "`…`"; -1 where
// it has no end.
func expansionLen(s string) int {
	switch {
	case s[0] == '`':
		return closed(strings.IndexByte(s[1:], '`'), 2)
	case strings.HasPrefix(s, "$'"):
		return closed(strings.IndexByte(s[2:], '\''), 3)
	case strings.HasPrefix(s, "$("), strings.HasPrefix(s, "${"):
		return closed(bracketEnd(s[1:]), 2)
	case len(s) > 1 && strings.IndexByte("?@*#!$-", s[1]) >= 0:
		return 2
	}
	n := 1
	for n < len(s) && (lex.Letter(s[n]) != 0 || s[n] == '_' || s[n] >= '0' && s[n] <= '9') {
		n++
	}
	return n
}

// closed adds to the index of an end the length of the marks around it; -1, where no
// end was found, stays -1.
func closed(end, around int) int {
	if end < 0 {
		return -1
	}
	return end + around
}

// bracketEnd is where the bracket is closed that s begins with; -1: nowhere.
func bracketEnd(s string) int {
	open, end, depth := s[0], byte(')'), 0
	if open == '{' {
		end = '}'
	}
	for i := 0; i < len(s); i++ {
		n := 0
		switch c := s[i]; c {
		case '\\':
			n = 1
		case '\'':
			n = closed(strings.IndexByte(s[i+1:], c), 1)
		case '"':
			n, _ = quoted(new(strings.Builder), s[i+1:])
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i
			}
		}
		if n < 0 {
			return -1
		}
		i += n
	}
	return -1
}
