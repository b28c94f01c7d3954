package shell

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
)

// ShowsDocuments reports whether a command line does nothing but show source code, manuals or commits: "cat README.md",
// "grep -n FAIL src/*.go | head", "git show HEAD", "go doc os.File", "cargo test --help". These quote what tools print,
// so nothing that looks like a tool's report happened in this run.
func (c Command) ShowsDocuments() bool { return !c.substitutes && c.showing() == showsDocument }

// AsksForText reports whether a command of the line was called for what it prints, which a summary leaves out: a difference, what a
// debugger shows, a list of tests, or what tests print. "gofmt -d .", "gdb -batch -ex bt ./app", "cargo test x -- --nocapture".
func (c Command) AsksForText() bool {
	asks := func(l Command) bool {
		flags, program := "--diff --nocapture --no-capture --show-output --capture=no --list --list-tests --collect-only --gtest_list_tests", l.Program()
		switch {
		case lex.IsOneOf(program, "gofmt goimports gofumpt shfmt"):
			flags += " -d"
		case lex.IsOneOf(program, "pytest py.test"):
			flags += " -s -rP"
		case program == "go" && slices.ContainsFunc(l.Argv, func(a string) bool { return strings.HasPrefix(a, "-run") }):
			flags += " -v"
		}
		return lex.IsOneOf(program, "gdb lldb dlv rust-gdb rust-lldb jdb") || slices.ContainsFunc(l.Argv, func(a string) bool { return lex.IsOneOf(a, flags) })
	}
	return asks(c) || slices.ContainsFunc(c.Listed, asks)
}

// OnlyShows reports whether a command line does nothing but print files, names of files, or what a version control
// keeps: no program runs whose output it shows. A command that is not known may do anything.
func (c Command) OnlyShows() bool {
	return len(c.Argv)+len(c.Listed) > 0 && !c.substitutes && c.showing() != showsOther
}

// Runs reports whether the command line runs the program.
func (c Command) Runs(program string) bool {
	return c.Program() == program || slices.ContainsFunc(c.Listed, func(l Command) bool { return l.Program() == program })
}

// Displays reports whether a command is there to print files, names or a history: "git status", "ls -la", "tail a.log".
func (c Command) Displays() bool {
	edits := func(a string) bool { return strings.HasPrefix(a, "-i") || strings.HasPrefix(a, "--in-place") } // of sed
	return len(c.Argv) > 0 && !lex.IsOneOf(c.Argv[0], quiet) && c.shows() != showsOther && (c.Argv[0] != "sed" || !slices.ContainsFunc(c.Argv, edits))
}

// Prints reports whether a command may print text of its own.
func (c Command) Prints() bool {
	return PrintsOwn(c.Argv) && !lex.IsOneOf(c.Argv[0], quiet+" false exit return break continue cd pushd popd kill mkdir rm rmdir cp mv ln touch chmod stty clear source .")
}

func (c Command) showing() showing {
	if c.Opaque {
		return showsOther
	}
	if len(c.Listed) == 0 {
		return c.shows()
	}
	all := showsNothing
	for _, one := range c.Listed {
		s := one.shows()
		if s == showsOther {
			return showsOther
		}
		all = max(all, s)
	}
	return all
}

// IsHit reports whether a line is one that a search found in a document, behind its name: "src/a.go:12:	text", "src/a.go-13-".
func IsHit(line []byte) bool {
	for i, c := range line {
		switch {
		case c == ' ' || c == '\t':
			return false
		case c == ':' || c == '-':
			if isDocument(string(line[:i])) {
				return true
			}
			if c == ':' && i > 1 {
				return false
			}
		}
	}
	return false
}

// showing is what a simple command shows.
type showing int

const (
	showsOther    showing = iota // what it or another program did
	showsNothing                 // its input, names, or a text of its own
	showsDocument                // documents
	showsFile                    // files of which some may be logs
)

const (
	viewers   = "cat head tail sed nl ts less more tac bat batcat fold tr cut fmt expand awk gawk sort uniq column rev jq zcat xxd strings diff tee" // print files, or their input
	namers    = "pwd ls find fd tree wc basename dirname which " + quiet                                                                             // print names and numbers
	quiet     = "echo printf true : export set [ [[ test sleep wait"                                                                                 // print a text of the line, or nothing
	manuals   = "man info perldoc pydoc pydoc3 tldr"
	gitShows  = "show diff log blame annotate grep whatchanged range-diff format-patch cat-file cat shortlog"
	scriptive = searchers + " sed awk gawk tr jq" // the first argument is no file
)

func (c Command) shows() showing {
	if len(c.Argv) == 0 {
		return showsNothing
	}
	if c.local { // ./test
		return showsOther
	}
	program, args := c.Argv[0], c.Argv[1:]
	switch {
	case lex.IsOneOf(program, manuals), asksForManual(program, args), slices.Contains(args, "--help") && !slices.Contains(args, "--") && !c.IsScript(): // a script may run what it likes
		return showsDocument
	case lex.IsOneOf(program, "git hg svn jj"):
		return gitShowing(args)
	case lex.IsOneOf(program, "find fd") && slices.ContainsFunc(args, func(a string) bool { return lex.HasAnyPrefix(a, "-exec", "--exec", "-ok", "-x", "-X") }):
		i := slices.Index(args, "-exec") // find . -name '*.go' -exec cat {} +
		if i >= 0 && i+1 < len(args) && lex.IsOneOf(args[i+1], viewers+" "+searchers) && slices.ContainsFunc(args, isDocument) {
			return showsDocument
		}
	case lex.IsOneOf(program, namers):
		if slices.ContainsFunc(args, isDocument) {
			return showsDocument
		}
		return showsNothing
	case lex.IsOneOf(program, viewers), lex.IsOneOf(program, searchers):
		return filesShown(program, args)
	}
	return showsOther
}

// asksForManual reports whether a command prints how a program is used: "go doc os.File", "rustc --explain E0382".
func asksForManual(program string, args []string) bool {
	if len(args) == 0 {
		return false
	}
	return args[0] == "--explain" || lex.IsOneOf(program+"/"+args[0], "go/help go/doc cargo/help npm/help git/help ruff/rule")
}

// gitShowing says what a command of git shows: some print commits and files.
func gitShowing(args []string) showing {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		if lex.IsOneOf(args[0], "-C -c") && len(args) > 1 {
			args = args[1:]
		}
		args = args[1:]
	}
	switch {
	case len(args) == 0:
	case lex.IsOneOf(args[0], gitShows) && !slices.Contains(args, "--check"), len(args) > 1 && args[0] == "stash" && args[1] == "show":
		return showsDocument
	case lex.IsOneOf(args[0], "status branch ls-files ls-tree rev-parse remote tag stash config"):
		return showsNothing
	}
	return showsOther
}

// filesShown tells what kind of files a program that prints them is given. A search may be given directories.
func filesShown(program string, args []string) showing {
	shown := showsNothing
	script := lex.IsOneOf(program, scriptive)
	for _, arg := range args {
		_, value, set := strings.Cut(arg, "=")
		switch {
		case strings.HasPrefix(arg, "-"):
			if set && isDocument(value) { // grep --include=*.go
				shown = showsDocument
			}
		case lex.IsDigits(strings.TrimPrefix(arg, "+")): // head -n 5
		case script:
			script = false
		case isDocument(arg):
			shown = showsDocument
		case !lex.IsOneOf(program, searchers) || path.Ext(arg) != "" && strings.Trim(arg, "./") != "":
			return showsFile
		}
	}
	return shown
}

const (
	documentExts = "go mod sum work py pyi pyx js jsx mjs cjs ts tsx mts cts vue svelte astro rb erb rake gemspec rs c cc cpp cxx h hh hpp hxx m mm java kt kts " +
		"scala sc groovy gradle cs fs vb swift php phpt ex exs eex erl hrl pl pm pod t sh bash zsh fish bats lua dart clj cljs cljc edn hs lhs ml mli nim zig jl " +
		"r R sql robot feature rst md mdx markdown adoc org tex yml yaml toml ini cfg conf properties css scss sass less jinja j2 tmpl tpl proto thrift graphql " +
		"gql tf tfvars hcl cmake mk am ac bzl bazel nix ps1 bat cmd el vim diff patch lock"
	documentNames = "Makefile GNUmakefile makefile Dockerfile Containerfile Jenkinsfile Vagrantfile Rakefile Gemfile Procfile Justfile justfile LICENSE COPYING NOTICE " +
		"README CHANGELOG CHANGES HISTORY NEWS AUTHORS CONTRIBUTING INSTALL TODO copyright"
)

// isDocument reports whether a file, by its name, is source code or a text that a person wrote, and not a log or a report.
func isDocument(file string) bool {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	name, _, _ := strings.Cut(base, ".")
	ext := strings.TrimPrefix(path.Ext(base), ".")
	return ext != "" && lex.IsOneOf(ext, documentExts) || lex.IsOneOf(name, documentNames)
}
