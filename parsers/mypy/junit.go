package mypy

import (
	"bytes"
	"strings"

	"cairn/parsers/read/junit"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
)

// mypyText is what mypy says in a report that --junit-xml asked for: the text
// that it prints, all of it or that of each file in a failure. It is nil for a
// report that another tool wrote. whole: the report was not cut.
func mypyText(a tool.Artifact) (text []byte, whole bool) {
	head := make([]byte, min(a.Size, tool.ReportHead))
	n, _ := a.Data.ReadAt(head, 0)
	if tag := head[:n]; !bytes.Contains(tag, []byte(` name="mypy"`)) || !bytes.Contains(tag, []byte("<testsuite ")) {
		return nil, false
	}
	b := bytes.NewBuffer([]byte{})
	x, told := xmltext.NewScanner(xmltext.UTF8(a.Reader())), false
	for kind := x.Next(); kind != xmltext.End && b.Len() < junit.MaxText; kind = x.Next() {
		switch {
		case kind == xmltext.Open:
			told = string(x.Name) == "failure" && !x.Alone
		case kind == xmltext.Close:
			if told {
				b.WriteByte('\n')
			}
			told, whole = false, strings.HasPrefix(string(x.Name), "testsuite")
		case kind == xmltext.Text && told:
			b.WriteString(strings.TrimRight(x.Content(), "\r"))
		}
	}
	return b.Bytes(), whole
}
