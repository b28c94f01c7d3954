// Package render writes a result.ToolResult for its readers: compact text,
// YAML or JSON, all from the one struct.
//
// What it promises: the same result gives the same bytes (no clock, no
// randomness, no terminal width); a run that did not exit 0 is never rendered
// as passed, ok or empty; nothing that steers a terminal reaches the output;
// wherever something is left out there is a marker with exact counts and the
// command that shows it.
//
// The compact form is one header line,
//
//	TOOL STATUS: SUMMARY (exit N) sha256:SHORT
//
// then one line per finding, findings of one file together,
//
//	PATH:LINE:COLUMN: SEVERITY RULE ID: MESSAGE (expected X, got Y)
//
// then reduced text where the findings do not tell all, then markers. Paths
// and test ids stand in full on every line, so that each line can be searched
// for, clicked and pasted by itself. What follows the header is never longer
// than the raw output: where it would be, the raw output is printed instead,
// with terminal escapes taken off.
package render
