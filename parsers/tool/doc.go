// Package tool is the contract between the rooms of parsers and the engine: what a
// tool declares (Parser, Format, Dialect), what a parser is given (Input, Line)
// and what it answers (Report). A room imports this package, the readers in
// parsers/read, the lexers in parsers/text, and result; nothing else of the program.
//
// # How to add a tool
//
// Write one file in the room of its ecosystem. It declares the tool:
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
// Read what was written: it is what people and agents will see. No other file
// is touched.
//
// # Which readers there are
//
//   - read.Linter: one diagnostic a line, "path:3:7: error: text [rule]".
//   - read.Grouped: a path, and below it rows that begin with line and column.
//   - read.Objects: JSON in which every finding is an object; the parts of the finding
//     are named by where they stand.
//   - read.JSON: any other documents of JSON, in any layout; each wanted value becomes a
//     Go value.
//   - read.Rows: a table of forms, "{path} line {line} ({message}):", each with what its
//     line is: a finding, more of the one above, the path of those below, counts, the
//     closing line, misuse. A project declares its formats in the same words.
//   - read.Blocks: a runner of tests. A head begins a failure, a body says why, and
//     verdicts, counts and other lines stand outside.
//   - read.Beside: a document, and the lines that stand outside of it.
//   - read.Text: any other text. Its Line function takes the lines one by one;
//     Sink.Find adds a finding, More a line of its detail, Close the tool's
//     closing line, Claim how many failures the tool itself counts, Problems how many
//     findings of every severity.
//   - read.Lines, read.Fresh: a read.Text with a value that keeps what the lines above
//     said, and that is new for each output.
//   - read.Counts and read.CountsBehind: "3 failed, 2 passed", "Failures: 3".
//   - place.Cut: a place at the beginning of a line, in every form.
//   - frame: a line of a stack trace, by language or of any; External where it lies
//     in a library.
//   - jserror: what errors of JavaScript say, and what programs in it complain of
//     when they are called wrongly.
//   - junit, sarif; of parsers/text, jsontext and xmltext: formats with types of their own.
//
// What three tools need becomes a reader; what one needs stays in its file.
//
// # What a parser promises
//
//   - Every failure that the tool tells is a finding, with the place, the rule
//     and the id by which the tool itself names it. Report.Claimed is what the
//     tool counts; where fewer are found the result says heuristic.
//   - A finding is the same in each of the tool's formats: the same path, line,
//     rule and message, so that it has one fingerprint. Severity and column are
//     not part of it.
//   - The verdict is never the parser's: it says what was found, whether the run
//     was whole (Complete), and what the exit code means (Exits, Meaning).
//   - A parser declines (nil) where nothing is the tool's.
//
// # How a reader of a test runner tells what every test came to
//
// One word: Report.Ran, once for each verdict that the runner gives, with the id that a
// finding of the test has, wherever the line of a passed test is read (or passed over) today:
//
//	s.Ran(tool.Test{ID: id, Outcome: tool.Passed, DurationMS: ms})
//
// Blocks does so with what its Test function returns, and the reader of JUnit with every
// case. The rest follows from what the reader says anyway. Findings of failed tests join the
// list by their id; the counts and the exit are held against it in one place (engine,
// tests.go): what is counted and not named stays a number, what is named and not counted,
// or contradicts the exit, makes the list incomplete, and says why. So:
//
//   - Tell what the runner printed, not what it implies: a file with a tick names no test.
//   - Where the output repeats itself (a list at the end), use Retold there: it fills in.
//   - Rerun stands for an attempt that is followed by another; Parent marks a suite or a
//     parent test that has lines of its own; Part is for a part without an id of its own.
//   - Unread says why some tests have no name, where counts do not show it.
//   - The same id of two files or binaries is two tests: put the file or the binary into the
//     id where the runner prints it. lex.Millis reads durations.
//   - Filter.Again is the command that runs one test alone, where it is not the command of the
//     run with Filter.Flag and the test behind it.
//
// golden/TOOL/CASE/want shows what came of it (go test ./golden -run 'TestExpected/TOOL'
// -update). Compare it with the runner's own machine report of the same run.
//
// # What proves that a tool wrote an output
//
// A format with Starts is read in any output that has such a line: choose lines
// that only this tool prints. A format without Starts is read where a command
// names the tool: the one that was run, one of a list, one that make, npm or a
// shell shows. A format with Starts and Named is read in both cases. Where other
// tools print lines of the same form as Starts, declare Evidence: Shape.
package tool
