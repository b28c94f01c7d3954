package xmltext

import "strings"

// Attribute is the value of an attribute of the tag that a line begins with, for documents of which
// each tag is known to be a line.
func Attribute(text, name string) string {
	_, value, _ := strings.Cut(text, " "+name+`="`)
	value, _, ok := strings.Cut(value, `"`)
	if !ok {
		return ""
	}
	return Unescape(value)
}
