package redact

import "strings"

const privateKey = "private-key"

const (
	maxKeyBody  = 32 << 10 // bytes; an RSA key of 16384 bits has 13 KB
	maxKeyLabel = 100
	minKeyLine  = 16
)

// detectPEM finds the body of a private key between its BEGIN and END lines, or what is left of it if one of the
// two was cut off. The two lines stay.
func detectPEM(sc *scan, at, end int) {
	label := sc.s[end:min(len(sc.s), end+maxKeyLabel)]
	close := strings.Index(label, "-----")
	if close < 0 || strings.ContainsAny(label[:close], "\r\n") || !containsFold(label[:close], "private key") && !containsFold(label[:close], "static key") {
		return
	}
	if lower(sc.s[at+len("-----")]) == 'b' {
		sc.keyAfter(end + close + len("-----"))
	} else {
		sc.keyBefore(at)
	}
}

// keyAfter redacts the body that begins at s[i].
func (sc *scan) keyAfter(i int) {
	body := sc.s[i:min(len(sc.s), i+maxKeyBody)]
	if next := strings.Index(body, "-----BEGIN"); next >= 0 {
		body = body[:next]
	}
	stop := strings.Index(body, "-----END")
	if stop < 0 {
		stop = keyLines(body)
	}
	start, stop := trimKey(body, stop)
	if keyBytes(body[start:stop]) >= minKeyLine {
		sc.add(privateKey, specific, i+start, i+stop)
	}
}

// keyLines returns how many bytes of the body look like lines of a key.
func keyLines(body string) int {
	last := 0
	for i := 0; i < len(body); {
		line, next := cutLine(body, i)
		switch {
		case isKeyLine(line) || isKeyHeader(line):
			last = next
		case strings.Trim(line, " \t\r|>+\"'") != "":
			if n := keyWord(line, last == 0); n > 0 {
				return i + n
			}
			return last
		}
		i = next
	}
	return last
}

// keyWord returns where the key's last piece ends if other text follows it on its line, or 0. If no line of the key
// came before, the piece must be long, since it could be a path.
func keyWord(line string, first bool) int {
	least := minKeyLine
	if first {
		least = 3 * minKeyLine
	}
	for i := 0; i < len(line) && i <= maxKeyPrefix; i++ {
		n := i
		for n < len(line) && (isBase64Digit(line[n]) || line[n] == '=') {
			n++
		}
		if n-i >= least && isKeyLine(line[i:n]) {
			return n
		}
		i = n
	}
	return 0
}

// keyBefore redacts the lines of a key whose BEGIN line is missing; they end at s[i].
func (sc *scan) keyBefore(i int) {
	from := max(0, i-maxKeyBody)
	if strings.Contains(sc.s[from:i], "-----") {
		from += strings.LastIndex(sc.s[from:i], "-----") + len("-----")
	}
	body := sc.s[from:i]
	start, short := len(body), true // the last line may be short
	for start > 0 {
		j := lineStart(body, start)
		line, _ := cutLine(body, j)
		text := keyText(line)
		if text != "" && !isKeyLine(line) && !(short && isBase64(text)) {
			break
		}
		short = short && text == ""
		start = j
	}
	first, stop := trimKey(body[start:], len(body)-start)
	if keyBytes(body[start+first:start+stop]) >= minKeyLine {
		sc.add(privateKey, specific, from+start+first, from+start+stop)
	}
}

// cutLine returns the line at s[i] and where the next begins. A line ends at a line feed, real or written as \n.
func cutLine(s string, i int) (line string, next int) {
	for j := i; j < len(s); j++ {
		if s[j] == '\n' {
			return s[i:j], j + 1
		}
		if s[j] == '\\' && j+1 < len(s) && (s[j+1] == 'n' || s[j+1] == 'r') {
			return s[i:j], j + 2
		}
	}
	return s[i:], len(s)
}

// lineStart returns where the line that ends at s[end] begins; a line feed at its own end is skipped.
func lineStart(s string, end int) int {
	j := end
	if j > 0 && s[j-1] == '\n' {
		j--
	} else if j > 1 && s[j-2] == '\\' && (s[j-1] == 'n' || s[j-1] == 'r') {
		j -= 2
	}
	for j > 0 && s[j-1] != '\n' && !(j > 1 && s[j-2] == '\\' && (s[j-1] == 'n' || s[j-1] == 'r')) {
		j--
	}
	return j
}

// keyText is a line without the marks that programs add to a quoted line: blanks, pytest's E, diff's + and -, >, |,
// quotes.
func keyText(line string) string {
	line = strings.TrimRight(line, " \t\r\"',\\+")
	if i := strings.LastIndexAny(line, " \t|>\"'"); i >= 0 && i <= maxKeyPrefix {
		line = line[i+1:]
	}
	return strings.TrimLeft(line, "-+\"'")
}

// maxKeyPrefix is the longest prefix of a quoted line, in bytes.
const maxKeyPrefix = 40

func isKeyLine(line string) bool {
	text := keyText(line)
	return len(text) >= minKeyLine && isBase64(text) && (hasLetterAndDigit(text) || strings.ContainsAny(text, "+/="))
}

func isKeyHeader(line string) bool {
	text := strings.TrimLeft(line, " \t+>|E")
	return strings.HasPrefix(text, "Proc-Type:") || strings.HasPrefix(text, "DEK-Info:") || strings.HasPrefix(text, "Version:") || strings.HasPrefix(text, "Comment:")
}

func isBase64(v string) bool {
	for i := range len(v) {
		if !isAlnum(v[i]) && v[i] != '+' && v[i] != '/' && v[i] != '=' {
			return false
		}
	}
	return v != ""
}

// trimKey leaves out line ends and blanks at both ends of the body.
func trimKey(body string, stop int) (int, int) {
	start := 0
	for start < stop {
		if isSpace(body[start]) {
			start++
		} else if body[start] == '\\' && start+1 < stop && (body[start+1] == 'n' || body[start+1] == 'r') {
			start += 2
		} else {
			break
		}
	}
	for stop > start {
		if isSpace(body[stop-1]) {
			stop--
		} else if stop-start >= 2 && body[stop-2] == '\\' && (body[stop-1] == 'n' || body[stop-1] == 'r') {
			stop -= 2
		} else {
			break
		}
	}
	return start, stop
}

// keyBytes counts bytes that can belong to a key, without placeholders.
func keyBytes(v string) int {
	n := 0
	for i := 0; i < len(v); i++ {
		if end := placeholderEnd(v, i); end > 0 {
			i = end - 1
		} else if isToken(v[i]) {
			n++
		}
	}
	return n
}

// keyLine recognizes a single line of a key, as a program prints or a record stores it: all base64, as wide as OpenSSL
// (64) or OpenSSH (70) make it, and too random for anything else. A digest does not count: it has no capitals.
func keyLine(s string) (span, bool) {
	if len(s) > 70+maxKeyPrefix {
		return span{}, false
	}
	text := keyText(strings.TrimRight(s, "\r\n"))
	if len(text) != 64 && len(text) != 70 || !isBase64(text) || strings.IndexByte(s, '\n') >= 0 && !strings.HasSuffix(s, "\n") {
		return span{}, false
	}
	start := strings.Index(s, text)
	return span{start, start + len(text), privateKey, vague}, entropy(text) > keyLineEntropy && mixed(text)
}

// keyLineEntropy is exceeded by 64 random base64 digits (5.2 on average) and not by words run together.
const keyLineEntropy = 4.6

// mixed says whether v has digits, capitals and lower-case letters.
func mixed(v string) bool {
	digit, upper, low := false, false, false
	for i := range len(v) {
		c := v[i]
		digit, upper, low = digit || isDigit(c), upper || isLetter(c) && c != lower(c), low || isLetter(c) && c == lower(c)
	}
	return digit && upper && low
}
