// Package text has no code of its own: the packages below it handle text in ways that do not depend on the tool
// that printed it. term resolves what a terminal would show, shell reads command lines, scan and glance search
// bytes, lex cuts strings, jsontext and xmltext are lexers. They import only one another and result, never a
// reader, the contract or the engine, which all stand above them.
package text
