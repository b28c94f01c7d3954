package rust

import (
	"path"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// cargoTarget is one test binary, or the documentation tests of one crate.
type cargoTarget struct {
	kind   string // lib, bin, test, example, bench, doc; "" unknown
	name   string // of the target; for lib and doc, the crate's
	source string // its first file, relative to the package: "tests/it.rs"
	pkg    string // package, if cargo prints it
	rerun  string // the options after "to rerun pass"
	failed bool
	cause  string // "process didn't exit successfully (signal: 11, …)"
	header bool   // "Running …" was printed, which -q suppresses

	start, end int64
	causeSpan  result.Span
	loose      rustLoose // printed on cargo's own stream while the target ran
	blocks     []*libtestBlock
}

// readCargoRunning reads the header of a test binary; binary is its path.
//
//	Running unittests src/lib.rs (target/debug/deps/lexer-831829d4dd84a192)
//	Running tests/integration.rs (target/debug/deps/integration-70874e5c7a6f08ea)
//	Running target/debug/deps/lexer-831829d4dd84a192                 before 1.57
//	Running `/src/target/debug/deps/lexer-831829d4dd84a192 --quiet`  with -v
//	Doc-tests lexer
func readCargoRunning(s string) (t *cargoTarget, binary string, ok bool) {
	if name, ok := strings.CutPrefix(s, "   Doc-tests "); ok && name != "" && !strings.Contains(name, " ") {
		crate := strings.ReplaceAll(name, "-", "_") // before Rust 1.80 this was the package's name
		return &cargoTarget{kind: "doc", name: crate, header: true}, "", true
	}
	rest, ok := strings.CutPrefix(s, "     Running ")
	if !ok {
		return nil, "", false
	}
	if command, ok := strings.CutPrefix(rest, "`"); ok {
		binary = cargoVerboseBinary(strings.TrimSuffix(command, "`"))
		rest = ""
	} else if source, in, found := strings.Cut(rest, " ("); found {
		rest, binary = source, strings.TrimSuffix(in, ")")
	} else {
		rest, binary = "", rest
	}
	name, hashed := cutCargoHash(path.Base(strings.ReplaceAll(binary, `\`, "/")))
	if !hashed {
		return nil, "", false
	}
	t = &cargoTarget{name: name, header: true}
	rest = strings.ReplaceAll(rest, `\`, "/")
	t.kind = cargoKind(rest, binary)
	if source, _ := strings.CutPrefix(rest, "unittests "); source != "unittests" { // before 1.57 the line had no more than that
		t.source = source
	}
	return t, binary, true
}

// cargoVerboseBinary returns the program of a command line, which may begin with variables ("A=b program").
func cargoVerboseBinary(command string) string {
	for w := range strings.FieldsSeq(command) {
		if !lex.IsAssignment(w) {
			return w
		}
	}
	return ""
}

// cutCargoHash cuts "-831829d4dd84a192" off a binary's name: "lexer-831829d4dd84a192" gives "lexer".
func cutCargoHash(s string) (name string, ok bool) {
	s = strings.TrimSuffix(s, ".exe")
	i := strings.LastIndexByte(s, '-')
	if i <= 0 || len(s)-i-1 < 16 || strings.Trim(s[i+1:], "0123456789abcdef") != "" {
		return "", false
	}
	return s[:i], true
}

// cargoKind is the kind of target that a source belongs to. Cargo prints "unittests" before sources of
// libraries, binaries and examples.
func cargoKind(source, binary string) string {
	source, unit := strings.CutPrefix(source, "unittests ")
	switch {
	case strings.Contains(strings.ReplaceAll(binary, `\`, "/"), "/examples/") || strings.HasPrefix(source, "examples/"):
		return "example"
	case strings.HasPrefix(source, "benches/"):
		return "bench"
	case unit && (strings.HasSuffix(source, "main.rs") || strings.HasPrefix(source, "src/bin/")):
		return "bin"
	case unit || source == "unittests":
		return "lib"
	case source != "":
		return "test"
	}
	return ""
}

// readCargoRerun reads "error: test failed, to rerun pass `-p lexer --lib`".
func readCargoRerun(s string) (args string, ok bool) {
	rest, ok := strings.CutPrefix(s, "error: ")
	if !ok {
		return "", false
	}
	for _, what := range []string{"test", "doctest", "bench"} {
		if rest, ok := strings.CutPrefix(rest, what+" failed, to rerun pass "); ok {
			return strings.Trim(rest, "`'"), true
		}
		if rest == what+" failed" {
			return "", true
		}
	}
	return "", false
}

// learn takes the options of "to rerun pass", the most reliable name of a target.
func (t *cargoTarget) learn(args string) {
	t.failed, t.rerun = true, args
	words := strings.Fields(args)
	for i, w := range words {
		value := ""
		if i+1 < len(words) {
			value = words[i+1]
		}
		switch w {
		case "-p":
			t.pkg, _, _ = strings.Cut(value, "@")
			if j := strings.LastIndexAny(t.pkg, "/#"); j >= 0 {
				t.pkg = t.pkg[j+1:]
			}
		case "--lib", "--doc":
			t.kind = w[2:]
		case "--bin", "--test", "--example", "--bench":
			t.kind, t.name = w[2:], value
		}
	}
	if t.name == "" && (t.kind == "lib" || t.kind == "doc") {
		t.name = strings.ReplaceAll(t.pkg, "-", "_")
	}
}

// id names the target in the ids of its tests: a library by its crate, integration tests by package and name, other
// targets by kind and name. Cargo prints the package only if it runs tests of more than one; otherwise the directory
// below the top of the repository replaces it.
func (t *cargoTarget) id(in *tool.Input) string {
	if t == nil {
		return ""
	}
	switch t.kind {
	case "bin", "example":
		return t.kind + "/" + t.name
	case "test", "bench":
		name := t.name
		if t.kind == "bench" {
			name = "bench/" + name
		}
		if pkg := t.packageName(in); pkg != "" {
			return pkg + "::" + name
		}
		return name
	}
	if t.name == "" {
		return strings.ReplaceAll(t.packageName(in), "-", "_")
	}
	return t.name
}

// only says whether the target is the library of the only package, at the top of the workspace. The ids of its tests
// are their bare names, since under -q cargo does not name the crate, and "cargo test tests::eq" finds them.
func (t *cargoTarget) only(in *tool.Input) bool {
	return t != nil && t.failed && t.pkg == "" && (t.kind == "lib" || t.kind == "doc") && (in.Workspace.Dir == in.Workspace.Root || in.Workspace.Dir == "")
}

func (t *cargoTarget) packageName(in *tool.Input) string {
	if t.pkg != "" {
		return t.pkg
	}
	if !t.failed { // nothing else would report the failure
		if pkg := onlyPackage(in.Command().Argv); pkg != "" {
			return pkg
		}
	}
	root, dir := strings.TrimRight(in.Workspace.Root, `/\`), strings.TrimRight(in.Workspace.Dir, `/\`)
	if rest, ok := strings.CutPrefix(dir, root); ok && root != "" && rest != "" && (rest[0] == '/' || rest[0] == '\\') {
		return path.Base(strings.ReplaceAll(rest, `\`, "/"))
	}
	return ""
}

// onlyPackage is the value of -p, or "" if the command line does not have exactly one.
func onlyPackage(argv []string) (pkg string) {
	for i, a := range argv {
		if (a == "-p" || a == "--package") && i+1 < len(argv) {
			if pkg != "" {
				return ""
			}
			pkg = argv[i+1]
		}
	}
	return pkg
}
