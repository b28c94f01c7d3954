// Package jserror reads the text of JavaScript errors, as runtimes, test runners, linters and bundlers print it:
// class and message, expected and actual value, an excerpt of the source, the stack. Recognising which program
// printed the text is left to the rooms.
package jserror
