// Package jserror reads what errors of JavaScript say, as runtimes, runners of
// tests, linters and bundlers print them: the class and the message, what was
// expected and what came, an excerpt of the source, the stack. Which program
// printed the text is the business of its room.
package jserror
