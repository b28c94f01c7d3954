// Package render writes a result.ToolResult for its readers: compact text,
// YAML or JSON, all from the one struct.
//
// What it promises: the same result gives the same bytes (no clock, no randomness, no terminal width); a run that did
// not exit with 0 is never rendered as passed, ok or empty; no control sequence for a terminal reaches the output; if
// something is left out, a marker gives exact counts and the command that shows it.
//
// The compact form is one header line,
//
//	TOOL STATUS: SUMMARY (exit N) [NOTE] sha256:SHORT
//
// (the id is there only if no marker below names it; a NOTE is a reason to doubt the verdict: "not fully parsed: WHY", "no
// summary of the tests was found" where a test runner exited 0, "output cut: MARK" where a log says that lines were left
// out, "output cut short"; "(shown, not run)" stands in place of the exit where a line only shows what a file or a history
// has of a run), for the output of several tools a line for each of them,
//
//	part TOOL NAME STATUS: COUNTS [not fully parsed]
//
// then one line per finding, findings of one file together,
//
//	PATH:LINE:COLUMN: SEVERITY RULE: MESSAGE
//	PATH:LINE: TEST-ID: EXCEPTION: MESSAGE (expected X, got Y) (see PATH:LINE)
//
// without the severity if it is failure, then reduced text if the findings do not cover the output, then markers in
// brackets, the last of which says how to see the rest. Paths, tests and rules are written in full on every line, so
// that each line can be searched for, clicked and pasted by itself: a TEST-ID is the test's name, not the regular
// expression that selects it. Tests of one name that failed alike are one line that ends with "(3 times)"; a test that failed for
// the long reason of the line above it has "(as above)" there. Beyond a
// hundred findings, failures and errors are shown before warnings; the rest follow by name, or place and rule, without
// their messages, in at most two kilobytes.
//
// Paths are relative to the directory in which the command ran, as are those in the tool's text; CompactElsewhere names
// that directory for a reader in another one. In JSON and YAML paths are relative to the root, and dir says where the
// command ran.
//
// The text after the header is never longer than the raw output: if it would be, the raw output is printed instead,
// without terminal escapes. A blank output never replaces cairn's own text.
//
// What it does not promise: that the compact form can be read back (JSON can),
// or that text of a tool cannot look like a marker.
//
// What goes in: text made of a result. The package opens no file, so a caller who wants the raw output considered
// passes it, redacted.
package render
