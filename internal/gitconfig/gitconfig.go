// Package gitconfig reads git's configuration files without git.
//
// # What it promises
//
//   - Parse gives the settings of one file in its order, each as `git config --list`
//     prints it, or says that git has to be asked. It follows no include.
//   - It never reads a file that git refuses. It marks a value that versions of git read
//     differently.
//
// # The format
//
// A file is lines of UTF-8 that end in LF or CR LF. A section begins with [name], or
// [name "subsection"], where a backslash makes the next character literal, or by old
// custom [name.subsection]. Names have letters, digits, "-" and ".", and no case;
// subsections do. A setting is a key (a letter, then letters, digits and "-"), and
// either nothing, which means true, or "=" and a value. A value loses the blanks around
// it, ends at "#" or ";", and goes on in the next line after a backslash; between
// double quotes blanks, "#" and ";" are literal; \", \\, \n, \t and \b have their
// meaning in C.
//
// What may go in: the syntax. The caller knows what settings mean.
package gitconfig

import "bytes"

// Setting is one line of a file.
type Setting struct {
	Key   string // "core.bare", "remote.Origin.url": section and variable in lower case
	Value string // "true" if there is no "="
	// Odd says that there is a tab inside the value, outside of quotes, which git
	// before 2.45 changes to a blank.
	Odd bool
}

// Parse reads a file. ok is false if only git can read it correctly.
func Parse(text []byte) (all []Setting, ok bool) {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	if bytes.ContainsAny(text, "\r\x00") || bytes.HasPrefix(text, []byte("\ufeff")) {
		return nil, false
	}
	r := reader{rest: append(text, '\n')} // appends to a copy of the text
	for section := ""; len(r.rest) > 0; {
		switch c := r.next(); {
		case c == '\n' || isBlank(c):
		case c == '#' || c == ';':
			r.skipLine()
		case c == '[':
			if section, ok = r.section(); !ok {
				return nil, false
			}
		case isLetter(c) && section != "":
			r.back()
			s, ok := r.setting(section)
			if !ok {
				return nil, false
			}
			all = append(all, s)
		default:
			return nil, false
		}
	}
	return all, true
}

// reader is a position in a file.
type reader struct {
	rest []byte
	last []byte // rest before the newest byte
}

// next returns the next byte, or a newline at the end.
func (r *reader) next() byte {
	r.last = r.rest
	if len(r.rest) == 0 {
		return '\n'
	}
	r.rest = r.rest[1:]
	return r.last[0]
}

func (r *reader) back() { r.rest = r.last }

func (r *reader) skipLine() { r.rest = r.rest[max(bytes.IndexByte(r.rest, '\n'), 0):] }

// section reads the head of a section after its bracket.
func (r *reader) section() (name string, ok bool) {
	var b []byte
	for {
		switch c := r.next(); {
		case c == ']':
			return string(b), len(b) > 0
		case isBlank(c):
			sub, ok := r.subsection()
			return string(b) + "." + sub, ok && len(b) > 0
		case isWord(c) || c == '.':
			b = append(b, lower(c))
		default:
			return "", false
		}
	}
}

// subsection reads the quoted text after the name of a section.
func (r *reader) subsection() (name string, ok bool) {
	c := r.next()
	for isBlank(c) {
		c = r.next()
	}
	if c != '"' {
		return "", false
	}
	var b []byte
	for c = r.next(); c != '"'; c = r.next() {
		if c == '\\' {
			c = r.next()
		}
		if c == '\n' {
			return "", false
		}
		b = append(b, c)
	}
	return string(b), r.next() == ']'
}

// setting reads a key, and its value if it has one.
func (r *reader) setting(section string) (s Setting, ok bool) {
	key := append([]byte(section), '.')
	c := r.next()
	for ; isWord(c); c = r.next() {
		key = append(key, lower(c))
	}
	for isBlank(c) {
		c = r.next()
	}
	s.Key = string(key)
	switch c {
	case '\n':
		s.Value = "true"
		return s, true
	case '=':
		s.Value, s.Odd, ok = r.value()
		return s, ok
	}
	return s, false
}

// value reads the text after "=", to the end of the line.
func (r *reader) value() (value string, odd, ok bool) {
	var b []byte
	end := -1 // length of b without trailing blanks
	tab := -1 // the first one outside of quotes
	quoted := false
	for {
		c := r.next()
		switch {
		case c == '\n':
			if end >= 0 {
				b = b[:end]
			}
			return string(b), tab >= 0 && tab < len(b), !quoted
		case isBlank(c) && !quoted:
			if end < 0 {
				end = len(b)
			}
			if len(b) > 0 {
				if c == '\t' && tab < 0 {
					tab = len(b)
				}
				b = append(b, c)
			}
			continue
		case (c == '#' || c == ';') && !quoted:
			r.skipLine()
			continue
		case c == '"':
			quoted = !quoted
		case c == '\\':
			if c, ok = escaped(r.next()); !ok {
				return "", false, false
			}
			if c != 0 {
				b = append(b, c)
			}
		default:
			b = append(b, c)
		}
		end = -1
	}
}

// escaped is the meaning of a byte after a backslash, 0 for nothing (a continued line).
func escaped(c byte) (of byte, ok bool) {
	switch c {
	case '\n':
		return 0, true
	case '"', '\\':
		return c, true
	case 'n':
		return '\n', true
	case 't':
		return '\t', true
	case 'b':
		return '\b', true
	}
	return 0, false
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isLetter(c byte) bool { return 'a' <= lower(c) && lower(c) <= 'z' }

func isWord(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' || c == '-' }

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
