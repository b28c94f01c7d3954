package result

import "strings"

// masker replaces text that changes from run to run. A match starts at the start of a
// word (or at punctuation) and ends where no word goes on; its replacement matches
// nothing. So a second pass changes nothing, and each word is looked at once.
type masker struct {
	s      string
	test   bool // s is the id of a test, where numbers tell cases apart
	thread int  // in "thread 'name' (7)": offset of the name
}

func maskMessage(s string) string { m := masker{s: s}; return m.run() }
func maskID(s string) string      { m := masker{s: s, test: true}; return m.run() }

func (m *masker) run() string {
	var b []byte // nil until something changes
	done := 0
	for i := 0; i < len(m.s); {
		if !opensMask(m.s[i]) {
			i += max(word(m.s, i), 1)
			continue
		}
		text, n := m.match(i)
		if n == 0 {
			i += max(word(m.s, i), 1)
			continue
		}
		if b == nil {
			b = make([]byte, 0, len(m.s)+len("<port>"))
		}
		b = append(append(b, m.s[done:i]...), text...)
		i += n
		done = i
	}
	if b == nil {
		return m.s
	}
	return string(append(b, m.s[done:]...))
}

// opensMask says that a match may start with c.
func opensMask(c byte) bool {
	return isLetter(c) || isDigit(c) || c == ':' || c == '[' || c == '\'' || c == '('
}

// match is the mask for the text at i, and the length of what it replaces; 0 if nothing matches.
func (m *masker) match(i int) (string, int) {
	c := m.s[i]
	if isDigit(c) || isLetter(c) {
		if text, n := m.volatile(i); n > 0 {
			return text, n
		}
	}
	if m.test {
		if has(m.s, i, "(line ") {
			if n := digits(m.s, i+6); n > 0 && has(m.s, i+6+n, ")") {
				return "(line #)", n + 7
			}
		}
		return "", 0
	}
	switch {
	case isDigit(c):
		return m.number(i)
	case isLetter(c):
		return m.phrase(i)
	case c == ':':
		if n := pair(m.s, i+1); n > 0 {
			return ":#", n + 1
		}
	case c == '[':
		return m.bracket(i)
	case c == '\'':
		return m.threadEnd(i)
	}
	return "", 0
}

// volatile matches text that changes in every run, and is masked in tests' ids too.
func (m *masker) volatile(i int) (string, int) {
	s := m.s
	if has(s, i, "0x") || has(s, i, "0X") {
		n := hexDigits(s, i+2)
		enough := n > 0 && (!m.test || n >= 8) // test_flag[0x10] is a case, 0x7f3a12c0 an address
		if enough && endsWord(s, i+2+n) {
			return "0x#", n + 2
		}
	}
	if n := timeLen(s, i); n > 0 {
		return "<time>", n
	}
	if !isHex(s[i]) {
		return "", 0
	}
	if n := uuidLen(s, i); n > 0 {
		return "<uuid>", n
	}
	if !m.test {
		if n := hexDigits(s, i); n >= 16 && endsWord(s, i+n) {
			return "<hex>", n
		}
	}
	return "", 0
}

// number matches a word that starts with a digit.
func (m *masker) number(i int) (string, int) {
	if text, n := port(m.s, i); n > 0 {
		return text, n
	}
	if n := durationLen(m.s, i); n > 0 {
		return "<dur>", n
	}
	return "", 0
}

// bracket matches "[gw3]", a worker of pytest-xdist, and "[::1]:54321".
func (m *masker) bracket(i int) (string, int) {
	if has(m.s, i, "[gw") {
		if n := digits(m.s, i+3); n > 0 && has(m.s, i+3+n, "]") {
			return "[gw#]", n + 4
		}
	}
	return port(m.s, i)
}

// threadEnd matches the number that Rust prints after the name of a thread.
func (m *masker) threadEnd(i int) (string, int) {
	if m.thread == 0 || i < m.thread {
		return "", 0
	}
	m.thread = 0
	if has(m.s, i, "' (") {
		if n := digits(m.s, i+3); n > 0 && has(m.s, i+3+n, ")") {
			return "' (#)", n + 4
		}
	}
	return "", 0
}

// phrase matches a word that says what the number after it means.
func (m *masker) phrase(i int) (string, int) {
	s := m.s
	if strings.IndexByte("lcagpt", s[i]|0x20) < 0 { // the initials of all words below
		return "", 0
	}
	n := word(s, i)
	if n > len("goroutine") {
		return "", 0
	}
	end := i + n
	switch strings.ToLower(s[i:end]) {
	case "line", "lines", "col", "cols", "column", "columns":
		if has(s, end, " ") {
			if k := position(s, end+1); k > 0 {
				return s[i:end] + " #", n + 1 + k
			}
		}
	case "at":
		if has(s, end, " ") {
			if k := pair(s, end+1); k > 0 {
				return s[i:end] + " #", n + 1 + k
			}
		}
	case "goroutine":
		return labelled(s, i, end, " ")
	case "pid":
		for _, sep := range []string{" ", "=", ": ", ":"} {
			if text, k := labelled(s, i, end, sep); k > 0 {
				return text, k
			}
		}
	case "thread":
		if has(s, end, " '") {
			m.thread = end + 2
		}
	case "localhost":
		return port(s, i)
	}
	return "", 0
}

// labelled masks the number after a label s[i:end] and sep.
func labelled(s string, i, end int, sep string) (string, int) {
	if !has(s, end, sep) {
		return "", 0
	}
	end += len(sep)
	n := digits(s, end)
	if n == 0 || !endsWord(s, end+n) {
		return "", 0
	}
	return s[i:end] + "#", end + n - i
}

// pair is the length of "12:7" at s[i], a line and a column.
func pair(s string, i int) int {
	line := digits(s, i)
	if line == 0 || !has(s, i+line, ":") {
		return 0
	}
	col := digits(s, i+line+1)
	if col == 0 || !endsWord(s, i+line+1+col) {
		return 0
	}
	return line + 1 + col
}

// position is the length of "12", "12-15" or "12:7" at s[i].
func position(s string, i int) int {
	n := digits(s, i)
	if n == 0 {
		return 0
	}
	if has(s, i+n, "-") || has(s, i+n, ":") {
		if k := digits(s, i+n+1); k > 0 && endsWord(s, i+n+1+k) {
			return n + 1 + k
		}
	}
	if !endsWord(s, i+n) {
		return 0
	}
	return n
}

// port matches an ephemeral port of this machine: 1024 and above.
func port(s string, i int) (string, int) {
	for _, host := range []string{"localhost:", "127.0.0.1:", "0.0.0.0:", "[::1]:"} {
		if !has(s, i, host) {
			continue
		}
		n := digits(s, i+len(host))
		number := s[i+len(host) : i+len(host)+n]
		if n < 4 || n > 5 || n == 4 && number < "1024" || !endsWord(s, i+len(host)+n) {
			return "", 0
		}
		return host + "<port>", len(host) + n
	}
	return "", 0
}

// uuidLen is the length of the UUID at s[i].
func uuidLen(s string, i int) int {
	start := i
	for k, n := range []int{8, 4, 4, 4, 12} {
		if k > 0 {
			if !has(s, i, "-") {
				return 0
			}
			i++
		}
		for range n {
			if i == len(s) || !isHex(s[i]) {
				return 0
			}
			i++
		}
	}
	if !endsWord(s, i) {
		return 0
	}
	return i - start
}
