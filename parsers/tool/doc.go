// Package tool is the contract between the rooms (the folders that hold parsers) and the
// engine: what a tool declares (Parser, Format, Dialect), what a parser gets (Input, Line)
// and what it returns (Report). A room imports this package, the readers in parsers/read,
// the lexers in parsers/text, and result; nothing else of the program.
//
// # How to add a tool
//
// Write a file in the room of its ecosystem, or add to the file of its subject. It declares the tool:
//
//	var _ = Room.Add("yamllint", func(p *tool.Parser) { // the program's names, blanks between
//		p.Is("yamllint", result.Lint, 1, "yamllint 1.26 to 1.37: standard, colored, parsable")
//		p.ColumnUnit = "char"
//		p.Exits = map[int]result.Meaning{255: result.MeansUsage}
//		p.Reads(tool.Format{Name: "parsable", Parse: read.Linter{Rule: read.Parens}.Parse})
//	})
//
// Then put recorded runs into golden/TOOL/CASE (see package golden) and write
// their expectations with
//
//	go test ./golden -run 'TestExpected/yamllint' -update
//
// Read the expectations: people and agents will see exactly this. No other file is touched.
//
// # Which readers there are
//
//   - read.Linter: one diagnostic a line, "path:3:7: error: text [rule]".
//   - read.Grouped: a path, and below it rows that begin with line and column.
//   - read.Objects: JSON in which every finding is an object; the path of each part of
//     the finding within the object is declared.
//   - read.JSON: any other documents of JSON, in any layout; each wanted value becomes a
//     Go value.
//   - read.Rows: a table of forms, "{path} line {line} ({message}):", each with the meaning
//     of its line: a finding, more of the finding above, the path of the findings below,
//     counts, the closing line, misuse. A project declares its formats in the same words.
//   - read.Blocks: a test runner. A head line begins a failure, body lines say why, and
//     verdicts, counts and other lines come between the blocks.
//   - read.Beside: a document, and the lines around it.
//   - read.Text: any other text. Its Line function takes the lines one by one;
//     Sink.Find adds a finding, More a line of its detail, Close the tool's
//     closing line, Claim the number of failures that the tool itself counts, Problems the
//     number of findings of every severity.
//   - read.Lines, read.Fresh: a read.Text with a state of its own for each output.
//   - read.Counts and read.CountsBehind: "3 failed, 2 passed", "Failures: 3".
//   - place.Cut: a place at the beginning of a line, in every form.
//   - frame: lines of stack traces, of one language or of any; External tells frames in
//     a library.
//   - jserror: JavaScript's error messages, and what programs in JavaScript print when
//     they are called wrongly.
//   - junit, sarif; of parsers/text, jsontext and xmltext: formats with types of their own.
//
// Code that three tools need becomes a reader; code for one tool stays in its file.
//
// # What a parser promises
//
//   - Every failure that the tool reports is a finding, with the place, the rule and the
//     id that the tool gives. Report.Claimed is the tool's own count of failures; if fewer
//     are found, the result is marked heuristic.
//   - A finding is the same in each of the tool's formats: the same path, line,
//     rule and message, so that it has one fingerprint. Severity and column are
//     not part of it.
//   - A parser never decides whether the run passed: it says what it found, whether the
//     output was complete (Complete), and what the exit code means (Exits, Meaning).
//   - A parser returns nil if nothing in the output is the tool's.
//
// # How a reader of a test runner reports the outcome of every test
//
// It calls Report.Ran once for each verdict that the runner prints, passed tests included,
// with the same id as a finding of the test:
//
//	s.Ran(tool.Test{ID: id, Outcome: tool.Passed, DurationMS: ms})
//
// Blocks does so with what its Test function returns, and the reader of JUnit with every
// case. Findings of failed tests join the list by their id. One place (engine, tests.go)
// compares the list with the counts and the exit: tests that are counted and not named stay
// a number; if tests are named and not counted, or contradict the exit, the list is marked
// incomplete, with the reason. So:
//
//   - Report what the runner printed, not what it implies: a file with a tick names no test.
//   - If the output repeats itself (a list at the end), call Retold there: it fills gaps.
//   - Rerun stands for an attempt that is followed by another; Parent marks a suite or a
//     parent test that has lines of its own; Part is for a part without an id of its own.
//   - Unread says why some tests have no name, if counts do not show it.
//   - The same id in two files or binaries is two tests: put the file or the binary into the
//     id if the runner prints it. lex.Millis reads durations.
//   - Filter.Again is the command that runs one test alone, if it is not the command of the
//     run with Filter.Flag and the test appended.
//
// golden/TOOL/CASE/want shows the list (go test ./golden -run 'TestExpected/TOOL'
// -update). Compare it with the runner's own machine report of the same run.
//
// # What proves that a tool wrote an output
//
// A format with Starts is read in any output with a line that begins like this: choose
// lines that only this tool prints. A format without Starts is read where a command names
// the tool: the command that was run, one of a list, or one that make, npm or a shell
// shows. A format with Starts and Named is read in both cases. If other tools print lines
// of the same form as Starts, declare Evidence: Shape.
package tool
