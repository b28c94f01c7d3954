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
//	TOOL STATUS: SUMMARY (exit N) [NOTE] sha256:SHORT
//
// (the id stands there only where no marker below names it), for the output of several tools a line for each of them,
//
//	part TOOL NAME STATUS: COUNTS [not fully parsed]
//
// then one line per finding, findings of one file together,
//
//	PATH:LINE:COLUMN: SEVERITY RULE: MESSAGE
//	PATH:LINE: TEST-ID: EXCEPTION: MESSAGE (expected X, got Y) (see PATH:LINE)
//
// without the severity where it is failure, then reduced text where the
// findings do not tell all, then markers in brackets, the last of which says
// how to see the rest. Paths, tests and rules stand in full on every line, so
// that each line can be searched for, clicked and pasted by itself: a TEST-ID is
// the test's name, no regular expression that selects it. Tests of one name that failed
// alike are one line that ends with "(3 times)". Beyond a hundred findings, failures and errors are shown before warnings.
//
// Paths open from the directory in which the command ran, as do those in the text
// beside them; CompactElsewhere names that directory for a reader in another one.
// In JSON and YAML paths count from the root, and dir says where the command ran.
//
// What follows the header is never longer than the raw output: where it would
// be, the raw output is printed instead, with terminal escapes taken off. Only
// output that is blank never takes the place of what cairn has to say.
//
// What it does not promise: that the compact form can be read back (JSON can),
// or that text of a tool cannot look like a marker.
//
// What goes in: text made of a result. It opens nothing, so a caller who wants
// the raw output considered hands it over, redacted.
package render
