// Package team makes the record of a team over a long time, as repetitive as real ones, in the files that its clones
// would have written. The records are encoded by cairn's own code, from a fixed seed.
package team

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"cairn/manifest"
	"cairn/result"
)

// Team is a number of clones and of days, and the last of these. A clone's writer is called writer00, writer01, and so on.
type Team struct {
	Writers, Days int
	Last          time.Time
}

// Rare values, for questions.
const (
	Tool = "shellcheck" // rarely run
	Text = "connection refused by upstream"
	File = "src/pkg07/file_123.x"
)

// tool is one of the thirty tools.
type tool struct {
	name string
	argv []string
	kind result.Kind
	runs int // the tool's share of all runs
	fail int // the percentage of its runs that fail
}

var tools = []tool{
	{"pytest", []string{"pytest", "-q"}, result.Test, 200, 22}, {"go-test", []string{"go", "test", "./..."}, result.Test, 160, 18},
	{"jest", []string{"npx", "jest"}, result.Test, 110, 20}, {"vitest", []string{"npx", "vitest", "run"}, result.Test, 60, 18},
	{"cargo-test", []string{"cargo", "test"}, result.Test, 70, 15}, {"mocha", []string{"npx", "mocha"}, result.Test, 15, 14},
	{"rspec", []string{"bundle", "exec", "rspec"}, result.Test, 20, 16}, {"phpunit", []string{"vendor/bin/phpunit"}, result.Test, 10, 15},
	{"maven", []string{"mvn", "-q", "verify"}, result.Build, 25, 20}, {"gradle", []string{"./gradlew", "check"}, result.Build, 25, 20},
	{"eslint", []string{"npx", "eslint", "src"}, result.Lint, 70, 30}, {"tsc", []string{"npx", "tsc", "--noEmit"}, result.Typecheck, 70, 28},
	{"ruff", []string{"ruff", "check", "."}, result.Lint, 60, 30}, {"mypy", []string{"mypy", "src"}, result.Typecheck, 40, 32},
	{"golangci-lint", []string{"golangci-lint", "run"}, result.Lint, 25, 30}, {"go-vet", []string{"go", "vet", "./..."}, result.Lint, 30, 6},
	{"go-build", []string{"go", "build", "./..."}, result.Build, 60, 12}, {"rustc", []string{"cargo", "build"}, result.Build, 30, 20},
	{"clippy", []string{"cargo", "clippy"}, result.Lint, 20, 30}, {"gcc", []string{"make", "-j4"}, result.Build, 30, 18},
	{"ctest", []string{"ctest"}, result.Test, 10, 15}, {"prettier", []string{"npx", "prettier", "--check", "."}, result.Format, 20, 20},
	{"black", []string{"black", "--check", "."}, result.Format, 15, 15}, {"gofmt", []string{"gofmt", "-l", "."}, result.Format, 20, 8},
	{"terraform", []string{"terraform", "plan"}, result.Infra, 10, 12}, {"kubectl", []string{"kubectl", "apply", "-f", "k8s"}, result.Infra, 10, 10},
	{"npm", []string{"npm", "ci"}, result.Package, 30, 5}, {"pip", []string{"pip", "install", "-r", "requirements.txt"}, result.Package, 20, 6},
	{"trivy", []string{"trivy", "fs", "."}, result.Security, 5, 40}, {Tool, []string{"shellcheck", "run.sh"}, result.Lint, 1, 35},
}

// command is a command that a writer runs repeatedly.
type command struct {
	tool   *tool
	argv   []string
	key    string
	pool   []result.Finding // findings that it can have
	broken []result.Finding // findings that it has now
}

// writer is one clone.
type writer struct {
	name     string
	commands []*command
	branch   string
	commit   string
	tree     string
	session  string
	n        int // number of the shard
	shard    bytes.Buffer
}

// maker writes the records of all days.
type maker struct {
	dir string
	r   *rand.Rand
	all []*writer
}

// Write fills dir with n records. Equal arguments give equal records, except for their ids.
func (t Team) Write(dir string, n int) error {
	m := &maker{dir: dir, r: rand.New(rand.NewPCG(11, 22))}
	for i := range t.Writers {
		m.all = append(m.all, m.newWriter(i))
	}
	left := n
	for d := range t.Days {
		day := t.Last.AddDate(0, 0, d-t.Days+1)
		today := left / (t.Days - d)
		if wd := day.Weekday(); d < t.Days-1 && (wd == time.Saturday || wd == time.Sunday) {
			today /= 5
		}
		if err := m.day(day, today); err != nil {
			return err
		}
		left -= today
	}
	return nil
}

func (m *maker) newWriter(i int) *writer {
	w := &writer{name: fmt.Sprintf("writer%02d", i), branch: "main"}
	m.nextCommit(w)
	for range 30 {
		t := m.tool()
		c := &command{tool: t, argv: append([]string{}, t.argv...)}
		if m.r.IntN(3) > 0 {
			c.argv = append(c.argv, fmt.Sprintf("pkg%02d/mod%02d", m.r.IntN(20), m.r.IntN(30)))
		}
		c.key = result.Workspace{Root: "/w", Dir: "/w"}.CommandKey(t.name, c.argv, ".")
		for k := range 12 {
			c.pool = append(c.pool, m.finding(t, c, k))
		}
		w.commands = append(w.commands, c)
	}
	return w
}

func (m *maker) tool() *tool {
	total := 0
	for _, t := range tools {
		total += t.runs
	}
	n := m.r.IntN(total)
	for i := range tools {
		if n -= tools[i].runs; n < 0 {
			return &tools[i]
		}
	}
	return &tools[0]
}

var reasons = []string{
	"AssertionError: assert %d == %d", "expected %d to equal %d", "undefined name 'value_%d' near %d", "Type 'string' is not assignable to type 'T%d' (%d)",
	"timeout after %d ms waiting for %d", "cannot borrow `x%d` as mutable more than once (%d)", "unused variable 'tmp%d' (%d)", Text + " %d:%d",
}

func (m *maker) finding(t *tool, c *command, k int) result.Finding {
	file := fmt.Sprintf("src/pkg%02d/file_%03d.x", m.r.IntN(20), m.r.IntN(200))
	f := result.Finding{
		Kind: result.Diagnostic, Severity: result.SevError, Rule: fmt.Sprintf("R%03d", m.r.IntN(200)),
		Message: fmt.Sprintf(reasons[m.r.IntN(len(reasons))], m.r.IntN(500), m.r.IntN(500)), At: &result.Location{Path: file, Line: 1 + m.r.IntN(900), Column: 1 + m.r.IntN(60)},
	}
	if t.kind == result.Test {
		name := fmt.Sprintf("test_%s_%02d_%d", t.name, k, m.r.IntN(1000))
		f.Kind, f.Severity, f.Rule, f.ID, f.Name = result.TestFailure, result.SevFailure, "AssertionError", file+"::"+name, name
		f.Expected, f.Actual = fmt.Sprint(m.r.IntN(90)), fmt.Sprint(m.r.IntN(90))
	}
	return f
}

// nextCommit moves a writer to a new commit, sometimes on another branch.
func (m *maker) nextCommit(w *writer) {
	w.commit, w.tree = m.hex(20), m.hex(20)
	switch m.r.IntN(12) {
	case 0:
		w.branch = fmt.Sprintf("feature/%s-%d", w.name, m.r.IntN(1000))
	case 1:
		w.branch = "main"
	}
	if m.r.IntN(4) == 0 {
		w.session = m.hex(8)
	}
}

func (m *maker) hex(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(m.r.Uint32())
	}
	return hex.EncodeToString(b)
}

// day writes the records of one day. A writer works on some days, at its own hours.
func (m *maker) day(day time.Time, count int) error {
	var present []*writer
	for _, w := range m.all {
		if m.r.IntN(10) < 7 {
			present = append(present, w)
		}
	}
	if len(present) == 0 {
		present = m.all[:1]
	}
	for k, w := range present {
		share := count / len(present)
		if k == 0 {
			share += count % len(present)
		}
		at := day.Add(6 * time.Hour)
		for range share {
			at = at.Add(time.Duration(1+m.r.Int64N(2*int64(14*time.Hour)/int64(share+1))) * 9 / 10)
			if !at.Before(day.AddDate(0, 0, 1)) {
				at = day.AddDate(0, 0, 1).Add(-time.Microsecond)
			}
			if err := m.capture(w, day, at.Truncate(time.Microsecond)); err != nil {
				return err
			}
		}
		if err := m.flush(w, day); err != nil {
			return err
		}
		w.n = 0
	}
	return nil
}

func (m *maker) capture(w *writer, day, at time.Time) error {
	if m.r.IntN(6) == 0 {
		m.nextCommit(w)
	}
	c := w.commands[min(m.r.IntN(len(w.commands)), m.r.IntN(len(w.commands)))] // lower indexes are more frequent
	m.change(c)
	rec, err := m.record(w, c, at)
	if err != nil {
		return err
	}
	line, err := rec.Encode()
	if err != nil {
		return err
	}
	if w.shard.Len()+len(line)+1 > manifest.MaxShard {
		if err := m.flush(w, day); err != nil {
			return err
		}
	}
	w.shard.Write(line)
	w.shard.WriteByte('\n')
	return nil
}

// change breaks a command, repairs it, or leaves it unchanged: a failing command fails for several runs.
func (m *maker) change(c *command) {
	switch n := m.r.IntN(100); {
	case len(c.broken) == 0 && n < c.tool.fail/2:
		for range 1 + m.r.IntN(4) {
			c.broken = append(c.broken, c.pool[m.r.IntN(len(c.pool))])
		}
	case len(c.broken) > 0 && n < 40:
		c.broken = c.broken[1:]
	}
}

func (m *maker) record(w *writer, c *command, at time.Time) (*manifest.Record, error) {
	id, err := manifest.NewID(at)
	if err != nil {
		return nil, err
	}
	code := min(len(c.broken), 1)
	clean := m.r.IntN(3) == 0
	dirty := !clean
	size := int64(200 + m.r.IntN(40_000))
	r := &result.ToolResult{
		Tool: c.tool.name, Kind: c.tool.kind, ParserConfidence: result.Parsed, ExitCode: &code, Findings: append([]result.Finding{}, c.broken...),
		RawOID: "sha256:" + m.hex(32), Raw: &result.Raw{Bytes: size, Lines: size / 50}, Parser: &result.ParserInfo{Name: c.tool.name, Version: 1, Format: "text"},
	}
	if c.tool.kind == result.Test {
		r.Counts = map[string]int{"passed": 100 + m.r.IntN(400), "failed": len(c.broken)}
	}
	r.Status, r.StatusSource = result.Derive(result.Exit{Observed: true, Code: code}, r.Kind, "", r.ParserConfidence, true, r.Findings)
	result.Seal(r, result.Workspace{Root: "/w", Dir: "/w"})
	r.Summary = result.Summarise(r)
	rec := &manifest.Record{
		V: manifest.Version, ID: id, Time: at, Argv: c.argv, Dir: ".", Key: c.key, Exit: &code, DurationMS: int64(50 + m.r.IntN(60_000)),
		Git: &manifest.Git{Commit: w.commit, Tree: w.tree, Branch: w.branch, Dirty: &dirty},
		By:  &manifest.By{Agent: "agent-" + w.name[len(w.name)-1:], Session: w.session},
		Raw: &manifest.Raw{OID: r.RawOID, Size: size, Lines: size / 50, Order: "1 0 0"},
	}
	return rec, rec.SetResult(r)
}

func (m *maker) flush(w *writer, day time.Time) error {
	if w.shard.Len() == 0 {
		return nil
	}
	w.n++
	dir := filepath.Join(m.dir, "manifest", day.Format("2006/01/02"))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d.jsonl", w.name, w.n)), w.shard.Bytes(), 0o666)
	w.shard.Reset()
	return err
}

// Fingerprint returns a fingerprint from the middle of the record in dir.
func Fingerprint(dir string) (string, error) {
	return Match(dir, `"fingerprint":"([1-9a-f][0-9a-f]{11})"`)
}

// Match returns the first group of a pattern's first match, from the middle of the record on.
func Match(dir, pattern string) (string, error) {
	shards, err := filepath.Glob(filepath.Join(dir, "manifest", "*", "*", "*", "*.jsonl"))
	if err != nil || len(shards) == 0 {
		return "", fmt.Errorf("no shards in %s (%v)", dir, err)
	}
	find := regexp.MustCompile(pattern)
	for _, shard := range shards[len(shards)/2:] {
		content, err := os.ReadFile(shard)
		if err != nil {
			return "", err
		}
		if m := find.FindSubmatch(content); m != nil {
			return string(m[1]), nil
		}
	}
	return "", fmt.Errorf("nothing in %s matches %s", dir, pattern)
}
