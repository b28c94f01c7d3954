// Package lex cuts and measures strings: numbers, identifiers, blanks, texts kept within a bound. All readers use
// it; nothing in it knows about places, findings or tools.
package lex
