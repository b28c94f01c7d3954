package parsers

import (
	"bytes"
	"strings"
)

// mypyText is what mypy says in a report that --junit-xml asked for: the text
// that it prints, all of it or that of each file in a failure. It is nil for a
// report that another tool wrote. whole: the report was not cut.
func mypyText(a Artifact) (text []byte, whole bool) {
	head := make([]byte, min(a.Size, reportHead))
	n, _ := a.Data.ReadAt(head, 0)
	if tag := head[:n]; !bytes.Contains(tag, []byte(` name="mypy"`)) || !bytes.Contains(tag, []byte("<testsuite ")) {
		return nil, false
	}
	b := bytes.NewBuffer([]byte{})
	x, told := newXMLScanner(asUTF8(a.reader())), false
	for kind := x.next(); kind != xmlEnd && b.Len() < maxJUnitText; kind = x.next() {
		switch {
		case kind == xmlOpen:
			told = string(x.name) == "failure" && !x.alone
		case kind == xmlClose:
			if told {
				b.WriteByte('\n')
			}
			told, whole = false, strings.HasPrefix(string(x.name), "testsuite")
		case kind == xmlText && told:
			b.WriteString(strings.TrimRight(x.content(), "\r"))
		}
	}
	return b.Bytes(), whole
}
