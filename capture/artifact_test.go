//go:build unix

package capture

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/manifest"
	"cairn/objects"
	"cairn/result"
)

// junit is a report with one test, which failed or passed.
func junit(name string, failed bool) string {
	inner, n := "", 0
	if failed {
		inner, n = `<failure message="`+name+` went wrong">trace</failure>`, 1
	}
	return fmt.Sprintf(`<testsuite name="s" tests="1" failures="%d"><testcase classname="com.acme.A" name="%s">%s</testcase></testsuite>`, n, name, inner)
}

// writer is a script of the project that does what it is asked to.
func writer(t testing.TB, dir, script string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "write.sh"), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}

func lay(t testing.TB, dir, name, text string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// captured runs a command and gives what came of it, with what it warned of.
func captured(t testing.TB, o Options) (*Outcome, string) {
	t.Helper()
	var warned strings.Builder
	o.Warn = func(s string) { warned.WriteString(s + "\n") }
	out := Run(context.Background(), o)
	if out.Trouble != nil {
		t.Error(out.Trouble)
	}
	out.CatchUp(context.Background())
	return out, warned.String()
}

func paths(rec *manifest.Record) (all []string) {
	for _, a := range rec.Artifacts {
		all = append(all, a.Path)
	}
	return all
}

// TestReports: which files are kept, and what the result says then.
func TestReports(t *testing.T) {
	bad, good := junit("testBad", true), junit("testGood", false)
	for _, c := range []struct {
		name     string
		before   map[string]string
		script   string
		args     []string
		kept     string
		status   result.Status
		findings int
	}{
		{"named", nil, `cat >"${1#*=}" <<'E'` + "\n" + bad + "\nE\nexit 1", []string{"--junitxml=out.xml"}, "[out.xml]", result.Failed, 1},
		{"named, exit 0", nil, `cat >out.xml <<'E'` + "\n" + bad + "\nE", []string{"--junitxml", "out.xml"}, "[out.xml]", result.Failed, 1},
		{"all passed, exit 1", nil, `cat >out.xml <<'E'` + "\n" + good + "\nE\nexit 1", []string{"--junitxml=out.xml"}, "[out.xml]", result.Failed, 0},
		{"all passed", nil, `cat >out.xml <<'E'` + "\n" + good + "\nE", []string{"--junitxml=out.xml"}, "[out.xml]", result.Passed, 0},
		{"stale failing, passing run", map[string]string{"out.xml": bad, "junit.xml": bad}, "true", []string{"--junitxml=out.xml"}, "[]", result.OK, 0},
		{"stale passing, crashed run", map[string]string{"out.xml": good, "junit.xml": good}, "kill -SEGV $$", []string{"--junitxml=out.xml"}, "[]", result.Error, 0},
		{"written anew with as many bytes", map[string]string{"out.xml": bad}, `cat >out.xml <<'E'` + "\n" + junit("testBaz", true) + "\nE\nexit 1", []string{"--junitxml=out.xml"}, "[out.xml]", result.Failed, 1},
		{"put in another's place", map[string]string{"out.xml": good, "new.xml": bad}, "mv new.xml out.xml; exit 1", []string{"--junitxml=out.xml"}, "[out.xml]", result.Failed, 1},
		{"usual place", nil, "mkdir test-results; cat >test-results/a.xml <<'E'\n" + bad + "\nE\nexit 1", nil, "[test-results/a.xml]", result.Failed, 1},
		{"other XML in the usual place", nil, "mkdir reports; echo '<coverage/>' >reports/a.xml", nil, "[]", result.OK, 0},
		{"where make says it is", nil, "mkdir sub; echo \"make[1]: Entering directory '$PWD/sub'\"; cat >sub/junit.xml <<'E'\n" + bad + "\nE\nexit 1", nil, "[sub/junit.xml]", result.Failed, 1},
		{"named by a variable", nil, "cat >out.xml <<'E'\n" + bad + "\nE\nexit 1", []string{"MOCHA_FILE=out.xml"}, "[out.xml]", result.Failed, 1},
		{"maven module", map[string]string{"pom.xml": "", "m/pom.xml": ""}, "mkdir -p m/target/surefire-reports; cat >m/target/surefire-reports/TEST-A.xml <<'E'\n" + bad + "\nE\nexit 1", nil, "[m/target/surefire-reports/TEST-A.xml]", result.Failed, 1},
		{"no maven here", nil, "mkdir -p m/target/surefire-reports; cat >m/target/surefire-reports/TEST-A.xml <<'E'\n" + bad + "\nE", nil, "[]", result.OK, 0},
		{"half written", nil, `printf '%s' '` + bad[:len(bad)-30] + `' >out.xml; kill -9 $$`, []string{"--junitxml=out.xml"}, "[out.xml]", result.Error, 1},
		{"a directory", nil, "mkdir d; cat >d/x.xml <<'E'\n" + bad + "\nE\nexit 1", []string{"--gtest_output=xml:d/"}, "[d/x.xml]", result.Failed, 1},
		{"twice the same", nil, "cat >out.xml <<'E'\n" + bad + "\nE\ncp out.xml junit.xml; exit 1", []string{"--junitxml=out.xml"}, "[out.xml]", result.Failed, 1},
		{"not written", nil, "exit 4", []string{"--junitxml=out.xml"}, "[]", result.Failed, 0},
		{"empty", nil, ": >out.xml; exit 1", []string{"--junitxml=out.xml"}, "[out.xml]", result.Failed, 0},
		{"not XML at all", nil, "echo hello >out.xml; exit 1", []string{"--junitxml=out.xml"}, "[out.xml]", result.Failed, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := repository(t)
			writer(t, dir, c.script)
			for name, text := range c.before {
				lay(t, dir, name, text)
			}
			out, warned := captured(t, options(dir, append([]string{"./write.sh"}, c.args...)...))
			rec := records(t, site(t, dir))[0]
			if got := fmt.Sprint(paths(rec)); got != c.kept {
				t.Errorf("kept %s, want %s", got, c.kept)
			}
			if out.Result.Status != c.status || len(out.Result.Findings) != c.findings {
				t.Errorf("%s with %d findings, want %s with %d\n%s", out.Result.Status, len(out.Result.Findings), c.status, c.findings, mustJSON(out.Result))
			}
			for _, a := range rec.Artifacts {
				want, _ := os.ReadFile(filepath.Join(dir, a.Path))
				if got := read(t, site(t, dir), a.OID); got != string(want) || a.Size != int64(len(want)) {
					t.Errorf("%s holds %q, want %q", a.Path, got, want)
				}
			}
			if warned != "" {
				t.Errorf("warned of %s", warned)
			}
		})
	}
}

// TestRedirected: what a shell line sends to a file is read as output.
func TestRedirected(t *testing.T) {
	pytest := ".F                [100%]\n=================================== FAILURES ===================================\n" +
		"____________________________________ test_b ____________________________________\n\n    def test_b():\n>       assert 1 == 2\nE       assert 1 == 2\n\n" +
		"tests/test_a.py:6: AssertionError\n=========================== short test summary info ============================\n" +
		"FAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed, 1 passed in 0.03s"
	for line, want := range map[string]string{
		"sh say.sh > o.txt; exit 1":             "[o.txt] pytest failed 1",
		"sh say.sh > o.txt":                     "[o.txt] pytest failed 1",
		"cd sub && sh ../say.sh >../o.txt 2>&1": "[o.txt] pytest failed 1",
		"cd sub && sh ../say.sh > o.txt":        "[sub/o.txt] pytest failed 1",
		"(cd sub; sh ../say.sh) > /dev/null":    "[] sh ok 0",
		"sh say.sh >> log.txt":                  "[log.txt] pytest failed 1",
		"sh say.sh > o.txt; cat o.txt":          "[o.txt] pytest failed 1",
		"true > o.txt":                          "[] true ok 0",
	} {
		t.Run(line, func(t *testing.T) {
			dir := repository(t)
			lay(t, dir, "say.sh", "cat <<'E'\n"+pytest+"\nE\n")
			lay(t, dir, "sub/x", "")
			lay(t, dir, "log.txt", "FAILED tests/test_old.py::test_old - of another run\n1 failed in 0.1s\n")
			o := options(dir)
			o.Command.Shell = line
			out, warned := captured(t, o)
			rec := records(t, site(t, dir))[0]
			got := fmt.Sprint(paths(rec), " ", out.Result.Tool, " ", out.Result.Status, " ", len(out.Result.Findings))
			if got != want || warned != "" {
				t.Errorf("%s, want %s\n%s%s", got, want, warned, mustJSON(out.Result))
			}
			for _, f := range out.Result.Findings {
				if s := f.RawSpan; s != nil && s.End > out.Result.Raw.Bytes {
					t.Errorf("a span of %d-%d in %d bytes", s.Start, s.End, out.Result.Raw.Bytes)
				}
			}
		})
	}
}

// TestLinks: no link leads out of the workspace, even if it was named; a file that
// is named where it lies may lie outside.
func TestLinks(t *testing.T) {
	outside := t.TempDir()
	dir := repository(t)
	os.Symlink(outside, filepath.Join(dir, "reports"))
	os.Symlink(filepath.Join(outside, "named.xml"), filepath.Join(dir, "out.xml"))
	os.Symlink(filepath.Join(outside, "named.xml"), filepath.Join(dir, "junit.xml"))
	os.Symlink("/dev/zero", filepath.Join(dir, "report.xml"))
	writer(t, dir, "cat >reports/a.xml <<'E'\n"+junit("testA", true)+"\nE\ncat >out.xml <<'E'\n"+junit("testB", true)+"\nE\nexit 1")
	out, warned := captured(t, options(dir, "./write.sh", "--junitxml=out.xml"))
	if got := fmt.Sprint(paths(out.Record)); got != "[]" || !strings.Contains(warned, "out.xml: it is a link out of the workspace") {
		t.Errorf("kept %s; %s", got, warned)
	}
	out, warned = captured(t, options(dir, "./write.sh", "--junitxml="+filepath.Join(outside, "named.xml")))
	if len(out.Record.Artifacts) != 1 || warned != "" {
		t.Errorf("kept %s; %s", paths(out.Record), warned)
	}
}

// TestPipes: what is no file is not opened, and said where it was asked for.
func TestPipes(t *testing.T) {
	dir := repository(t)
	if err := exec.Command("mkfifo", filepath.Join(dir, "out.xml"), filepath.Join(dir, "junit.xml")).Run(); err != nil {
		t.Skip(err)
	}
	writer(t, dir, "touch out.xml junit.xml; exit 3")
	out, warned := captured(t, options(dir, "./write.sh", "--junitxml=out.xml"))
	if len(out.Record.Artifacts) > 0 || out.Status != 3 || !strings.Contains(warned, "out.xml: not a regular file") || strings.Contains(warned, "junit.xml") {
		t.Errorf("kept %v, status %d, warned %q", paths(out.Record), out.Status, warned)
	}
}

// TestHuge: what is beyond the bound is not kept, and said.
func TestHuge(t *testing.T) {
	dir := repository(t)
	writer(t, dir, "cat >junit.xml <<'E'\n"+junit("testA", true)+"\nE\ntruncate -s 200M out.xml 2>/dev/null || mkfile 200m out.xml; exit 1")
	out, warned := captured(t, options(dir, "./write.sh", "--junitxml=out.xml"))
	if got := fmt.Sprint(paths(out.Record)); got != "[junit.xml]" || out.Status != 1 || !strings.Contains(warned, "out.xml: with it the reports of this run have more than 100 MiB") {
		t.Errorf("kept %s, status %d, warned %q", got, out.Status, warned)
	}
	if !strings.Contains(mustJSON(out.Result.Extra), "out.xml: with it") {
		t.Errorf("the result does not say so: %s", mustJSON(out.Result.Extra))
	}
}

// TestMany: beyond the first ones reports share an object, and all are read.
func TestMany(t *testing.T) {
	dir := repository(t)
	lay(t, dir, "pom.xml", "")
	for i := range maxReports + 5 {
		lay(t, dir, fmt.Sprintf("ready/TEST-%04d.xml", i), junit(fmt.Sprintf("test%04d", i), i%100 == 0))
	}
	writer(t, dir, "mkdir -p target; mv ready target/surefire-reports; exit 1")
	out, warned := captured(t, options(dir, "./write.sh"))
	if !strings.Contains(warned, "TEST-2000.xml: a run's first 2000 reports are kept") {
		t.Errorf("warned %q", warned)
	}
	r := out.Result
	if r.Counts["failed"] != 20 || r.Counts["passed"] != maxReports-20 || len(r.Findings) != 20 {
		t.Errorf("counts %v, %d findings", r.Counts, len(r.Findings))
	}
	rec := records(t, site(t, dir))[0]
	if len(rec.Artifacts) != maxSingle+1 {
		t.Fatalf("%d artifacts", len(rec.Artifacts))
	}
	s, n := site(t, dir), 0
	for tr := tar.NewReader(strings.NewReader(read(t, s, rec.Artifacts[maxSingle].OID))); ; n++ {
		h, err := tr.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, _ := io.ReadAll(tr)
		want, _ := os.ReadFile(filepath.Join(dir, h.Name))
		if string(data) != string(want) {
			t.Fatalf("%s is %q in the tar", h.Name, data)
		}
	}
	if n != maxReports-maxSingle {
		t.Errorf("%d reports in the tar", n)
	}
}

// TestReportsNotKept: trouble with reports is reported, and changes no status.
func TestReportsNotKept(t *testing.T) {
	dir := repository(t)
	writer(t, dir, "cat >out.xml <<'E'\n"+junit("testA", true)+"\nE\nexit 1")
	o := options(dir, "./write.sh", "--junitxml=out.xml")
	o.hurt = func(b *backend) {
		b.put = func(io.Reader) (objects.Info, error) { return objects.Info{}, errors.New("no space left on device") }
	}
	out, warned := captured(t, o)
	if out.Status != 1 || len(out.Result.Findings) != 1 || len(out.Record.Artifacts) != 0 || !strings.Contains(warned, "not kept with this capture: out.xml: no space left") {
		t.Errorf("status %d, kept %v, warned %q\n%s", out.Status, paths(out.Record), warned, mustJSON(out.Result))
	}
}

// TestReportUnreadable: so is a file that may not be read.
func TestReportUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("nothing is unreadable to root")
	}
	dir := repository(t)
	writer(t, dir, "echo '<testsuite/>' >out.xml; chmod 0 out.xml; mkdir test-results; chmod 0 test-results; exit 1")
	out, warned := captured(t, options(dir, "./write.sh", "--junitxml=out.xml"))
	os.Chmod(filepath.Join(dir, "test-results"), 0o700)
	if out.Status != 1 || !strings.Contains(warned, "out.xml: permission denied") || !strings.Contains(warned, "test-results: reports in it cannot be looked for") {
		t.Errorf("status %d, warned %q", out.Status, warned)
	}
}

// TestReportNamesAreRedacted: a path is text like any other.
func TestReportNamesAreRedacted(t *testing.T) {
	secret := secretFor("R5")
	dir := repository(t)
	writer(t, dir, "cat >"+secret+".xml <<'E'\n"+junit("testA", true)+"\nE\nexit 1")
	captured(t, options(dir, "./write.sh", "--junitxml="+secret+".xml"))
	rec := records(t, site(t, dir))[0]
	if len(rec.Artifacts) != 1 || strings.Contains(mustJSON(rec), secret) {
		t.Errorf("recorded %s", mustJSON(rec))
	}
}

// TestReportsOfTheDead: a capture that dies when all is kept names its reports
// when another process finishes it.
func TestReportsOfTheDead(t *testing.T) {
	dir := repository(t)
	lay(t, dir, "pom.xml", "")
	for i := range maxSingle + 4 {
		lay(t, dir, fmt.Sprintf("ready/TEST-%04d.xml", i), junit(fmt.Sprintf("test%04d", i), true))
	}
	writer(t, dir, "mkdir -p target; mv ready target/surefire-reports; exit 1")
	cmd := part(t, dir, "capture", []string{"KILL=append#1:before"}, "./write.sh")
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Fatalf("it lives: %s", out)
	}
	if out, err := part(t, dir, "catch-up", nil).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	rec := records(t, site(t, dir))[0]
	r, err := rec.Result()
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Artifacts) != maxSingle+1 || r.Counts["failed"] != maxSingle+4 || r.Status != result.Failed {
		t.Errorf("%s", mustJSON(rec))
	}
}

// TestNothingToLookFor: most commands cost no look at the file system.
func TestNothingToLookFor(t *testing.T) {
	for _, argv := range [][]string{{"true"}, {"git", "status"}, {"/usr/bin/ls", "-l"}, {"sh", "-c", "exit 3"}, {"ruff", "check"}, {"go", "test", "./..."}, {"env", "A=b", "grep", "x"}} {
		if s := lookBefore(t.TempDir(), nil, argv, ""); s != nil {
			t.Errorf("%v: %+v", argv, s)
		}
	}
}

// TestSearchIsBounded: a directory of very many entries is not read to its end.
func TestSearchIsBounded(t *testing.T) {
	dir := t.TempDir()
	for i := range 300 {
		lay(t, dir, fmt.Sprintf("m%03d/target/surefire-reports/TEST-A.xml", i), "")
	}
	s := &search{dir: dir, read: maxLooked - 100}
	if files := s.expand(dir, "*/target/surefire-reports/TEST-*.xml"); len(files) > 100 || s.read < maxLooked {
		t.Errorf("%d files, %d entries read", len(files), s.read)
	}
}

// TestLateSearch: without anything to compare with, the time decides.
func TestLateSearch(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	name := lay(t, dir, "junit.xml", "")
	s := &search{dir: dir}
	for age, want := range map[time.Duration]error{-time.Hour: errStale, -time.Second: errStale, time.Second: nil, 5 * time.Second: nil, time.Hour: errStale} {
		os.Chtimes(name, now.Add(age), now.Add(age))
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.fresh(found{path: name}, stampOf(info), now, now.Add(10*time.Second)); err != want {
			t.Errorf("written %s after the start: %v, want %v", age, err, want)
		}
	}
}

// TestSearchBeyondItsBound: where not all could be noted before the start, a
// file that is older than it is not taken for new.
func TestSearchBeyondItsBound(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	name := lay(t, dir, "junit.xml", "")
	os.Chtimes(name, now.Add(-time.Minute), now.Add(-time.Minute))
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	for missed, want := range map[bool]error{true: errStale, false: nil} {
		s := &search{dir: dir, before: map[string]stamp{}, missed: missed}
		if _, err := s.fresh(found{path: name}, stampOf(info), now, now); err != want {
			t.Errorf("missed %v: %v, want %v", missed, err, want)
		}
	}
}

// BenchmarkLookBefore: what a command pays before it starts.
func BenchmarkLookBefore(b *testing.B) {
	dir := b.TempDir()
	for i := range 50 {
		lay(b, dir, fmt.Sprintf("m%02d/x", i), "")
	}
	for name, argv := range map[string][]string{"true": {"true"}, "pytest": {"pytest", "--junitxml=r.xml"}, "make": {"make"}, "mvn": {"mvn", "test"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				lookBefore(dir, nil, argv, "")
			}
		})
	}
}
