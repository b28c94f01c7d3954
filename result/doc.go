// Package result is the vocabulary of a run: ToolResult, the one answer for every tool,
// and Finding, one thing that a tool found. Parsers fill them in, Derive decides the
// status, Seal finishes them, JSON writes them.
//
// The package is a leaf: it imports no other package of cairn, only the standard
// library, BLAKE3 and Unicode normalisation. What belongs here is what every reader of
// a result must agree on. How a tool's output is read, how a result is shown and where
// it is kept belong elsewhere. Nothing here looks at the file system, the clock or the
// environment, so equal input gives equal output.
//
// # What is promised
//
//   - A status of passed or ok means that exit code 0 was observed, and that
//     nothing else ended the command. Findings may turn a success into a
//     failure; nothing turns a failure into a success. See Derive.
//   - A sealed result holds no terminal escape, no control character but tab and
//     line break, and no bidirectional override. See Clean.
//   - A fingerprint does not depend on the line, the column, the output format,
//     the colour of the output, the user, the place of the checkout, temporary
//     names, times or process ids. It does depend on the tool, the rule, the
//     file, the test, its parameters and the numbers in the message.
//   - Seal(Seal(r)) is Seal(r), and Decode(r.JSON()) is r, for a sealed r.
//
// # What is not promised
//
//   - A file that moves gives its findings new fingerprints.
//   - If a tool prints a message with the elements of a set in another order, in another
//     language or at another verbosity, it counts as another message. Its group stays.
//   - Twelve hex digits are 48 bits. Among 1,000,000 distinct findings two share
//     them with a chance of 0.2 %.
//   - If the tool cut messages (message_truncated), all cut messages of one
//     rule and place share a fingerprint.
//   - Fields, kinds, meanings and names of counts that do not exist yet may
//     appear without a new schema_version. Readers ignore those that they do not
//     know.
//
// # Secrets
//
// SealRedacted removes the secrets before identities are made, and names that differ
// only in a secret still differ: two tests named http://u:alpha@h/ and http://u:beta@h/
// become http://u:[redacted:url-password]@h/ and http://u:[redacted:url-password#2]@h/,
// and so do two directories. Identities are made of that text.
//
//   - No identity is an oracle. A fingerprint, a group and all else that is kept depend on which secrets are equal, and not on
//     their text: with other secrets every byte stays the same. A digest of the secret, salted or not, would let
//     anyone who has the record try guesses at a short one; a keyed one would give every clone identities of its own.
//   - Only names that could be confused have numbers: the names of tests of one tool and file, and the paths of
//     files. A result without secrets, with one, or with many in names that differ anyway, has the
//     fingerprints that it would have without numbers. Messages have none: a token that is new in every run would number all
//     later ones, and a message does not distinguish tests.
//   - The numbers count by the line of the failure, so the order in which the tests ran does not matter. Tests
//     that fail at one line, or at no known one, as those of a table do, are counted in the order of the findings; so are paths.
//   - Not promised: that a number means the same test in two runs of which one has fewer such failures. If only the
//     test with beta fails, it has no number.
//   - Paths of the workspace are recognised even if the name of its directory holds a secret, and are redacted like all others.
//
// # The schema
//
// Schema returns it in full. A ToolResult is
//
//	identity     schema_version tool tool_family tool_version kind
//	verdict      status status_source exit_code signal timed_out partial exit_meaning
//	where        dir
//	tally        counts summary
//	trust        parser_confidence parser
//	evidence     raw_oid raw artifacts cases_oid outcomes
//	content      findings parts body baseline extra
//	honesty      truncated suppressed
//
// and a Finding is
//
//	nature       kind severity raw_severity source tags
//	test         id select suite name params attempts
//	rule         rule rule_name rule_url
//	text         message message_truncated detail expected actual operator diff
//	place        location at locations related frames
//	help         fixable suggestions fixes
//	package      package
//	identity     fingerprint group occurrence times baseline
//	evidence     raw_span extra
//
// The JSON is canonical: keys in the order of the Go fields, keys of maps sorted,
// optional fields left out when empty, findings always a list, no escaping of <, > and
// &, no floating-point number. A number in extra that is not an integer is a string.
//
// # Paths
//
// Every path has one form (Workspace.Path). In this order:
//
//  1. Clean; NFC; "file:" URLs lose scheme and host and are percent-decoded.
//  2. "", "-", a path that starts with "<" and one with another scheme ("://", "node:",
//     "bun:", "jar:", "ext:") stay as they are.
//  3. "~/" becomes the home directory. "\" becomes "/"; "//?/" is removed; ".", ".."
//     and "//" are resolved; the letter of a drive is lowered.
//  4. A relative path counts from the directory of the command and becomes
//     relative to the root; above the root it keeps its "../".
//  5. An absolute path below the root, or another spelling of it, becomes
//     relative to the root. It is external only below node_modules,
//     site-packages or dist-packages.
//  6. All others are external, and cut to the first of: node_modules/…,
//     site-packages/…, dist-packages/…, rustc/… (from /rustc/<hash>/… and
//     …/lib/rustlib/src/rust/…), registry/src/… without the name of the index,
//     go/src/… (below an installation of Go), pkg/mod/….
//  7. Below a directory for temporary files: "<tmp>/" and the last element. If
//     that is "tmp", perhaps ".", and six or more word characters, it becomes
//     "tmp#"; the "ccXXXXXX" of gcc before a dot becomes "cc#"; elsewhere six or
//     more digits become "#". This form is for identities only; a location keeps
//     the absolute path, so that it can be opened.
//  8. Below the home directory: "~/…".
//
// The id of a test, and its parts, hold no absolute path: a title that is the absolute
// path of a source file, or begins with one of the workspace, has that path as it opens
// from the directory of the command. The identity is made before that.
//
// So a path is the same wherever a command ran. ToolResult.Local is the path as it
// opens from the directory of the command, which is printed for people.
//
// # Fingerprint v1
//
//	fingerprint = hex12("cairn 2026-11-20 finding fingerprint v1", ["fp1", tool, rule, locator, message])
//	group       = hex12("cairn 2026-11-20 finding group v1", ["grp1", tool, class, rule, locator])
//	command key = hex12("cairn 2026-11-20 command key v1", ["cmd1", tool, dir, argument, …])
//
// hex12(context, list) is the first six bytes, in lower-case hex, of BLAKE3 in
// derive-key mode with that context, over the list as JSON: no white space, strings as
// RFC 8785 spells them (\b \t \n \f \r, \u00xx for the other control characters, \" and
// \\, all else as UTF-8).
//
//   - tool is the source of the finding or, without one, the tool of the result.
//   - rule is the finding's rule, unchanged. In the group of a test it is "".
//   - class is "test" for a test_failure and for a panic that has an id,
//     "diagnostic" for diagnostic, build_error and vulnerability, otherwise the
//     kind.
//   - locator: for a class of "test", the id where it is qualified or no path is
//     known, otherwise path "::" id. An id is qualified if its first word holds
//     "::", "/" or a dot between two word characters: a tool that writes such an id
//     promises that it names its file, package, crate or class. For a
//     vulnerability path "::" (the id, or the name of the package). For all others
//     the path or, without one, the id. The path is that of at.
//   - message is the message as normalised below; "" if message_truncated.
//
// The id in a locator: Clean, NFC. Each element between " › " or " > " that starts with
// the name of a source file has it replaced by its path, and the position behind it
// (":5", ":5:3", "[1:6]") is removed. Absolute paths are replaced as in a message. Then
// masks 1 to 3 below apply, and "(line 19)" becomes "(line #)"; an address needs at
// least eight digits. Other digits stay.
//
// The message, step by step:
//
//  1. Clean; NFC; backticks are removed; ‘ ’ ‚ become ' and “ ” „ become "; runs of white
//     space become one space; space, full stops and colons at the end are removed; NFC.
//  2. An absolute path that starts where no path can go on before it, up to white
//     space or punctuation, is replaced by its form above where steps 5 to 8
//     change it; the root itself becomes "<root>". Full stops and slashes at the
//     end of a path are not part of it, but of "./" and "." before a mask of step 3.
//     "file://" before a path is removed.
//  3. Masks, each from the start of a word (or punctuation) to where no word goes
//     on; the first that matches wins, from left to right:
//
// The masks, \d being an ASCII digit:
//
//	1  0x[0-9a-f]+ in either case                                      0x#
//	2  a date with a time of day, ISO 8601 (also with a space for the
//	   T, or slashes in the date) or RFC 1123, fraction and zone too    <time>
//	3  a UUID                                                          <uuid>
//	4  sixteen or more hex digits                                      <hex>
//	5  localhost, 127.0.0.1, 0.0.0.0 or [::1], ":", a port from 1024    host:<port>
//	6  \d+(\.\d+)?, perhaps a space, a unit of time from ns to hours;
//	   or several without spaces (1m30.5s); not right after a "."      <dur>
//	7  line, lines, col, cols, column or columns, in any case,
//	   and \d+, \d+-\d+ or \d+:\d+                                      line #
//	8  at \d+:\d+                                                      at #
//	9  :\d+:\d+                                                        :#
//	10 goroutine \d+; pid and one of " ", "=", ":", ": " and \d+        goroutine #
//	11 (\d+) after thread '…'                                          (#)
//	12 [gw\d+]                                                         [gw#]
//
// Nothing else changes: case and all other digits stay. Normalising twice is
// normalising once.
//
// The arguments of a command key: the first by its base name without ".exe"; in all,
// absolute paths replaced as in step 2. dir is relative to the repository, "" for its
// root.
//
// Another algorithm needs other names than fp1, grp1 and cmd1 and other contexts; a
// test with recorded fingerprints fails when this one changes by accident.
package result
