package shell

import "testing"

func TestShowsDocuments(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"cat README.md":                                     true,
		"cat -n src/a.go | sed -n 1,60p":                    true,
		"cd api && cat a.py":                                true,
		`echo "== a"; cat a.py; echo; cat b.py`:             true,
		"head -n 20 src/*.c":                                true,
		"sed -n '1,60p' src/a.rs":                           true,
		"awk 'NR<50' src/a.rs":                              true,
		"grep -rn FAIL --include=*.go .":                    true,
		"grep -n 'FAIL: x' src/a.go | head":                 true,
		"find . -name '*.go' | xargs grep -n FAIL":          true,
		"find . -name '*.go' -exec grep -n FAIL {} +":       true,
		"for f in a.go b.go; do echo $f; head -40 $f; done": true,
		"wc -l a.go && cat a.go":                            true,
		"git -C api log -p -3":                              true,
		"git show HEAD:a.go | head -50":                     true,
		"git grep -n FAIL":                                  true,
		"go doc os.File":                                    true,
		"cargo test --help":                                 true,
		"rustc --explain E0382":                             true,
		"man bash | grep -n error":                          true,
		"cat /usr/share/doc/gcc/README.Bugs":                true,
		"sh ci.sh --help":                                   false,
		"npm test -- --help":                                false,
		"./ci.sh --help":                                    false,
		"python3 ci.py --help":                              false,
		"cut -c1-80 a.go":                                   true,
		"timeout 5 cat a.go":                                true,
		`bash -lc "cat a.go"`:                               true,
		"cat build.log":                                     false,
		"cat log":                                           false,
		"cat a.go build.log":                                false,
		"cat report.xml":                                    false,
		"cat results.json":                                  false,
		"grep -n FAIL build.log":                            false,
		"grep -rn FAIL logs":                                false,
		"cat a.go; go test ./...":                           false,
		"pytest --md > report.md; cat report.md":            false,
		"go test ./... | grep -v a.go":                      false,
		"go test ./... | tee a.go":                          false,
		"python3 a.py":                                      false,
		"find . -name '*.py' -exec python3 {} +":            false,
		"git commit -m x":                                   false,
		"git diff --check":                                  false,
		"make help":                                         false,
		"./a.sh | cat":                                      false,
		"sh a.sh":                                           false,
		"":                                                  false,
		"echo a.go":                                         true,
		"ls":                                                false,
		"head -5":                                           false,
		"cat $x":                                            false,
		"cat <(go test ./...) a.go":                         false,
		"cat a.go | go run -":                               false,
		"source a.sh":                                       false,
		"git log | head; pytest":                            false,
		"sed -i s/a/b/ a.go && go build":                    false,
		"cat a.go $(make test)":                             false,
	} {
		if got := (Tools(nil)).Unwrap(nil, line).ShowsDocuments(); line != "" && got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

func TestOnlyShows(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"cat build.log": true, "tail -5 build.log | grep x": true, "git log": true, "ls; cat a.go": true, "[ -x a.go ] && cat a.go": true, "set -x; cat build.log": true,
		"./test": false, "bin/test a.go": false, "./test; cat a.go": false, "../tools/cat a.go": false, `echo "$(make test)" a.go`: false,
		"fd -e py -x pytest": false, "fd --exec-batch pytest": false, "find . -okdir make {} +": false, "cat ci.sh | sh": false, "sh -c ./test": false,
	} {
		c := (Tools(nil)).Unwrap(nil, line)
		if got := c.OnlyShows(); got != want || c.ShowsDocuments() && !want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

func TestIsHit(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"src/a.go:12:	text": true, "src/a.go-13-text": true, "my-app/src/a.go:12:x": true, "./README:1:x": true, "a.go:x": true,
		"build.log:12:FAIL": false, "FAIL: a.go:1": false, "--- FAIL: TestA": false, "": false, "a-b": false,
	} {
		if got := IsHit([]byte(line)); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// TestUnknownCommandShowsNothing: an output without a command, as from another program's log, may be a tool's.
func TestUnknownCommandShowsNothing(t *testing.T) {
	if (Command{}).OnlyShows() {
		t.Error("a command that is not known is taken for one that only shows files")
	}
}

// TestAsksForText: which commands are called for what they print, so that a summary is no answer.
func TestAsksForText(t *testing.T) {
	for line, want := range map[string]bool{
		"gofmt -d .": true, "black --diff src": true, "gofmt -l .": false,
		"make && gdb -batch -ex run -ex bt ./app": true,
		"cargo test parses -- --nocapture":        true, "cargo test": false, "cargo test -- --list 2>&1 | head": true,
		"go test -v -run TestX ./a": true, "go test -v ./...": false, "go test -run=TestX ./a": false,
		"cd api && pytest -s tests/test_a.py": true, "pytest -q": false,
	} {
		if got := tools.Unwrap(nil, line).AsksForText(); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}

// TestRunsProgram: which commands run a program of the project, whose output was asked for.
func TestRunsProgram(t *testing.T) {
	for line, want := range map[string]bool{
		"./app": true, "python3 x.py": true, "node x.js": true, "make run": true, "npm start": true, "npm run dev": false, "npm run start": true,
		"turbo run build": false, "mvn -q exec:java": true, "gradle run": true, "./ci.sh": false, "bash ci.sh": false, "make": false, "make test": false,
		"pytest": false, "ls": false, "for x": false, "": false,
	} {
		if got := tools.Unwrap(nil, line).RunsProgram(); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
