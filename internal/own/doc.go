// Package own reads the parsers that a project has for its own tools.
//
// # The file
//
// .cairn/parsers.toml lies at the root of the repository and is tracked by it. It holds
// a list of rules; the first that matches a command is used:
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
//	severity = "error"                 # of lines without a severity
//
// A rule has one of parse_as, forms, lines, errorformat and run, and argv, regex or
// both of match: then both must match. The syntax of form and the values of as are
// described at Form and As in package parsers/read. The groups of lines are path, line,
// column, end_line, severity, rule, id and message. Errorformat patterns that depend on
// which files exist (%O, %P, %Q) are refused, since a result depends on the output
// alone. An unknown key is an error.
//
// .pi/structured-return.json is read too, after it: id, match.argvIncludes,
// match.regex, parseAs, and module, which node runs once it is approved. A module in
// TypeScript needs Node 22.18; if a .js is named and only the .ts exists, the .ts is
// used.
//
// # The executable
//
// It is started in the repository's root when the run has ended. Its standard input is
// one JSON object: v (1), command, argv, cwd, exit_code (absent if none was observed),
// signal, timed_out, stdout and stderr (each at most 8 MiB; truncated says that there
// is more), and stdoutPath, stderrPath, logPath, files with the whole output that are
// removed afterwards. It answers with one JSON object on stdout: tool, the tool's name
// if it is not the rule's (optional), and findings, a list of objects with path, line,
// column, end_line, severity, rule, id, message, expected, actual and detail. If it
// exits other than with 0, takes longer than 30 seconds, or answers anything else, its
// answer is rejected: the result is as if there were no rule, and a warning says so.
//
// # Trust
//
// The files come with a repository, so nothing in them is used before a person has
// approved the exact bytes of the files and of those that they run, and any change
// needs a new approval (see Trust). Even approved rules cannot hide a failure: they do
// not change the status, never replace what another parser found, and a line that looks
// like an error stays in the result as text unless a finding of an error holds all of
// its words.
package own
