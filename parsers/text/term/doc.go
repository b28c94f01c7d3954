// Package term turns the bytes of an output into lines as a terminal would show them: colours, cursor moves and
// carriage returns resolved, long lines cut at a bound, each line with its place in the raw bytes. It knows nothing
// about tools.
package term
