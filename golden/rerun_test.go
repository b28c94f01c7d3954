package golden

import (
	"cmp"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cairn/parsers"
	"cairn/render"
	"cairn/result"
)

// A project whose tests fail, and how its tool is asked to run them, or one of
// them: "{}" stands for the flag of the tool's filter and a test.
type project struct {
	program string
	tool    string
	run     []string
	again   []string // without it: run, and the filter behind it
	files   map[string]string
}

// javascriptTests are for every runner with describe and it.
const javascriptTests = `
describe("cart", () => {
  it("boom", () => { throw new Error("boom") });
  it("boom again", () => { throw new Error("again") });
  it("sum(1+1) is [2]", () => { throw new Error("sum") });
  describe("nested > größe", () => { it("a > b", () => { throw new Error("c") }) });
});
it("alone", () => { throw new Error("d") });
`

var projects = []project{
	{program: "pytest", tool: "pytest", run: []string{"pytest", "-q", "-p", "no:cacheprovider"}, files: map[string]string{
		"tests/test_cart.py": "import pytest\n\ndef test_total():\n    assert 1 == 2\n\n@pytest.mark.parametrize('n', [1, 2])\ndef test_n(n):\n    assert n == 3\n\nclass TestCart:\n    def test_in(self):\n        assert 0\n",
	}},
	{program: "python3", tool: "unittest", run: []string{"python3", "-m", "unittest"}, files: map[string]string{
		"test_cart.py": "import unittest\n\nclass CartTest(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(1, 2)\n    def test_other(self):\n        self.assertEqual(1, 3)\n",
	}},
	{program: "go", tool: "go-test", run: []string{"go", "test", "./..."}, files: map[string]string{
		"go.mod": "module example.com/cart\n\ngo 1.20\n",
		"a/a.go": "package a\n",
		"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) { t.Error(\"no\") }\n\nfunc TestTable(t *testing.T) {\n" +
			"\tfor _, name := range []string{\"two words\", \"sum(1+1)\", \"a/b\", \"x|y\", \"[0]\", \"\"} {\n\t\tt.Run(name, func(t *testing.T) { t.Error(\"no\") })\n\t}\n}\n",
	}},
	{program: "cargo", tool: "cargo-test", run: []string{"cargo", "test", "--no-fail-fast"}, files: map[string]string{
		"Cargo.toml":   "[package]\nname = \"rs\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
		"src/lib.rs":   "/// ```\n/// assert_eq!(rs::one(), 2);\n/// ```\npub fn one() -> i32 { 1 }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn p() { assert_eq!(super::one(), 2) }\n    #[test]\n    fn q() { panic!(\"q\") }\n}\n",
		"tests/it.rs":  "#[test]\nfn whole() { assert!(rs::one() == 3) }\n",
		"src/main.rs":  "fn main() {}\n\n#[test]\nfn in_main() { panic!(\"main\") }\n",
		".gitignore":   "target\n",
		"Cargo.lock":   "version = 3\n\n[[package]]\nname = \"rs\"\nversion = \"0.1.0\"\n",
		"src/empty.rs": "",
	}},
	{program: "node", tool: "node-test", run: []string{"node", "--test", "--test-reporter=spec"}, again: []string{"node", "--test", "--test-reporter=spec", "{}"}, files: map[string]string{
		"cart.test.mjs": "import { describe, it } from 'node:test';\n" + javascriptTests,
	}},
	{program: "jest", tool: "jest", run: []string{"jest"}, files: map[string]string{"cart.test.js": javascriptTests, "package.json": `{"jest": {"watchman": false}}`}},
	{program: "vitest", tool: "vitest", run: []string{"vitest", "run", "--globals"}, files: map[string]string{"cart.test.js": javascriptTests, "package.json": "{}"}},
	{program: "mocha", tool: "mocha", run: []string{"mocha"}, files: map[string]string{"test/cart.js": javascriptTests}},
	{program: "jasmine", tool: "jasmine", run: []string{"jasmine", "--random=false"}, files: map[string]string{
		"spec/cart.spec.js": javascriptTests, "spec/support/jasmine.json": `{"spec_dir": "spec", "spec_files": ["*.spec.js"]}`,
	}},
	{program: "bun", tool: "bun-test", run: []string{"bun", "test"}, files: map[string]string{"cart.test.js": javascriptTests}},
	{program: "deno", tool: "deno-test", run: []string{"deno", "test", "--no-check"}, files: map[string]string{
		"cart_test.js": "Deno.test('adds', () => { throw new Error('a') });\nDeno.test('sum(1+1)', () => { throw new Error('b') });\nDeno.test('steps', async (t) => { await t.step('one', () => { throw new Error('c') }) });\n",
	}},
	{program: "rspec", tool: "rspec", run: []string{"rspec"}, files: map[string]string{
		"spec/cart_spec.rb": "RSpec.describe 'cart' do\n  it('adds') { expect(1).to eq 2 }\n  context('when empty') { it('sums (1+1)') { expect(1).to eq 3 } }\nend\n",
	}},
	{program: "ruby", tool: "minitest", run: []string{"ruby", "cart_test.rb"}, files: map[string]string{
		"cart_test.rb": "require 'minitest/autorun'\n\nclass CartTest < Minitest::Test\n  def test_adds = assert_equal(1, 2)\n  def test_other = assert_equal(1, 3)\nend\n",
	}},
	{program: "phpunit", tool: "phpunit", run: []string{"phpunit", "--do-not-cache-result", "CartTest.php"}, again: []string{"phpunit", "--do-not-cache-result", "{}", "CartTest.php"}, files: map[string]string{
		"CartTest.php": "<?php\nnamespace Shop\\Tests;\n\nclass CartTest extends \\PHPUnit\\Framework\\TestCase {\n    public function testAdds(): void { $this->assertSame(1, 2); }\n    public function testOther(): void { $this->assertSame(1, 3); }\n    /** @dataProvider rows */\n    public function testRows(int $n): void { $this->assertSame(1, $n); }\n    public static function rows(): array { return [[4], 'two' => [5]]; }\n}\n",
	}},
	{program: "bats", tool: "bats", run: []string{"bats", "cart.bats"}, again: []string{"bats", "{}", "cart.bats"}, files: map[string]string{
		"cart.bats": "@test \"adds\" {\n  false\n}\n\n@test \"sum (1+1)\" {\n  [ 1 = 2 ]\n}\n",
	}},
	{program: "busted", tool: "busted", run: []string{"busted", "-o", "plainTerminal"}, files: map[string]string{
		"spec/cart_spec.lua": "describe('cart', function()\n  it('adds', function() assert.equal(1, 2) end)\n  it('other', function() assert.equal(1, 3) end)\nend)\n",
	}},
	{program: "ctest", tool: "ctest", run: []string{"ctest"}, files: map[string]string{
		"CTestTestfile.cmake": "add_test(adds false)\nadd_test(sum++ false)\n",
	}},
}

// rerunIDs is how many failed tests of each tool are run again.
func rerunIDs() int {
	if everything {
		return math.MaxInt
	}
	return 2
}

// TestRerun: what the result has for a failed test's selection (or its id), behind the filter
// of its tool, runs that test. A filter that selects nothing often exits 0, and a
// test that was not run looks mended. The compact form shows the test's name, and not what
// selects it.
func TestRerun(t *testing.T) {
	for _, p := range projects {
		t.Run(p.tool, func(t *testing.T) {
			if _, err := exec.LookPath(p.program); err != nil {
				t.Skipf("%s is not installed", p.program)
			}
			dir := p.lay(t)
			all := p.result(t, dir, p.run)
			ran := 0
			for _, f := range all.Findings {
				if f.Kind != result.TestFailure || f.ID == "" {
					continue
				}
				if ran++; ran > rerunIDs() {
					continue
				}
				if line := render.Line(f); !strings.Contains(line, lastTitle(f.ID)) || strings.Count(line, `\`) > strings.Count(f.ID+f.Message, `\`) {
					t.Errorf("the name of %s is not shown: %s", f.ID, line)
				}
				filter := cmp.Or(f.Select, f.ID)
				one := p.result(t, dir, p.filtered(filter))
				if !holds(one, f) || len(one.Findings) >= len(all.Findings) {
					t.Errorf("%q of %s selects %d of %d tests, and the test itself: %v", filter, f.ID, len(one.Findings), len(all.Findings), holds(one, f))
				}
			}
			if ran < 2 {
				t.Errorf("only %d failed tests were seen: %+v", ran, all)
			}
		})
	}
}

func holds(r *result.ToolResult, want result.Finding) bool {
	for _, f := range r.Findings {
		if f.ID == want.ID && f.Fingerprint == want.Fingerprint {
			return true
		}
	}
	return false
}

// lay writes the project; tools from npm find their modules beside it.
func (p project) lay(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range p.files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program, _ := exec.LookPath(p.program)
	if before, ok := strings.CutSuffix(filepath.ToSlash(program), "/.bin/"+p.program); ok {
		if err := os.Symlink(before, filepath.Join(dir, "node_modules")); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// filtered is the command that runs one test.
func (p project) filtered(test string) (argv []string) {
	flag := ""
	for _, known := range parsers.All() {
		if known.Tool == p.tool {
			flag = known.Filter.Flag
		}
	}
	filter := []string{test}
	if option, rest, ok := strings.Cut(test, " "); ok && option == "--doc" {
		filter = []string{option, rest}
	}
	if flag != "" {
		filter = []string{flag + "=" + test}
		if len(flag) < 4 {
			filter = []string{flag, test}
		}
	}
	if p.again == nil {
		return append(append(argv, p.run...), filter...)
	}
	for _, arg := range p.again {
		if arg == "{}" {
			argv = append(argv, filter...)
		} else {
			argv = append(argv, arg)
		}
	}
	return argv
}

func (p project) result(t *testing.T, dir string, argv []string) *result.ToolResult {
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "CI=", "PYTHONDONTWRITEBYTECODE=1", "GOFLAGS=", "PWD="+dir)
	exit := result.Exit{Observed: true}
	if err := cmd.Run(); err != nil {
		failed := new(exec.ExitError)
		if !errors.As(err, &failed) {
			t.Fatal(err)
		}
		exit.Code = failed.ExitCode()
	}
	out := parsers.Bytes{
		{Stream: parsers.Stdout, Data: []byte(stdout.String())},
		{Stream: parsers.Stderr, Offset: int64(stdout.Len()), Data: []byte(stderr.String())},
	}
	r := parsers.Parse(parsers.Input{Argv: argv, Workspace: result.Workspace{Root: dir, Dir: dir}, Source: out}, exit)
	if t.Failed() || testing.Verbose() {
		t.Logf("%q: exit %d\n%s%s", argv, exit.Code, stdout.String(), stderr.String())
	}
	return r
}

// lastTitle is what an id ends with: the end of the test's own title, as it stands in the source.
func lastTitle(id string) string {
	for _, joint := range []string{" › ", " > ", "::", "/", "."} {
		id = id[strings.LastIndex(id, joint)+1:]
	}
	return strings.Trim(id, " ›>:")
}
