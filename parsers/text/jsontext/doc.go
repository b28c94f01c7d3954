// Package jsontext reads JSON (RFC 8259) fast and in bounded memory: a cursor over
// one document, a walker over a stream of documents of any size, and flat
// objects of one line. What is not JSON is reported as such, never guessed.
package jsontext
