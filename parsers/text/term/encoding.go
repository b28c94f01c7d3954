package term

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Mark is the byte order mark with which a file in UTF-8 may begin.
const Mark = "\ufeff"

// Decode returns a line without a byte order mark, and in UTF-8 if it is one of a file in UTF-16, as the ">" of
// PowerShell writes it. Lines end at the newline's first byte, so that the second one begins the next line.
func Decode(line []byte) []byte {
	rest, begins := bytes.CutPrefix(line, []byte("\xff\xfe"))
	if !begins {
		if rest, begins = bytes.CutPrefix(line, []byte{0}); !begins {
			return bytes.TrimPrefix(line, []byte(Mark))
		}
	}
	if nul := bytes.Count(rest, []byte{0}); len(rest)%2 != 0 || nul*2 > len(rest) || nul*4 < len(rest) && !bytes.HasSuffix(rest, []byte("\r\x00")) {
		return line
	}
	units := make([]uint16, len(rest)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(rest[2*i:])
	}
	text := utf16.Decode(units)
	if slices.ContainsFunc(text, func(r rune) bool {
		return r == unicode.ReplacementChar || r < ' ' && !strings.ContainsRune("\t\r\b\x1b", r)
	}) {
		return line // bytes of a binary file
	}
	return []byte(string(text))
}
