// Package own reads the parsers that a project brings along for tools of its own.
//
// # The file
//
// .cairn/parsers.toml lies at the root of the repository and is tracked by it.
// It holds a list of rules; of those that match a command the first is used:
//
//	[[parser]]
//	name = "acme-test"                 # shown as the tool; letters, digits, - _ .
//	match.argv = ["acme", "test"]      # every word is in the command line
//	match.regex = "^acme (test|check)" # found in the words, joined by blanks
//	parse_as = "junit"                 # a tool of "cairn parsers", or
//	forms = [                          # as cairn's own parsers declare them; or
//	  { form = "{path}:{line}: {severity}: {message} [{rule}]" },
//	  { form = "{#problems} problems", as = "close" },
//	]
//	lines = ['^(?P<path>[^:]+):(?P<line>\d+): (?P<severity>\w+): (?P<message>.*)$']
//	errorformat = ["%f:%l:%c: %m"]     # as Vim reads them; or
//	run = ["tools/acme-findings"]      # an executable
//	kind = "lint"                      # test, lint, typecheck, build, security, generic, …
//	severity = "error"                 # where a line says none
//
// A rule says one of parse_as, forms, lines, errorformat and run, and argv, regex or
// both of match: then both must hold. What a form may hold, and what its line may be
// said to be (as), is described at Form and As in the package parsers/read. The groups of a line are path, line,
// column, end_line, severity, rule, id and message. Errorformat patterns that
// depend on which files exist (%O, %P, %Q) are refused, since a result depends
// on the output alone. A key that is not known is an error.
//
// .pi/structured-return.json is read too, after it: id, match.argvIncludes,
// match.regex, parseAs, and module, which node runs once it is approved. A module in
// TypeScript needs Node 22.18; where a .js is named and only the .ts is there, that is
// taken.
//
// # The executable
//
// It is started in the repository's root when the run has ended. Its standard
// input is one JSON object: v (1), command, argv, cwd, exit_code (absent where
// none was observed), signal, timed_out, stdout and stderr (each at most 8 MiB;
// truncated says that there is more), and stdoutPath, stderrPath, logPath, files
// with all of it that are removed afterwards. It answers with one JSON object on
// stdout: tool, what the tool is called if not as the rule (not needed), and findings, a list of objects with path, line, column, end_line,
// severity, rule, id, message, expected, actual and detail. One that exits other
// than with 0, takes longer than 30 seconds, or answers anything else is not
// believed: the run is then told as if there were no rule, and a warning says so.
//
// # Trust
//
// The files come with a repository, so nothing in them is used before a person
// has approved their very bytes and those of the files that they run, and any
// change asks again (see Trust). What is approved, rules cannot hide a failure:
// they say nothing of the status, never replace what another parser found, and a
// line that looks like an error stays in the result as text unless a finding of
// an error holds all of its words.
package own
