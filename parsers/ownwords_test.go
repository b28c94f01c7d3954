package parsers

import (
	"strings"
	"testing"
)

// TestProgramsOwnWords: what a program says is wrong, before it ends in a way that its language reports, is text beside
// the finding.
func TestProgramsOwnWords(t *testing.T) {
	const own = "ERROR: cannot open config.toml: permission denied\n"
	for line, ends := range map[string]string{
		"node a.js":     "/srv/a.js:2\nthrow new Error('startup failed');\n^\n\nError: startup failed\n    at Object.<anonymous> (/srv/a.js:2:7)\n\nNode.js v20.20.2\n",
		"java A.java":   "Exception in thread \"main\" java.lang.RuntimeException: startup failed\n\tat A.main(A.java:1)\n",
		"ruby a.rb":     "a.rb:3:in `<main>': startup failed (RuntimeError)\n",
		"perl a.pl":     "startup failed at a.pl line 3.\n",
		"lua a.lua":     "lua: a.lua:3: startup failed\nstack traceback:\n\t[C]: in function 'error'\n\ta.lua:3: in main chunk\n\t[C]: in ?\n",
		"Rscript a.R":   "Error: startup failed\nExecution halted\n",
		"python3 a.py":  "Traceback (most recent call last):\n  File \"/srv/a.py\", line 4, in <module>\n    raise RuntimeError('startup failed')\nRuntimeError: startup failed\n",
		"go run a.go":   "panic: startup failed\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/a.go:3 +0x59\nexit status 2\n",
		"php a.php":     "PHP Fatal error:  Uncaught Exception: startup failed in /srv/a.php:2\nStack trace:\n#0 {main}\n  thrown in /srv/a.php on line 2\n",
		"tclsh a.tcl":   "startup failed\n    while executing\n\"error \"startup failed\"\"\n    (file \"a.tcl\" line 3)\n",
		"deno run a.ts": "error: Uncaught (in promise) Error: startup failed\nthrow new Error('startup failed');\n      ^\n    at file:///srv/a.ts:2:7\n",
	} {
		r := ofShell(line, strings.Repeat("row of the table was imported\n", 40)+own+ends, 1)
		if told := r.Body; !strings.Contains(told, strings.TrimSpace(own)) {
			t.Errorf("%s: %s: %+v\n%s", line, r.ParserConfidence, r.Findings, told)
		}
	}
}
