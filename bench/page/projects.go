package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// project is a published project whose suite takes less than a second.
type project struct {
	name    string
	obtain  [][]string // commands that fetch it to ./got below their working directory
	sources []string   // files that get mistakes
	tests   string     // the file with its tests
	test    *regexp.Regexp
	skip    [2]string // old and new text: the replacement in a test's first line that skips the test
	gone    [2]string // old and new text: the replacement that removes the test
	comment string
	run     []string
	env     []string
}

// projects has one project of each registry, pinned so that a measurement can be repeated.
var projects = []project{
	{
		name:    "semantic-version",
		obtain:  [][]string{{"sh", "-c", "python3 -m pip download -q --no-binary :all: --no-deps semantic-version==2.10.0 && tar --no-same-owner -xzf semantic_version-2.10.0.tar.gz && mv semantic_version-2.10.0 got"}},
		sources: []string{"semantic_version/base.py"}, tests: "tests/test_base.py",
		test: regexp.MustCompile(`(?m)^    def test_\w+\(self.*$`), skip: [2]string{"    def ", "    @unittest.skip(\"later\")\n    def "}, gone: [2]string{"def test_", "def no_test_"}, comment: "# note %d",
		run: []string{"python3", "-m", "unittest", "-v"}, env: []string{"PYTHONDONTWRITEBYTECODE=1"},
	},
	{
		name: "proxy-addr",
		obtain: [][]string{
			{"sh", "-c", "npm pack --silent @fastify/proxy-addr@5.1.3 && tar --no-same-owner -xzf fastify-proxy-addr-5.1.3.tgz && mv package got"},
			{"npm", "install", "--prefix", "got", "--omit=dev", "--no-audit", "--no-fund", "--silent", "--ignore-scripts"},
		},
		sources: []string{"index.js"}, tests: "test/base.test.js",
		test: regexp.MustCompile(`(?m)^test\('.*$`), skip: [2]string{"test(", "test.skip("}, gone: [2]string{"test(", "void ("}, comment: "// note %d",
		run: []string{"node", "--test", "test/base.test.js"},
	},
	{
		name: "go-shellquote",
		obtain: [][]string{{"sh", "-c", "cp -r --no-preserve=mode $(go mod download -json github.com/kballard/go-shellquote@v0.0.0-20180428030007-95032a82bc51 | sed -n 's/.*\"Dir\": \"\\(.*\\)\".*/\\1/p') got && " +
			"printf 'module github.com/kballard/go-shellquote\\n\\ngo 1.20\\n' > got/go.mod"}},
		sources: []string{"quote.go", "unquote.go"}, tests: "both_test.go",
		test: regexp.MustCompile(`(?m)^func Test\w+\(t \*testing\.T\) \{$`), skip: [2]string{"{", "{\n\tt.Skip(\"later\")"}, gone: [2]string{"func Test", "func noTest"}, comment: "// note %d",
		run: []string{"go", "test", "-vet=off", "-count=1", "-v", "./..."},
	},
}

// runsOfCommit is how often the suite runs at one commit, as by hand, by a hook, or in CI.
const runsOfCommit = 5

// Limits for mistakes that cause an endless loop: the CPU time of a run, whatever else the machine does.
const (
	cpuSeconds = "--cpu=3"
	longRun    = 3 * time.Second
)

// make fetches a project, gives it a history, and runs its suite at each commit.
func (p project) make(ctx context.Context, cairn, dir string, runs int) (repo string, err error) {
	work := filepath.Join(dir, p.name)
	repo = filepath.Join(work, "got")
	if err := os.MkdirAll(work, 0o755); err != nil {
		return "", err
	}
	for _, line := range p.obtain {
		cmd := exec.CommandContext(ctx, line[0], line[1:]...)
		cmd.Dir, cmd.Env = work, append(os.Environ(), "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", p.name, err, out)
		}
	}
	h := &history{project: p, repo: repo, random: rand.New(rand.NewPCG(20, uint64(len(p.name))))}
	if err := h.begin(ctx); err != nil {
		return "", err
	}
	for n, since := 0, 0; n < runs; n++ {
		if since == runsOfCommit {
			since = 0
			if err := h.step(ctx, n); err != nil {
				return "", err
			}
		}
		since++
		cmd := exec.CommandContext(ctx, "prlimit", append([]string{cpuSeconds, cairn, "capture", "run", "--"}, p.run...)...)
		cmd.Dir, cmd.Env = repo, append(append(os.Environ(), p.env...), "GOWORK=off")
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			return "", fmt.Errorf("%s: %w", cairn, err)
		}
		if spent := cmd.ProcessState.UserTime(); spent > longRun { // an endless loop, which is repaired at once
			since, h.left = runsOfCommit, 0
		}
	}
	return repo, nil
}

// history changes a project commit by commit: it breaks a line and repairs it some commits later, skips a test, removes
// one and restores it, or changes only a comment.
type history struct {
	project
	repo   string
	random *rand.Rand
	broken map[string]string // the original contents of changed files
	left   int               // commits until they are restored
}

func (h *history) git(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = h.repo
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: git %s: %w\n%s", h.name, strings.Join(args, " "), err, out)
	}
	return nil
}

func (h *history) begin(ctx context.Context) error {
	if err := os.WriteFile(filepath.Join(h.repo, ".gitignore"), []byte("node_modules/\n__pycache__/\n"), 0o644); err != nil {
		return err
	}
	return errors.Join(h.git(ctx, "init", "-q", "-b", "main"), h.git(ctx, "add", "-A"), h.git(ctx, "commit", "-qm", "as it was published"))
}

// mutations are small mistakes.
var mutations = []struct{ from, to string }{
	{" == ", " != "}, {" != ", " == "}, {" === ", " !== "}, {" < ", " <= "}, {" > ", " >= "}, {" + 1", " + 2"}, {"True", "False"}, {"true", "false"}, {" and ", " or "}, {" && ", " || "}, {" not ", " "}, {"[0]", "[1]"}, {" 1", " 2"},
}

func (h *history) step(ctx context.Context, n int) error {
	what := ""
	var err error
	switch kind := h.random.IntN(10); {
	case h.broken != nil && h.left > 0:
		h.left--
		what, err = "a note", h.note(n)
	case h.broken != nil:
		for file, was := range h.broken {
			err = errors.Join(err, os.WriteFile(filepath.Join(h.repo, file), []byte(was), 0o644))
		}
		h.broken = nil
		what = "as it was"
	case kind < 5:
		what, err = h.mutate()
	case kind < 7:
		what, err = h.changeTest(h.skip, "a test is skipped")
	case kind < 8:
		what, err = h.changeTest(h.gone, "a test is taken away")
	default:
		what, err = "a note", h.note(n)
	}
	if err != nil {
		return err
	}
	return h.git(ctx, "commit", "-qam", what, "--allow-empty")
}

// note adds a comment line.
func (h *history) note(n int) error {
	f, err := os.OpenFile(filepath.Join(h.repo, h.sources[0]), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, h.comment+"\n", n)
	return errors.Join(err, f.Close())
}

// mutate makes a mistake in a line, to be repaired some commits later.
func (h *history) mutate() (string, error) {
	file := h.sources[h.random.IntN(len(h.sources))]
	was, err := os.ReadFile(filepath.Join(h.repo, file))
	if err != nil {
		return "", err
	}
	lines := strings.Split(string(was), "\n")
	for range 1000 {
		i, m := h.random.IntN(len(lines)), mutations[h.random.IntN(len(mutations))]
		trimmed := strings.TrimSpace(lines[i])
		if !strings.Contains(lines[i], m.from) || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "//") {
			continue
		}
		lines[i] = strings.Replace(lines[i], m.from, m.to, 1)
		h.broken, h.left = map[string]string{file: string(was)}, h.random.IntN(6)
		return fmt.Sprintf("%s in line %d", strings.TrimSpace(m.to), i+1), os.WriteFile(filepath.Join(h.repo, file), []byte(strings.Join(lines, "\n")), 0o644)
	}
	return "nothing", nil
}

// changeTest skips or removes a test, to be restored some commits later.
func (h *history) changeTest(to [2]string, what string) (string, error) {
	was, err := os.ReadFile(filepath.Join(h.repo, h.tests))
	if err != nil {
		return "", err
	}
	all := h.test.FindAllIndex(was, -1)
	if len(all) == 0 {
		return "", fmt.Errorf("%s: no test is found in %s", h.name, h.tests)
	}
	at := all[h.random.IntN(len(all))]
	line := strings.Replace(string(was[at[0]:at[1]]), to[0], to[1], 1)
	h.broken, h.left = map[string]string{h.tests: string(was)}, h.random.IntN(6)
	return what, os.WriteFile(filepath.Join(h.repo, h.tests), []byte(string(was[:at[0]])+line+string(was[at[1]:])), 0o644)
}

// measureProjects records the projects concurrently, and measures the page of each.
func measureProjects(ctx context.Context, o options) error {
	dir := o.dir
	if dir == "" {
		made, err := os.MkdirTemp("", "cairn-projects-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(made)
		dir = made
	}
	var err error
	if o.cairn, err = program(o.cairn); err != nil {
		return err
	}
	made := make(chan error)
	repos := make([]string, len(projects))
	for i, p := range projects {
		go func() {
			repos[i] = filepath.Join(dir, p.name, "got")
			var err error
			if _, missing := os.Stat(repos[i]); missing != nil {
				_, err = p.make(ctx, o.cairn, dir, o.runs)
			}
			made <- err
		}()
	}
	for range projects {
		err = errors.Join(err, <-made)
	}
	for i, p := range projects {
		if err != nil {
			break
		}
		one := o
		one.repo, one.record, one.name = repos[i], false, p.name
		err = measure(ctx, one)
	}
	return err
}
