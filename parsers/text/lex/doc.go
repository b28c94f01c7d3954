// Package lex cuts and measures strings: numbers, identifiers, blanks, texts kept
// within a bound. It is the alphabet of all readers; nothing in it knows what a
// place, a finding or a tool is.
package lex
