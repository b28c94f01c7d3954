// Package tool is the contract between the rooms of parsers and the engine: what a
// tool declares (Parser, Format, Dialect), what a parser is given (Input, Line)
// and what it answers (Report). A room imports this package, the readers in
// parsers/read, the lexers in parsers/text, and result; nothing else of the program.
//
// # How to add a tool
//
// Write one file in the room of its ecosystem. It declares one value:
//
//	var _ = Room.Add("yamllint", func() *tool.Parser { // the program's names, blanks between
//		return &tool.Parser{
//			Tool: "yamllint", Kind: result.Lint, Version: 1, ColumnUnit: "char",
//			About: "yamllint 1.26 to 1.37: standard, colored, parsable",
//			Exits: map[int]result.Meaning{255: result.MeansUsage},
//			Formats: []tool.Format{
//				{Name: "parsable", Parse: read.Linter{Rule: read.Parens}.Parse},
//			},
//		}
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
// # What proves that a tool wrote an output
//
// A format with Starts is read in any output that has such a line: choose lines
// that only this tool prints. A format without Starts is read where a command
// names the tool: the one that was run, one of a list, one that make, npm or a
// shell shows. Where other tools print lines of the same form as Starts, declare
// Evidence: Shape.
package tool
