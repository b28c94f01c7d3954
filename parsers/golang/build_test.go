package golang

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/tool"
	"cairn/result"
)

// TestGoBuildToldByGoTest: the errors of a compiler and of vet are the same
// findings whichever command of go says them, and in whichever format.
func TestGoBuildToldByGoTest(t *testing.T) {
	const build = `# example.com/shop/dupe
dupe/b.go:3:6: F redeclared in this block
	dupe/a.go:3:6: other declaration of F
dupe/b.go:9:2: not enough return values
	have (number)
	want (int, error)
`
	const vet = `# example.com/shop/v
# [example.com/shop/v]
v/v_test.go:9:14: fmt.Printf format %d has arg "x" of wrong type string
`
	const cycle = `package example.com/shop/a
	imports example.com/shop/b from a.go
	imports example.com/shop/a from b.go: import cycle not allowed
`
	for name, test := range map[string]struct{ alone, shell, pkg, text, test string }{
		"compile": {"go build ./...", "go test ./...", "example.com/shop/dupe [build failed]", build, build},
		"vet":     {"go vet ./...", "go test ./...", "example.com/shop/v [build failed]", vet, vet},
		"cycle":   {"go build ./...", "go test ./...", "example.com/shop/a [setup failed]", cycle, "# example.com/shop/a\n" + cycle},
	} {
		t.Run(name, func(t *testing.T) {
			want := goIdentities(test.alone, "", test.text)
			if len(want) == 0 {
				t.Fatal("nothing is told")
			}
			if got := goIdentities(test.shell, "FAIL\t"+test.pkg+"\nFAIL\n", test.test); !slices.Equal(got, want) {
				t.Errorf("by go test\n %s\nalone\n %s", strings.Join(got, "\n "), strings.Join(want, "\n "))
			}
			if got := goIdentities("make", "", test.text); !slices.Equal(got, want) {
				t.Errorf("by make\n %s\nalone\n %s", strings.Join(got, "\n "), strings.Join(want, "\n "))
			}
		})
	}
}

func goIdentities(shellText, stdout, stderr string) (all []string) {
	in := tool.Input{Shell: shellText, Source: tool.Separate([]byte(stdout), []byte(stderr)), Workspace: result.Workspace{Root: "/home/dev/shop", Dir: "/home/dev/shop"}}
	for _, f := range casetest.ParseKnown(in, result.Exit{Observed: true, Code: 1}).Findings {
		all = append(all, fmt.Sprintf("%s %s %s %s", f.Location, f.Rule, f.Message, f.Fingerprint))
	}
	return all
}

// TestGoVetRules: the rule that is read from the words of a diagnostic is the
// analyzer that -json names.
func TestGoVetRules(t *testing.T) {
	for _, pair := range [][2]string{{"go-vet/text", "go-vet/json"}, {"go-vet/text-124", "go-vet/json-124"}, {"go-build/compile", "go-build/compile-json"}} {
		text, json := identities(casetest.Read(t, pair[0]).Parse()), identities(casetest.Read(t, pair[1]).Parse())
		if len(text) == 0 || !slices.Equal(text, json) {
			t.Errorf("%s\n %s\n%s\n %s", pair[0], strings.Join(text, "\n "), pair[1], strings.Join(json, "\n "))
		}
	}
}

// TestGoSilent: what only looks like the go command's is not its own.
func TestGoSilent(t *testing.T) {
	for name, in := range map[string][2]string{
		"linter":       {"golangci-lint run", "a/a.go:3:4: fmt.Printf format %d has arg \"x\" of wrong type string (govet)\n"},
		"linter, make": {"make lint", "a/a.go:3:4: fmt.Printf format %d has arg \"x\" of wrong type string (govet)\n"},
		"linter, run":  {"go run example.com/lint ./...", "a/a.go:3:4: unreachable code after this statement\n"},
		"source":       {"cat a.go", "package main\n\nfunc main() {}\n"},
		"markdown":     {"cat README.md", "# shop\n\n# usage\ngo build ./...\n"},
		"dry run":      {"go build -n ./a", "#\n# example.com/shop/a\n#\n\ncd /home/dev/shop\n"},
		"downloads":    {"go build ./...", "go: downloading example.com/x v1.2.3\n"},
		"log":          {"./server", "main.go:12: no module provides package x\n"},
		"set -x":       {"bash -x build.sh", "go build -o shop ./cmd: it\n"},
		"headers in C": {"make", "# include/x\nx.c:3:4: error: no\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := casetest.ParseKnown(tool.Input{Shell: in[0], Source: tool.Separate(nil, []byte(in[1]))}, result.Exit{Observed: true})
			if r.Status != result.OK || len(r.Findings) > 0 && r.Tool != "golangci-lint" && r.Tool != "make" {
				t.Errorf("%s by %s with %v", r.Status, r.Tool, r.Findings)
			}
		})
	}
}

// TestGoRefused: what the go command says before it builds or tests anything is
// the same finding from either.
func TestGoRefused(t *testing.T) {
	for said, want := range map[string]string{
		"go: errors parsing go.mod:\ngo.mod:3: unknown directive: goo\n":                                         "build_error||go.mod:3|unknown directive: goo",
		"go: updates to go.mod needed; to update it:\n\tgo mod tidy\n":                                           "build_error|||updates to go.mod needed",
		"go: go.mod requires go >= 1.99 (running go 1.26.8; GOTOOLCHAIN=local)\n":                                "build_error|||go.mod requires go >= 1.99 (running go 1.26.8; GOTOOLCHAIN=local)",
		"go: inconsistent vendoring in /home/dev/shop:\n\texample.com/a@v1.0.0: is marked as explicit\n":         "build_error|||inconsistent vendoring in /home/dev/shop: example.com/a@v1.0.0: is marked as explicit",
		"cart/a.go:3:8: no required module provides package example.com/x; to add it:\n\tgo get example.com/x\n": "build_error||cart/a.go:3:8|no required module provides package example.com/x",
	} {
		for _, shellText := range []string{"go test ./...", "go test -json ./...", "go build ./..."} {
			casetest.SameLines(t, brief(wrapped(shellText, "", said)), []string{"failed parsed", want})
		}
	}
}

// TestGoUnknown: a command that there is not, and gofmt's words from "go fmt".
func TestGoUnknown(t *testing.T) {
	casetest.SameLines(t, brief(wrapped("go biuld ./...", "", "go biuld: unknown command\nRun 'go help' for usage.\n")), []string{"error parsed", "generic|||go biuld: unknown command"})
	casetest.SameLines(t, brief(wrapped("go fmt ./...", "", "cart/a.go:3:9: expected ')', found '{'\nexit status 2\n")), []string{"failed parsed", "build_error||cart/a.go:3:9|expected ')', found '{'"})
}
