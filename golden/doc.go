// Package golden reads recorded runs: real output of real tools, and the
// result that cairn must make of it. Its tests replay every run that is found
// below this directory, as recorded and in many other shapes; a new folder is
// a new test.
//
// # A case
//
// A case is a folder golden/TOOL/NAME. These files say what was recorded; no
// program ever rewrites them:
//
//	run      the command, where it ran, the tool's version and the exit, and
//	         whatever else was set, and the truth: what a person sees in the
//	         output, a fact a line; see package golden/runfile
//	stdout   the bytes of the two streams, untouched; a stream without a byte
//	stderr   has no file
//	artifacts/  optional: files that the run wrote, each by its path as seen
//	         from cwd: a JUnit report, or what stdout was sent to
//
// A script may record each fact of run in a file of its own (cmd, cwd, version, exit,
// truth …); "go run ./golden/convert golden" makes them one file.
//
// and the file want what is expected; `go test ./golden -run TestExpected -update` writes it:
// what an agent reads, then "-- tests --" and what every test came to, where a test that
// did not fail is named, then "-- result.json --" and the ToolResult, canonical JSON, indented.
//
// # Facts
//
// Each line of truth is one fact that the compact text must tell, word for
// word, unless the raw output is printed in its place. Where a finding has
// several places, further ones may be in the result only.
//
//	test ID         a test that failed, by its name
//	package NAME    a package, crate or module that failed as a whole
//	at PATH:LINE    a place to look, as it opens from cwd
//	rule NAME       a rule, code or exception
//	says TEXT       a decisive line, or the part of it that decides; asked for
//	                where the result is not parsed, so that text must tell it
//
// # Several accounts of one run
//
// Cases with the same group in their line same, below one TOOL, show one
// project in one state: in other formats, widths, colours, versions, with CI
// set or not, or in another directory. All pairs of them must give the same
// multiset of path, line, rule, fingerprint and group. What a format does not
// tell is said where it is missing, with words that the finding has in its
// place, rule, id or message; an exception that no pair needs is an error:
//
//	group NAME
//	lacks FIELD [of WORDS] because WHY
//	adds FIELD [of WORDS] because WHY
//
// FIELD is path, line, rule, fingerprint, group, or finding for the whole of
// it; "adds" is for what only this format tells. Runs that were recorded for
// this comparison alone are in golden/pairs/TOOL/NAME: they have no expected
// result, and no other test reads them. Every format of a tool that has
// several is in a group with another one (TestSameCoversFormats).
//
// # What every case must hold
//
// The same result comes out whatever the chunks, line endings, colours,
// checkout directory, home and temporary directory, times, addresses, ports
// and process numbers, order of the streams, and order of findings where the
// format has none. Lines put in above move the places and nothing else.
// Another rule, file, package, test name, parameter or number in the message
// is another fingerprint. Printed by a program that no one knows, the output is the
// tool's only where a line says so, and never another tool's. Each of these tests counts what it changed, and
// fails for a tool of which it changed nothing.
//
// Cut short anywhere, with a line missing, twice, moved or of another tool, or
// a byte that is another, the output may tell less; but a run that did not
// exit 0 is never passed or ok, nothing is passed without its closing line, no
// failing run is "parsed" without a finding, and no parser stops. These try a
// sample with a fixed seed; all positions of small cases are tried by
//
//	go test ./golden -run 'TestCut|TestLines|TestBytes' -timeout 2h -args -thorough
//
// # What goes in
//
// Output of programs only, neither written by hand nor shortened, below 200
// kilobytes a case. Paths in it are neutral: /tmp/…, /home/dev/….
package golden
