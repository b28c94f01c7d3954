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
		"names and values":                     {"frob x", "fileName=\"a.md\" lineNumber=7 ruleName=MD032 ruleDescription=\"Lists \\\"x\\\"\" errorSeverity=\"error\"\nfile=a.md checked=3\n", []string{"error a.md:7 MD032|Lists \"x\"|", "complete"}},
		"columns with the place last":          {"frob x", "warn   no-var          Unexpected var.    /src/a.js:3:7\nerror  no-unused-vars  'x' is never used.  /src/b.js:9:1\nfatal                  Unexpected (        /src/c.js:1:10\n", []string{"warning /src/a.js:3:7 no-var|Unexpected var.|", "error /src/b.js:9:1 no-unused-vars|'x' is never used.|", "error /src/c.js:1:10 |Unexpected (|", "complete"}},
		"a place with an at sign":              {"frob x", "a.py@4:11 UseFstring: no\n", []string{"error a.py:4:11 |UseFstring: no|", "complete"}},
		"a line and a column with a comma":     {"frob x", "CMakeLists.txt:05,00: [C0111] no doc\n", []string{"error CMakeLists.txt:5 C0111|no doc|", "complete"}},
		"a blank before the line":              {"frob x", "/h/bad.cmake: 2:7: unbalanced\n", []string{"error /h/bad.cmake:2:7 |unbalanced|", "complete"}},
		"a blank before the column":            {"frob x", "  /h/a.fbs:2: 12: error: unknown root type: X\n", []string{"error /h/a.fbs:2:12 |unknown root type: X|", "complete"}},
		"a severity and a comma":               {"frob x", "b.l:3: warning, rule cannot be matched\n", []string{"warning b.l:3 |rule cannot be matched|", "complete"}},
		"docutils' severity":                   {"frob x", "a.rst:6: (ERROR/3) Unknown directive\na.rst:4: (WARNING/2) odd\na.rst:7: (INFO/1) well\n", []string{"error a.rst:6 |Unknown directive|", "warning a.rst:4 |odd|", "complete"}},
		"a number behind the severity":         {"frob x", "a.c:2: warning 112: implicit\na.c:3: error 47: other types\n", []string{"warning a.c:2 112|implicit|", "error a.c:3 47|other types|", "complete"}},
		"what can be mended is no rule":        {"frob x", "a.f90:2:2: S071 [*] missing '::'\n", []string{"error a.f90:2:2 S071|missing '::'|", "complete"}},
		"a message of two lines":               {"frob x", "Makefile.am:3: warning: defined but no program or\nMakefile.am:3: library has the name\nMakefile.am:4: error: no\n", []string{"warning Makefile.am:3 |defined but no program or|Makefile.am:3: library has the name", "error Makefile.am:4 |no|", "complete"}},
		"what is being done is no diagnostic":  {"frob x", "configure.ac:2: installing './missing'\nconfigure.ac:4: error: no\n", []string{"error configure.ac:4 |no|", "complete"}},
		"what a formatter would do":            {"frob x", "Would sort a.py\nwould have reindented b.html\nWould start x.service\n", []string{"error a.py unformatted|Would sort|", "error b.html unformatted|would have reindented|", "complete"}},
		"a quoted path and words":              {"frob x", "frob: \"/h/b.mk\" line 3: Malformed conditional\n", []string{"error /h/b.mk:3 |Malformed conditional|", "complete"}},
		"the line of a syntax error":           {"frob x", "a.ksh: syntax error at line 3: `fi' unexpected\nError: a.dot: syntax error in line 1 near ';'\n", []string{"error a.ksh:3 |syntax error at line 3: `fi' unexpected|", "error a.dot:1 |syntax error in line 1 near ';'|", "complete"}},
		"a letter for the severity":            {"frob x", "frob:a.xml:1:0:E: no document type\nfrob:a.xml:2:3:W: odd\n", []string{"error a.xml:1 |no document type|", "warning a.xml:2:3 |odd|", "complete"}},
		"a program that was called":            {"frob x", "troff: a.1:4: warning: macro 'Xx' not defined\nat: b.c:5: reading\n", []string{"warning a.1:4 |macro 'Xx' not defined|", "complete"}},
		"a place in brackets":                  {"frob x", "(a.wdl Ln 4 Col 19) Unknown identifier y\n(see Ln 4 Col 9) of it\n", []string{"error a.wdl:4:19 |Unknown identifier y|", "complete"}},
		"a rule behind the line":               {"frob x", "ERROR: q.vhd(2)port_014 -- Move ) to next line.\nf(2)x -- y\n", []string{"error q.vhd:2 port_014|Move ) to next line.|", "complete"}},
		"a paragraph of names and values":      {"frob x", ">> Issue: odd\n   Severity: Low   Confidence: High\n   Location: a/b.py:4:1\n4\timport x\n\nRuleID: key\nFile:  c.pem\nLine:  1\nRuleID: token\nFile:  c.pem\nLine:  9\n", []string{"error a/b.py:4:1 |odd|   Severity: Low   Confidence: High⏎   Location: a/b.py:4:1⏎4\timport x", "error c.pem:1 key|key|File:  c.pem⏎Line:  1", "error c.pem:9 token|token|File:  c.pem⏎Line:  9", "complete"}},
		"a diagnostic right below such":        {"frob x", "RuleID: key\nFile: c.pem\nLine: 1\nsrc/a.c:3:7: error: no such thing\n", []string{"error c.pem:1 key|key|File: c.pem⏎Line: 1", "error src/a.c:3:7 |no such thing|", "complete"}},
		"a place below the head of a file":     {"frob x", "Checking of api.yaml:\n\nMessage: odd\nLocation: a/b.py:4:1\n", []string{"error a/b.py:4:1 |odd|Location: a/b.py:4:1", "complete"}},
		"a paragraph without a place":          {"frob x", "File: c.pem\nfrob: no such key\n", []string{"error - |frob: no such key|", "complete"}},
		"a rule before the severity":           {"frob x", "Dockerfile:3 DL3015 info: odd\nDockerfile:4 DL3004 error: no\n", []string{"info Dockerfile:3 DL3015|odd|", "error Dockerfile:4 DL3004|no|", "complete"}},
		"a note with a rule, and one without":  {"frob x", "a.sh:3:1: note: no [SC2035]\na.c:3:1: note: declared here\n", []string{"info a.sh:3:1 SC2035|no|", "complete"}},
		"a rule behind a severity in brackets": {"frob x", "a.yml:2:5: [error] too many (colons)\na.yml:3:1: error: f of (int)\n", []string{"error a.yml:2:5 colons|too many|", "error a.yml:3:1 |f of (int)|", "complete"}},
		"a code with its name":                 {"frob x", "a.md:1 error MD022/blanks-around-headings no\n", []string{"error a.md:1 MD022/blanks-around-headings|no|", "complete"}},
		"an empty word":                        {"frob x", "error:\n", []string{"declined"}},
	} {
		tells(t, name, Diagnostics(input(c.command, "", c.stderr)), c.want...)
	}
}
