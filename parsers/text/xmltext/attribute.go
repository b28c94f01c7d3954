package xmltext

import "strings"

// Attribute is the value of an attribute of the tag at the start of a line, in documents that have one tag per
// line.
func Attribute(text, name string) string {
	_, value, _ := strings.Cut(text, " "+name+`="`)
	value, _, ok := strings.Cut(value, `"`)
	if !ok {
		return ""
	}
	return Unescape(value)
}
