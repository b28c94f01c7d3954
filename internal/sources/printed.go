package sources

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/result"
)

// SeeFiles corrects in a sealed result what only the files of the workspace can show: see SeePaths and
// printed. It is for a run that has just ended. After an older run the files may have changed, and a
// test that failed then and was removed since would seem never to have existed.
func SeeFiles(r *result.ToolResult, w result.Workspace) {
	SeePaths(r, w)
	printed(r, w)
}

// SeesPrinted says whether printed removed something from a recorded result, because of the files at that time.
func SeesPrinted(r *result.ToolResult) bool {
	return slices.ContainsFunc(r.Suppressed, func(s result.Suppressed) bool { return s.Reason == isPrinted })
}

// isPrinted is the reason for removing a failure.
const isPrinted = "a test printed it, and the package has no test of the name"

// printed removes text that a test printed and that looks like the failure of another test, in
// the output of go test without -v. It does so only if the files of the package are here and
// have no function of that name; and if something else failed in the package, so that the
// failure stays visible. Suppressed counts the removed findings.
func printed(r *result.ToolResult, w result.Workspace) {
	if r.Tool != "go-test" || r.Parser == nil || r.Parser.Format != "text" || len(r.Parts) > 0 {
		return
	}
	real, ghosts := map[string]bool{}, map[string]bool{}
	read := map[string]string{}
	for _, f := range r.Findings {
		if pkg, test, ok := goTest(f); ok {
			if _, known := read[pkg]; !known {
				read[pkg] = goTests(w, pkg)
			}
			ghost := read[pkg] != "" && !declares(read[pkg], test)
			ghosts[f.ID], real[pkg] = ghost, real[pkg] || !ghost
		}
	}
	ghost := func(f result.Finding) bool {
		pkg, _, ok := goTest(f)
		return ok && ghosts[f.ID] && real[pkg]
	}
	left := slices.DeleteFunc(slices.Clone(r.Findings), ghost)
	n := len(r.Findings) - len(left)
	if n == 0 || r.Counts["failed"] <= n { // the tool's count does not include them, so they cannot be subtracted
		return
	}
	r.Findings = left
	r.Counts["failed"] -= n
	r.Truncated.FindingsTotal -= n
	r.Truncated.FindingsShown = len(r.Findings)
	r.Suppressed = append(r.Suppressed, result.Suppressed{Kind: "failures", Count: n, Reason: isPrinted})
	r.Summary = result.Summarise(r)
}

// goTest returns the package and the function of a failed test.
func goTest(f result.Finding) (pkg, function string, ok bool) {
	if f.Kind != result.TestFailure || f.Name == "" || len(f.Suite) != 1 || f.Source != "" && f.Source != "go-test" {
		return "", "", false
	}
	function, _, _ = strings.Cut(f.Name, "/")
	return f.Suite[0], function, true
}

// goTests is the text of all test files of a package; "" if they are not found.
func goTests(w result.Workspace, pkg string) string {
	for dir := w.Dir; ; dir = filepath.Dir(dir) {
		if mod, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
			rel, ok := strings.CutPrefix(pkg+"/", moduleOf(string(mod))+"/")
			if !ok {
				return ""
			}
			return testFiles(filepath.Join(dir, filepath.FromSlash(path.Clean(rel))))
		}
		if dir == w.Root || len(dir) <= len(w.Root) {
			return ""
		}
	}
}

func moduleOf(mod string) string {
	for line := range strings.Lines(mod) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "module" {
			return strings.Trim(words[1], "\"`")
		}
	}
	return "?"
}

// testFiles is the text of a directory's test files; "" if a file cannot be read.
func testFiles(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	var all strings.Builder
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return ""
		}
		all.Write(text)
		all.WriteByte('\n')
	}
	return all.String()
}

// declares says whether a Go text may have a function with a name.
func declares(text, name string) bool {
	for {
		_, after, ok := strings.Cut(text, "func")
		if !ok {
			return false
		}
		text = after
		declared := strings.TrimLeftFunc(after, unicode.IsSpace)
		if rest, ok := strings.CutPrefix(declared, name); ok && declared != after {
			if r, _ := utf8.DecodeRuneInString(rest); r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return true
			}
		}
	}
}
