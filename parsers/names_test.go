package parsers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"cairn/parsers/exchange"
)

// innocent are words that are a tool's name and mean something else in the
// engine and in the readers.
var innocent = map[string]string{
	"checkstyle": "a format that many tools write",
	"next":       "a word of English, and of every loop",
	"python":     "a language: its traces are read wherever they are printed", "node": "a language: its traces are read wherever they are printed",
	"java": "a language: its traces are read wherever they are printed", "rust": "a language: its traces are read wherever they are printed", "perl": "a language: its traces are read wherever they are printed",
	"ruby": "a language: its traces are read wherever they are printed", "php": "a language: its traces are read wherever they are printed",
	"elixir": "a language: its traces are read wherever they are printed", "crystal": "a language: its traces are read wherever they are printed",
	"clojure": "a language: its traces are read wherever they are printed", "clj": "the ending of a language's files",
	"zig": "a language: its traces are read wherever they are printed", "ocaml": "a language: its traces are read wherever they are printed",
	"shell": "what starts tools has a package of that name", "sh": "a command line is a shell's if nothing else is said",
	"remark": "a word for a severity",
}

// innocentNames are words that mean something else in identifiers alone.
var innocentNames = map[string]string{
	"make": "a function of Go", "build": "a kind of result", "stack": "what is open while something nests", "go": "a method of sync.WaitGroup", "buf": "what is read ahead",
	"csi": "what begins a terminal's sequence", "gap": "lines that are left out of a text",
	"task": "a part of an output that a runner marks with a prefix", "coverage": "which bytes of an output are told",
}

// innocentText are whole literals.
var innocentText = map[string]string{
	"coverage/junit.xml":     "a folder that many tools write to",
	"stack":                  "a key of what TAP tells of a failure",
	"webpack://":             "a scheme of addresses in source maps, which browsers print in their stacks",
	"org.gradle.":            "packages of the JVM that are no code of the project",
	"worker.org.gradle.":     "packages of the JVM that are no code of the project",
	"org.testng.":            "packages of the JVM that are no code of the project",
	"org.scalatest.":         "packages of the JVM that are no code of the project",
	"io.kotest.":             "packages of the JVM that are no code of the project",
	"io.cucumber.":           "packages of the JVM that are no code of the project",
	"testng-results":         "the root of a form of report that several runners write",
	"<testng-results":        "the root of a form of report that several runners write",
	"org.apache.maven.":      "packages of the JVM that are no code of the project",
	"/rustc/":                "where sources of the toolchain lie, which are no code of the project",
	"/.cargo/git/checkouts/": "where sources of dependencies lie, which are no code of the project",
	"elixir ex_unit stdlib mix kernel logger eex iex": "applications of the BEAM that are no code of the project",
}

// nameless are the folders that know shapes and outputs, and no tool.
var nameless = []string{"tool", "read", "text/glance", "text/jsontext", "text/lex", "text/scan", "text/term", "text/xmltext", "internal/engine", "internal/reports"}

// TestEngineAndReadersNameNoTool: what a tool knows of itself is said in its
// room.
func TestEngineAndReadersNameNoTool(t *testing.T) {
	names := toolNames()
	for _, dir := range nameless {
		err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") {
				checkNames(t, file, names)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// toolNames are the registered tools, their families and programs, each as the
// words it consists of.
func toolNames() map[string][]string {
	names := map[string][]string{}
	for _, p := range All() {
		if slices.Contains(exchange.Room.Parsers(), p) {
			continue // a format that many tools write
		}
		for _, name := range append([]string{p.Tool, p.Family}, p.Programs...) {
			if words := wordsOf(name); len(strings.Join(words, "")) > 1 { // "c++" has no word
				names[name] = words
			}
		}
	}
	return names
}

func wordsOf(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// isFileEnding: ".java" is a kind of file.
func isFileEnding(s string) bool {
	return strings.HasPrefix(s, ".") && len(wordsOf(s)) == 1 && !strings.HasSuffix(s, ".")
}

func checkNames(t *testing.T, file string, names map[string][]string) {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	report := func(n ast.Node, text string, words []string, also map[string]string) {
		for name, want := range names {
			if contains(words, want) && innocent[name] == "" && also[name] == "" && innocentText[text] == "" {
				t.Errorf("%s: %q names %s, so a change of that tool would edit this file: declare it in the tool's Parser, or, of what starts tools, in text/shell", set.Position(n.Pos()), text, name)
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				if text, _ := strconv.Unquote(n.Value); !isFileEnding(text) {
					report(n, text, wordsOf(strings.ToLower(text)), nil)
				}
			}
		case *ast.Ident:
			report(n, n.Name, identWords(n.Name), innocentNames)
		}
		return true
	})
}

// identWords are the words of an identifier, in lower case: "goTest" is go, test.
func identWords(name string) (words []string) {
	start := 0
	for i, r := range name {
		if i > start && unicode.IsUpper(r) && !unicode.IsUpper(rune(name[i-1])) {
			words, start = append(words, strings.ToLower(name[start:i])), i
		}
	}
	return append(words, strings.ToLower(name[start:]))
}

func contains(words, want []string) bool {
	for i := 0; i+len(want) <= len(words); i++ {
		if strings.Join(words[i:i+len(want)], " ") == strings.Join(want, " ") {
			return true
		}
	}
	return false
}
