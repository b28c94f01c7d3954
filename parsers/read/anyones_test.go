package read

import "testing"

// TestAnyones: what a program without a parser says of its failure, and what it
// says beside that.
func TestAnyones(t *testing.T) {
	for name, c := range map[string]struct {
		command, stderr string
		want            []string
	}{
		"information stands before the reason": {"frob x", "frob: directory '/h/.frob' created\nfrob: keybox 'p' made\nfrob: decryption failed: no secret\n", []string{"error - |frob: decryption failed: no secret|", "complete"}},
		"npm's warning is no reason":           {"frob x", "frob: stopping here\nnpm warn Unknown user config \"nodedir\".\n", []string{"error - |frob: stopping here|", "complete"}},
		"without alarm the last is the reason": {"frob x", "frob: reading x\nfrob: stopping here\n", []string{"error - |frob: stopping here|", "complete"}},
		"and what is said in its words":        {"frob a b", "frob: starting\nfrob: a: odd header\nfrob: b: odd header\n", []string{"error - |frob: a: odd header|", "error - |frob: b: odd header|", "complete"}},
		"a place behind the program":           {"frob x", "frob: x.conf:3: bad thing\n", []string{"error x.conf:3 |bad thing|", "complete"}},
		"a place behind a word":                {"frob x", "error: x.conf:3 odd key\n", []string{"error x.conf:3 |odd key|", "complete"}},
		"a place in a sentence":                {"frob x", "[ALERT] (17) : parsing [x.cfg:3] : unknown keyword\n", []string{"error x.cfg:3 |[ALERT] (17) : parsing [x.cfg:3] : unknown keyword|", "complete"}},
		"line before file":                     {"frob x", "2026-11-22T10:00:00Z Fatal error : Invalid word at line 2 in file /e/x.conf\n", []string{"error /e/x.conf:2 |Invalid word at line 2 in file /e/x.conf|", "complete"}},
		"fields of a log":                      {"frob x", "time=\"2026-11-22T10:00:00Z\" level=info msg=\"begun\"\ntime=\"2026-11-22T10:00:01Z\" level=fatal msg=\"no \\\"x\\\"\"\n", []string{"error - |no \"x\"|", "complete"}},
		"a file without a line":                {"frob x", "x.desktop: error: odd key\nx.desktop: hint: another\n", []string{"error x.desktop |odd key|", "complete"}},
		"a path without an ending":             {"frob x", "sudoers:2:16: syntax error\n", []string{"error sudoers:2:16 |syntax error|", "complete"}},
		"carets below the source":              {"frob x", "frob: a.k:3: }\nfrob: a.k:3:   ^ syntax error\n", []string{"error a.k:3 |syntax error|frob: a.k:3:   ^ syntax error", "complete"}},
		"a host is no file":                    {"frob x", "Could not connect to Redis at 127.0.0.1:9: Connection refused\n", []string{"error - |Could not connect to Redis at 127.0.0.1:9: Connection refused|", "complete"}},
		"a letter is no drive":                 {"frob x", "I: org.x.X:5: summary has a dot\n", []string{"declined"}},
		"the program's own source":             {"frob x", "Can't open y: No such file at /usr/bin/frob line 12.\n", []string{"error - |Can't open y: No such file at /usr/bin/frob line 12.|", "complete"}},
		"several lines of alarm, none of form": {"frob x", "Could not do this\nFailed to do that\n", []string{"declined"}},
		"a count is no reason":                 {"frob x", "Ran 3 of them\nFAILED (failures=2)\n", []string{"declined"}},
		"a document is no sentence":            {"frob x", "<suite><case name=\"x\"><failure message=\"m\"/></case></suite>\n", []string{"declined"}},
		"a stack behind the printer's name":    {"frob x", "[frob] no disk\n[frob]     at f (/h/node_modules/a/b.js:3:5)\n[frob]     at Object.error (/h/node_modules/a/fail.js:9:1)\n", []string{"declined"}},
		"the number of a process in a log":     {"frob x", "[2026-11-22 23:08:59 +0000] [18499] [INFO] starting\n[2026-11-22 23:08:59 +0000] [18499] [ERROR] no such address\n", []string{"error - |no such address|", "complete"}},
		"the word alone above what is wrong":   {"frob x", "Error: \nUnable to load it.\nThe module y was not found.\n", []string{"error - |Unable to load it.|", "complete"}},
		"what is announced stands below":       {"frob x", "frob: Unexpected output:\n\nError: no such file: y\n", []string{"error - |Error: no such file: y|", "complete"}},
		"an exception with its stack":          {"frob x", "You may have hit a bug.\n\nTypeError: no 'find'\n    at check (/h/node_modules/frob/a.js:52:47)\n    at run (/h/src/b.js:3:5)\n", []string{"error /h/src/b.js:3:5 TypeError|no 'find'|    at check (/h/node_modules/frob/a.js:52:47)⏎    at run (/h/src/b.js:3:5)", "complete"}},
		"an exception without a stack":         {"frob x", "TypeError: no 'find'\nand so on\n", []string{"error - |TypeError: no 'find'|", "complete"}},
		"rows below a path":                    {"frob x", "README.md\n  3:7   error    too long   line-length\n  9:1   info     odd   heading\n\nc/T.sol\n  1:1  warning  old  ver\n", []string{"error README.md:3:7 line-length|too long|", "warning c/T.sol:1:1 ver|old|", "complete"}},
		"rows below a sentence":                {"frob x", "Checked 3 files in docs/a.md:\n  3:7   error    too long   line-length\n", []string{"declined"}},
		"times below a path":                   {"frob x", "docs/a.md\n  10:30 started\n  10:31 failed to stop\n", []string{"declined"}},
		"columns with the place last":          {"frob x", "warn   no-var          Unexpected var.    /src/a.js:3:7\nerror  no-unused-vars  'x' is never used.  /src/b.js:9:1\nfatal                  Unexpected (        /src/c.js:1:10\n", []string{"warning /src/a.js:3:7 no-var|Unexpected var.|", "error /src/b.js:9:1 no-unused-vars|'x' is never used.|", "error /src/c.js:1:10 |Unexpected (|", "complete"}},
		"an empty word":                        {"frob x", "error:\n", []string{"declined"}},
	} {
		tells(t, name, Diagnostics(input(c.command, "", c.stderr)), c.want...)
	}
}
