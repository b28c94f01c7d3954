// Package golden reads recorded runs: real output of real tools, and the result that cairn must make of it. Its tests
// replay every run below this directory, as recorded and in many other shapes; a new folder is a new test.
//
// # A case
//
// A case is a folder golden/TOOL/NAME. These files have what was recorded; no program ever
// rewrites them:
//
//	run      the command, where it ran, the tool's version and the exit, and
//	         whatever else was set, and the truth: what a person sees in the
//	         output, a fact a line; see package golden/runfile
//	stdout   the bytes of the two streams, untouched; a stream without a byte
//	stderr   has no file
//	artifacts/  optional: files that the run wrote, each by its path as seen
//	         from cwd: a JUnit report, or what stdout was sent to
//
// A script may record each fact of run in a file of its own (cmd, cwd, version, exit, truth …);
// "go run ./golden/convert golden" combines them into one.
//
// The file want has what is expected; `go test ./golden -run TestExpected -update` writes it: the text for an agent,
// then "-- tests --" and the outcome of every test, if tests that did not fail are named, then "-- result.json --" and
// the ToolResult as canonical, indented JSON.
//
// # Facts
//
// Each line of truth is one fact that the compact text must contain, word for word, unless the raw output is printed
// instead. If a finding has several places, further ones may be only in the result.
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
// Cases with the same group in their line same, below one TOOL, show one project in one state: in other formats,
// widths, colours, versions, with CI set or not, or in another directory. All pairs of them must give the same multiset
// of path, line, rule, fingerprint and group. If a format lacks something, an exception names it, with words that the
// finding has in its place, rule, id or message; an exception that no pair needs is an error:
//
//	group NAME
//	lacks FIELD [of WORDS] because WHY
//	adds FIELD [of WORDS] because WHY
//
// FIELD is path, line, rule, fingerprint, group, or finding for all of it; "adds" is for something that only this
// format has. Runs recorded only for this comparison are in golden/pairs/TOOL/NAME: they have no expected result, and
// no other test reads them. Every format of a tool with several formats is in a group with another one
// (TestSameCoversFormats).
//
// # What every case must hold
//
// The result must be the same for any chunks, line endings, colours, checkout directory, home and temporary directory,
// times, addresses, ports and process numbers, order of the streams, and order of findings if the format has none.
// Lines inserted above move the places and change nothing else. Another rule, file, package, test name, parameter or
// number in the message gives another fingerprint. If an unknown program prints the output, it is the tool's only if a
// line says so, and never another tool's. Each of these tests counts its changes, and fails for a tool for which it
// changed nothing.
//
// If the output is cut anywhere, or has a line missing, twice, moved or from another tool, or another byte, the result
// may have less; but a run that did not exit with 0 is never passed or ok, nothing is passed without its closing line,
// no failing run is "parsed" without a finding, and no parser panics. These tests try a sample with a fixed seed; all
// positions of small cases are tried by
//
//	go test ./golden -run 'TestCut|TestLines|TestBytes' -timeout 2h -args -thorough
//
// # What goes in
//
// Only output of programs, neither written by hand nor shortened, below 200 kilobytes per case. Paths in it are
// neutral: /tmp/…, /home/dev/….
package golden
