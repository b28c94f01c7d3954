package filter

import (
	"encoding/json"
	"errors"
	"path"
	"regexp"
	"strings"
)

// List is one or more values, separated by commas; a comma that is part of a value is
// written "\,". In JSON it may be an array, too.
type List string

// Lines is one or more values, each a line: a command line may contain commas. In JSON it
// may be an array, too.
type Lines string

func (l List) and(value string) List {
	if l == "" {
		return List(value)
	}
	return l + "," + List(value)
}

func (l Lines) and(value string) Lines {
	if l == "" {
		return Lines(value)
	}
	return l + "\n" + Lines(value)
}

// One is a list of a single value, commas and all.
func One(value string) List { return List(strings.ReplaceAll(value, ",", `\,`)) }

func (l List) split() (all []string) {
	if l == "" {
		return nil
	}
	from := 0
	for i := 0; i < len(l); i++ {
		switch l[i] {
		case '\\':
			i++
		case ',':
			all, from = append(all, string(l[from:i])), i+1
		}
	}
	all = append(all, string(l[from:]))
	for i, v := range all {
		all[i] = strings.ReplaceAll(v, `\,`, ",")
	}
	return all
}

// Without is the list without a value, and whether the list had that value.
func (l List) Without(value string) (rest List, had bool) {
	for _, v := range l.split() {
		if v == value {
			had = true
		} else {
			rest = rest.and(string(One(v)))
		}
	}
	return rest, had
}

func (l Lines) split() []string {
	if l == "" {
		return nil
	}
	return strings.Split(string(l), "\n")
}

func (l *List) UnmarshalJSON(data []byte) error {
	values, err := fromJSON(data)
	for i, v := range values {
		if len(values) > 1 || data[0] == '[' {
			v = string(One(v))
		}
		if i == 0 {
			*l = List(v)
		} else {
			*l = l.and(v)
		}
	}
	return err
}

func (l *Lines) UnmarshalJSON(data []byte) error {
	values, err := fromJSON(data)
	*l = Lines(strings.Join(values, "\n"))
	return err
}

// fromJSON reads a JSON string, or an array of strings.
func fromJSON(data []byte) (values []string, err error) {
	if len(data) > 0 && data[0] == '[' {
		err = json.Unmarshal(data, &values)
		return values, err
	}
	values = []string{""}
	return values, json.Unmarshal(data, &values[0])
}

// Pattern is one value of a list: a plain text, or a pattern if it has *, ? or [. As in
// git's pathspecs, * stands for any bytes including "/", and a backslash makes the next
// character literal.
type Pattern struct {
	text string // with backslashes removed
	glob bool
	from string // as the user wrote it
}

// Patterns select what at least one of them selects. An empty Patterns selects everything.
type Patterns []Pattern

// patterns reads the values of a filter.
func patterns(name string, values []string) (all Patterns, err error) {
	for _, v := range values {
		p := Pattern{from: v, glob: strings.ContainsAny(v, "*?[")}
		if name == "command" && p.glob && !strings.ContainsAny(v, "*") {
			p.glob = false // "[" and "?" are common in command lines
		}
		switch {
		case strings.TrimSpace(v) == "":
			return nil, &Error{name, v, "one of its values is empty: separate values by single commas"}
		case p.glob && !closed(v):
			return nil, &Error{name, v, `a "[" has no "]"; for the character itself write "\["`}
		case p.glob:
		case name == "command":
			p.text = v
		default:
			p.text = unescape(v)
		}
		all = append(all, p)
	}
	return all, nil
}

// Paths reads patterns for Patterns.Path.
func Paths(values []string) (Patterns, error) {
	all, err := patterns("path", values)
	if err != nil {
		return nil, errors.New(err.Error()) // without the *Error: paths are not a filter of a question
	}
	return all, nil
}

func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Is says whether one of the patterns selects the text.
func (p Patterns) Is(text string) bool { return p.any(func(p Pattern) bool { return p.is(text) }) }

// Words says whether one of the patterns selects the text or its first words.
func (p Patterns) Words(text string) bool {
	return p.any(func(p Pattern) bool {
		return p.is(text) || !p.glob && len(text) > len(p.text) && text[len(p.text)] == ' ' && strings.HasPrefix(text, p.text)
	})
}

// Begins says whether a text begins with one of the plain patterns, or matches one of the others.
func (p Patterns) Begins(text string) bool {
	return p.any(func(p Pattern) bool { return p.is(text) || !p.glob && strings.HasPrefix(text, p.text) })
}

// Family says whether one of the patterns selects a tool by its name or its family: the
// name begins with the family's name and a hyphen.
func (p Patterns) Family(tool string) bool {
	return p.any(func(p Pattern) bool { return p.is(tool) || !p.glob && strings.HasPrefix(tool, p.text+"-") })
}

// Path says whether one of the patterns selects a path: the whole path, its last
// elements, or a directory that it lies in.
func (p Patterns) Path(name string) bool {
	return name != "" && p.any(func(p Pattern) bool { return p.path(name) })
}

func (p Patterns) any(is func(Pattern) bool) bool {
	for _, one := range p {
		if is(one) {
			return true
		}
	}
	return len(p) == 0
}

func (p Pattern) is(text string) bool {
	if p.glob {
		return Match(p.from, text)
	}
	return p.text == text
}

func (p Pattern) path(name string) bool {
	if p.glob {
		return Match(p.from, name) || Match("*/"+p.from, name) || Match(p.from+"/*", name)
	}
	if p.text == "." {
		return true
	}
	dir := strings.TrimSuffix(p.text, "/") + "/"
	return name == p.text || strings.HasSuffix(name, "/"+p.text) || strings.HasPrefix(name, dir) || strings.Contains(name, "/"+dir)
}

// Rebased changes each pattern for paths by the function to.
func (p Patterns) Rebased(to func(name string) string) Patterns {
	all := make(Patterns, len(p))
	for i, one := range p {
		dir := strings.HasSuffix(one.from, "/")
		if one.glob {
			one.from = to(one.from)
		} else if one.text = to(one.text); dir && one.text != "." {
			one.text += "/" // the pattern selects a directory only
		}
		all[i] = one
	}
	return all
}

// Plain are the texts of the patterns; nil if one of them has *, ? or [.
func (p Patterns) Plain() (texts []string) {
	for _, one := range p {
		if one.glob {
			return nil
		}
		texts = append(texts, one.text)
	}
	return texts
}

// closed says whether the pattern is well formed, as "[a" is not.
func closed(pattern string) bool {
	_, err := path.Match(pattern, "")
	return err == nil
}

// Match says whether a pattern matches a whole text. "*" stands for any bytes, "?" for one character, "[a-z]" for one
// character of a set.
func Match(pattern, text string) bool {
	// star is where the last "*" was, and taken how much of the text it stands for: if
	// what follows it does not match, "*" takes one more byte.
	star, taken := -1, 0
	p, t := 0, 0
	for t < len(text) {
		if p < len(pattern) && pattern[p] == '*' {
			star, taken, p = p, t, p+1
			continue
		}
		if n, size := one(pattern[p:], text[t:]); n > 0 {
			p, t = p+n, t+size
			continue
		}
		if star < 0 {
			return false
		}
		taken++
		p, t = star+1, taken
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// one matches the first character of text with the beginning of pattern, and returns
// how many bytes of each it used; 0 if they do not match.
func one(pattern, text string) (n, size int) {
	if pattern == "" {
		return 0, 0
	}
	_, size = firstRune(text)
	switch pattern[0] {
	case '?':
		return 1, size
	case '[':
		n = classEnd(pattern)
		// "/" is an ordinary character here, but path.Match never lets a class match it.
		if ok, _ := path.Match(strings.ReplaceAll(pattern[:n], "/", "\x00"), strings.ReplaceAll(text[:size], "/", "\x00")); ok {
			return n, size
		}
		return 0, 0
	case '\\':
		if len(pattern) > 1 && pattern[1] == text[0] {
			return 2, 1
		}
		return 0, 0
	}
	if pattern[0] == text[0] {
		return 1, 1
	}
	return 0, 0
}

func firstRune(text string) (r rune, size int) {
	for i, c := range text {
		if i > 0 {
			return r, i
		}
		r = c
	}
	return r, len(text)
}

// classEnd is the offset behind a "[…]" class.
func classEnd(pattern string) int {
	for i := 1; i < len(pattern); i++ {
		switch {
		case pattern[i] == '\\':
			i++
		case pattern[i] == ']' && i > 1 && !(i == 2 && pattern[1] == '^'):
			return i + 1
		}
	}
	return len(pattern)
}

// Text is the text that the pattern selects; plain is false if it has *, ? or [.
func (p Pattern) Text() (text string, plain bool) { return p.text, !p.glob }

// Regexp is a regular expression for the texts that the pattern selects, in the syntax that POSIX, PostgreSQL and Go
// share.
func (p Pattern) Regexp() string {
	if !p.glob {
		return "^(" + regexp.QuoteMeta(p.text) + ")$"
	}
	var b strings.Builder
	for i := 0; i < len(p.from); i++ {
		switch c := p.from[i]; c {
		case '*':
			b.WriteString(".*")
		case '?':
			b.WriteByte('.')
		case '[':
			n := classEnd(p.from[i:])
			b.WriteString(p.from[i : i+n])
			i += n - 1
		case '\\':
			if i++; i == len(p.from) {
				break
			}
			fallthrough
		default:
			b.WriteString(regexp.QuoteMeta(p.from[i : i+1]))
		}
	}
	return "^(" + b.String() + ")$"
}
