// Package text has no code: below it lies what is known of text whatever tool
// printed it. term resolves what a terminal would show, shell reads command lines,
// scan and glance search bytes, lex cuts strings, jsontext and xmltext are lexers.
// The packages here import one another and result, and never a reader, the
// contract or the engine, which all stand above them.
package text
