// Package term turns the bytes of an output into lines as a terminal would show
// them: colours, cursor moves and carriage returns resolved, lines of any length
// cut at a bound, each with its place in the raw bytes. It knows nothing of
// tools.
package term
