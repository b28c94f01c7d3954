package parsers

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/internal/reports"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

func TestWrittenBy(t *testing.T) {
	for line, want := range map[string]string{
		"pytest --junitxml=out/r.xml":                                               "out/r.xml report",
		"pytest -q --junit-xml r.xml tests":                                         "r.xml report",
		"uv run pytest --junitxml=r.xml":                                            "r.xml report",
		"cd api && python -m pytest --junitxml=r.xml && cd ..":                      "api/r.xml report",
		"tox -e py -- --junitxml=r.xml":                                             "r.xml report",
		"gotestsum --junitfile unit.xml ./...":                                      "unit.xml report",
		"go test -v ./... 2>&1 | go-junit-report -out r.xml":                        "r.xml report",
		"go test -v ./... | go-junit-report > r.xml":                                "r.xml output",
		"build/cart_test --gtest_output=xml:out/":                                   "out/ report",
		"build/cart_test --gtest_output=xml":                                        "test_detail.xml report",
		"build/cart_test --gtest_output=json:x.json":                                "x.json report",
		"ctest --output-junit j.xml --test-dir build":                               "build/j.xml report",
		"JEST_JUNIT_OUTPUT_FILE=out/j.xml npx jest":                                 "out/j.xml report",
		"cd web && JEST_JUNIT_OUTPUT_DIR=res JEST_JUNIT_OUTPUT_NAME=k.xml npx jest": "web/res report",
		"env JEST_JUNIT_OUTPUT_NAME=k.xml npx jest":                                 "k.xml report",
		"npx cross-env MOCHA_FILE=r/m.[hash].xml mocha":                             "r report",
		"export GOTESTSUM_JUNITFILE=a.xml; cd x; gotestsum":                         "x/a.xml report",
		"PYTEST_ADDOPTS='-q --junitxml=q.xml' tox":                                  "q.xml report",
		"GTEST_OUTPUT=xml:o.xml ./cart_test":                                        "o.xml report",
		"uv --directory api run pytest --junitxml=r.xml > log.txt":                  "log.txt output, api/r.xml report",
		"npx cucumber-js --format junit:c.xml --format progress":                    "c.xml report",
		"./unit -r JUnit::out=c.xml":                                                "c.xml report",
		"dotnet test --logger 'junit;LogFilePath=d.xml'":                            "d.xml report",
		"golangci-lint run --output.junit-xml.path=g.xml":                           "g.xml report",
		"vendor/bin/phpunit --log-junit build/l.xml":                                "build/l.xml report",
		"npx vitest run --reporter=junit --outputFile=v.xml":                        "v.xml report",
		"npx vitest --outputFile.junit=v.xml":                                       "v.xml report",
		"node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination=n.xml": "n.xml report",
		"mocha --reporter mocha-junit-reporter --reporter-options mochaFile=./m.xml,toConsole=1":                                      "./m.xml report",
		"mocha -R xunit -O output=x.xml":                             "x.xml report",
		"mocha --reporter-option=output=x.xml":                       "x.xml report",
		"ruff check --output-format sarif -o r.sarif .":              "r.sarif output",
		"npx eslint -f json --output-file e.json src":                "e.json output",
		"eslint -f json . > e.json":                                  "e.json output",
		"mypy --junit-xml m.xml src":                                 "m.xml report",
		"bats -F junit -o out test":                                  "out report",
		"gcc -o prog main.c":                                         "",
		"make test > log.txt 2>&1":                                   "log.txt output",
		"make test 2> err.txt":                                       "err.txt stderr",
		"make test &> all.txt":                                       "all.txt output",
		"make test >> log.txt":                                       "log.txt output+",
		"make test > /dev/null 2>&1":                                 "",
		"make test 3> x":                                             "",
		"(cd a && pytest --junitxml=r.xml); pytest --junitxml=s.xml": "a/r.xml report, s.xml report",
		"pytest --junitxml=$OUT":                                     "",
		"pytest --junitxml":                                          "",
		"pytest --junitxml=/tmp/x/r.xml":                             "/tmp/x/r.xml report",
		"cd a && pytest --junitxml=/tmp/x/r.xml":                     "/tmp/x/r.xml report",
		"sort < in.txt":                                              "",
	} {
		var got []string
		for _, w := range WrittenBy(nil, line) {
			s := w.Path + " " + string(w.Role)
			if w.Append {
				s += "+"
			}
			got = append(got, s)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s\n\twrites %q, want %q", line, got, want)
		}
	}
	for _, argv := range [][]string{{"timeout", "60", "sh", "-c", "cd x && pytest --junitxml=r.xml"}, {"env", "A=b", "bash", "-c", "cd x; pytest --junitxml r.xml"}} {
		if w := WrittenBy(argv, ""); len(w) != 1 || w[0].Path != "x/r.xml" {
			t.Errorf("%v writes %v", argv, w)
		}
	}
	if got := RoleOf(nil, "eslint -f json > ./e.json", "e.json"); got != tool.RoleOutput {
		t.Errorf("role %q", got)
	}
}

func TestPlacesOf(t *testing.T) {
	for line, want := range map[string]string{
		"mvn -q test":           "target/surefire-reports/TEST-*.xml",
		"cd api && ./gradlew t": "api:*/build/test-results/*/TEST-*.xml",
		"npx jest":              "junit.xml",
		"npm test":              "junit.xml",
		"make -C x":             "x:junit.xml",
		"mvn -f api/pom.xml t":  "api:target/surefire-reports/TEST-*.xml",
		"./gradlew -p api test": "api:build/test-results/*/TEST-*.xml",
		"meson test -C build":   "*/meson-logs/testlog.junit.xml",
		"cargo nextest run":     "target/nextest/*/junit.xml",
		"echo $X; mvn test":     "target/surefire-reports/TEST-*.xml",
		"./ci.sh":               "junit.xml",
		"python -m pytest":      "junit.xml",
		"ls -l":                 "",
		"git commit -m 'mvn'":   "",
		"ruff check && mypy .":  "",
	} {
		var got []string
		for _, p := range PlacesOf(nil, line) {
			if p.Dir != "" {
				p.Pattern = p.Dir + ":" + p.Pattern
			}
			got = append(got, p.Pattern)
		}
		if want == "" && len(got) > 0 || want != "" && !slices.Contains(got, want) {
			t.Errorf("%s: places %v, want %q", line, got, want)
		}
	}
}

// report is a file with these test cases: "name" passed, "name!why" failed.
func report(path string, cases ...string) tool.Artifact {
	var b strings.Builder
	failed := 0
	for _, c := range cases {
		name, why, bad := strings.Cut(c, "!")
		fmt.Fprintf(&b, `<testcase classname="tests.test_a" name="%s">`, name)
		if bad {
			failed++
			fmt.Fprintf(&b, `<failure message="%s">def %s():&gt;       assert

E       %s

tests/test_a.py:%d: AssertionError</failure>`, why, name, why, 10+failed)
		}
		b.WriteString("</testcase>")
	}
	text := fmt.Sprintf(`<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest" errors="0" failures="%d" tests="%d">%s</testsuite></testsuites>`, failed, len(cases), b.String())
	return file(path, text)
}

func file(path, text string) tool.Artifact {
	return tool.Artifact{Path: path, Named: true, Data: strings.NewReader(text), Size: int64(len(text))}
}

func withReports(shellText, stdout string, code int, files ...tool.Artifact) *result.ToolResult {
	return casetest.ParseKnown(tool.Input{
		Shell: shellText, Source: term.Separate([]byte(stdout), nil), Artifacts: files,
		Workspace: result.Workspace{Root: "/home/dev/shop", Dir: "/home/dev/shop"},
	}, result.Exit{Observed: true, Code: code})
}

const (
	shortRun = "FF.                [100%]\n=========================== short test summary info ============================\n" +
		"FAILED tests/test_a.py::test_b - assert 1 == 2\nFAILED tests/test_a.py::test_c\n2 failed, 1 passed in 0.03s\n"
	passedRun = "...                [100%]\n3 passed in 0.03s\n"
)

// TestMerge: what comes of a text and a report of the same run.
func TestMerge(t *testing.T) {
	two := report("r.xml", "test_b!assert 1 == 2", "test_c!assert 3 == 4", "test_d")
	for _, c := range []struct {
		name, shell, stdout string
		code                int
		files               []tool.Artifact
		status              result.Status
		confidence          result.Confidence
		counts              string
		ids                 string // each with its message's length
	}{
		{"the same failures", "pytest -q", shortRun, 1, []tool.Artifact{two}, result.Failed, result.Parsed, "map[failed:2 passed:1]", "test_b test_c"},
		{"one more in the report", "pytest -q", shortRun, 1, []tool.Artifact{report("r.xml", "test_b!assert 1 == 2", "test_c!x", "test_d!y")}, result.Failed, result.Heuristic, "map[failed:2 passed:1]", "test_b test_c test_d"},
		{"one less in the report", "pytest -q", shortRun, 1, []tool.Artifact{report("r.xml", "test_b!assert 1 == 2", "test_d")}, result.Failed, result.Heuristic, "map[failed:2 passed:1]", "test_b test_c"},
		{"not shown in the text", "pytest -q --tb=no --no-summary", "FF.  [100%]\n2 failed, 1 passed in 0.03s\n", 1, []tool.Artifact{two}, result.Failed, result.Parsed, "map[failed:2 passed:1]", "test_b test_c"},
		{"no text", "pytest -q > /dev/null", "", 1, []tool.Artifact{two}, result.Failed, result.Parsed, "map[failed:2 passed:1]", "test_b test_c"},
		{"no text, exit 0", "pytest | true", "", 0, []tool.Artifact{two}, result.Failed, result.Parsed, "map[failed:2 passed:1]", "test_b test_c"},
		{"passed by the report, failing exit", "pytest > /dev/null", "", 1, []tool.Artifact{report("r.xml", "test_d")}, result.Failed, result.Heuristic, "map[passed:1]", ""},
		{"passed by both", "pytest -q", passedRun, 0, []tool.Artifact{report("r.xml", "test_b", "test_c", "test_d")}, result.Passed, result.Parsed, "map[passed:3]", ""},
		{"passed by the text only", "pytest -q", passedRun, 0, []tool.Artifact{two}, result.Failed, result.Heuristic, "map[passed:3]", "test_b test_c"},
		{"cut", "pytest > /dev/null", "", 0, []tool.Artifact{file("r.xml", `<testsuite name="pytest" tests="9"><testcase classname="tests.test_a" name="test_d"/>`)}, result.OK, result.Heuristic, "map[passed:1]", ""},
		{"two files", "pytest > /dev/null", "", 1, []tool.Artifact{two, report("s.xml", "test_e!z")}, result.Failed, result.Parsed, "map[failed:3 passed:1]", "test_b test_c test_e"},
		{"no report at all", "pytest -q", passedRun, 0, []tool.Artifact{file("r.xml", "hello")}, result.Passed, result.Parsed, "map[passed:3]", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := withReports(c.shell, c.stdout, c.code, c.files...)
			var ids []string
			for _, f := range r.Findings {
				ids = append(ids, f.ID[strings.LastIndex(f.ID, ":")+1:])
				if f.Message == "" || f.At == nil || f.At.Path != "tests/test_a.py" {
					t.Errorf("%s: %q at %v", f.ID, f.Message, f.At)
				}
			}
			slices.Sort(ids)
			counts := map[string]int{}
			for k, n := range r.Counts {
				if n > 0 {
					counts[k] = n
				}
			}
			if r.Status != c.status || r.ParserConfidence != c.confidence || fmt.Sprint(counts) != c.counts || strings.Join(ids, " ") != c.ids || r.Tool != "pytest" {
				t.Errorf("%s %s %s %v %v %v", r.Tool, r.Status, r.ParserConfidence, counts, ids, r.Extra)
			}
		})
	}
}

// TestUntold: where a pipe left only that a test failed, the report of the run says why.
func TestUntold(t *testing.T) {
	xml := `<testsuite name="com.acme.T" time="0.1" tests="1" errors="0" skipped="0" failures="1"><testcase name="adds" classname="com.acme.T" time="0.1"><failure message="sum ==&gt; expected: &lt;5&gt; but was: &lt;4&gt;" type="org.opentest4j.AssertionFailedError">org.opentest4j.AssertionFailedError: sum ==&gt; expected: &lt;5&gt; but was: &lt;4&gt;
	at com.acme.T.adds(T.java:7)
</failure></testcase></testsuite>`
	r := withReports("mvn -B test | grep ERROR", "[ERROR] com.acme.T.adds -- Time elapsed: 0.02 s <<< FAILURE!\n[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0\n", 0,
		file("target/surefire-reports/TEST-com.acme.T.xml", xml))
	if len(r.Findings) != 1 || !strings.HasPrefix(r.Findings[0].Message, "sum ==> expected: <5>") || r.Status != result.Failed {
		t.Errorf("%s: %+v", r.Status, r.Findings)
	}
}

// TestStrayReport: what tests write is not what they say.
func TestStrayReport(t *testing.T) {
	stray := file("junit.xml", `<testsuites name="jest tests"><testsuite name="x" tests="1" failures="1"><testcase classname="a" name="b"><failure>no</failure></testcase></testsuite></testsuites>`)
	stray.Named = false
	if r := withReports("pytest -q", passedRun, 0, stray); r.Status != result.Passed || len(r.Findings) > 0 {
		t.Errorf("%s %v", r.Status, r.Findings)
	}
	if r := withReports("make test", passedRun, 0, stray); r.Status != result.Failed || len(r.Parts) != 2 {
		t.Errorf("behind make: %s %v", r.Status, r.Parts)
	}
	stray.Named = true
	if r := withReports("pytest -q", passedRun, 0, stray); r.Status != result.Failed {
		t.Errorf("named: %s %v", r.Status, r.Findings)
	}
}

// TestReportNeverHelps: whatever a report says, a failing exit is no success,
// and what the text alone finds is still found.
func TestReportNeverHelps(t *testing.T) {
	whole := report("r.xml", "test_b!assert 1 == 2", "test_d")
	data := make([]byte, whole.Size)
	whole.Data.ReadAt(data, 0)
	for n := range len(data) + 1 {
		for _, text := range []string{"", shortRun, passedRun} {
			r := withReports("pytest", text, 1, file("r.xml", string(data[:n])))
			if r.Status == result.Passed || r.Status == result.OK || r.ParserConfidence == result.Parsed && len(r.Findings) == 0 {
				t.Fatalf("the first %d bytes, %q: %s %s %d", n, text, r.Status, r.ParserConfidence, len(r.Findings))
			}
			if text == shortRun && len(r.Findings) < 2 {
				t.Fatalf("the first %d bytes: %d findings", n, len(r.Findings))
			}
		}
		if r := withReports("pytest", "", 0, file("r.xml", string(data[:n]))); r.Status == result.Passed {
			t.Fatalf("the first %d bytes passed", n)
		}
	}
}

// TestRetold: text beside a report is shown where it says more than the report.
func TestRetold(t *testing.T) {
	surefire := file("target/surefire-reports/TEST-A.xml", `<testsuite xsi:noNamespaceSchemaLocation="surefire-test-report.xsd" name="com.acme.A" tests="1" failures="1" errors="0"><testcase classname="com.acme.A" name="keeps"><failure message="expected 1" type="java.lang.AssertionError">java.lang.AssertionError: expected 1
	at com.acme.A.keeps(A.java:13)</failure></testcase></testsuite>`)
	told := "[INFO] Scanning for projects...\n[ERROR] keeps(com.acme.A)  Time elapsed: 0.1 s  <<< FAILURE!\njava.lang.AssertionError: expected 1\n\tat com.acme.A.keeps(A.java:13)\n" +
		"[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE\n[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:2:test (default-test) on project bank: There are test failures.\n[ERROR] -> [Help 1]\n"
	if r := withReports("mvn test", told, 1, surefire); r.Tool != "maven" || len(r.Findings) != 1 {
		t.Errorf("%s %v %v %q", r.Tool, r.Parser, r.Findings, r.Body)
	}
	for _, more := range []string{
		"[ERROR] COMPILATION ERROR : cannot find symbol\n",
		"[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:2:test (default-test) on project shop: The forked VM terminated without saying properly goodbye. VM crash?\n",
		"Errors: could not connect\n",
	} {
		if r := withReports("mvn test", told+more, 1, surefire); !strings.Contains(r.Body, strings.TrimSpace(more)) {
			t.Errorf("the body does not tell %q:\n%s", more, r.Body)
		}
	}
}

func TestWrittenByEnv(t *testing.T) {
	got := WrittenByEnv([]string{"HOME=/h", "JEST_JUNIT_OUTPUT_DIR=res", "JEST_JUNIT_OUTPUT_NAME=j.xml", "PLAYWRIGHT_JUNIT_OUTPUT_NAME=p.xml", "PYTEST_ADDOPTS=-o junit_family=xunit2 --junitxml q.xml", "SPEC_OPTS=-o r.xml", "MOCHA_FILE="})
	want := []reports.Written{{Path: "res", Role: tool.RoleReport}, {Path: "p.xml", Role: tool.RoleReport}, {Path: "q.xml", Role: tool.RoleReport}, {Path: "r.xml", Role: tool.RoleReport}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestMypyReport: what mypy found is in its report where it is not printed.
func TestMypyReport(t *testing.T) {
	const head = `<testsuite errors="0" failures="1" name="mypy" skips="0" tests="1" time="0.5"><testcase classname="mypy" file="mypy" line="1" name="mypy-py3_11-linux" time="0.5">`
	for _, c := range []struct {
		name, doc string
		exit      int
		want      string
	}{
		{"found", head + "<failure message=\"mypy produced messages\">a.py:6: error: Incompatible &lt;x&gt;  [return-value]\nb.py:1: error: No  [misc]</failure></testcase></testsuite>", 1, "failed parsed [a.py:6 b.py:1]"},
		{"cut", head + "<failure message=\"mypy produced messages\">a.py:6: error: Incompatible  [return-value]\n", 1, "failed heuristic [a.py:6]"},
		{"clean", `<testsuite errors="0" failures="0" name="mypy" skips="0" tests="1" time="0.5"><testcase classname="mypy" file="mypy" line="1" name="mypy-py3_11-linux" time="0.5"></testcase></testsuite>`, 0, "ok generic []"},
	} {
		in := tool.Input{Shell: "mypy --junit-xml m.xml . >/dev/null", Source: term.Separate(nil, nil), Artifacts: []tool.Artifact{{Path: "m.xml", Named: true, Data: strings.NewReader(c.doc), Size: int64(len(c.doc))}}}
		r := casetest.ParseKnown(in, result.Exit{Observed: true, Code: c.exit})
		if got := fmt.Sprint(r.Status, " ", r.ParserConfidence, " ", locationsOf(r)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// TestReportBelow: a report tells where its sources are, wherever the build was
// started.
func TestReportBelow(t *testing.T) {
	const doc = `<testsuite name="com.a.T" tests="1" skipped="0" failures="1" errors="0" timestamp="2026" hostname="h" time="0.1"><testcase name="x()" classname="com.a.T" time="0.1"><failure message="no" type="a.E">a.E: no` + "\n\tat com.a.T.x(T.java:9)\n" + `</failure></testcase></testsuite>`
	for dir, line := range map[string]string{"/src": "cd api && ./gradlew test", "/src/api": "./gradlew test"} {
		in := tool.Input{
			Shell: line, Workspace: result.Workspace{Root: "/src", Dir: dir}, Source: term.Separate([]byte("> Task :test FAILED\n"), nil),
			Artifacts: []tool.Artifact{{Path: "api/build/test-results/test/TEST-com.a.T.xml", Data: strings.NewReader(doc), Size: int64(len(doc))}},
		}
		r := casetest.ParseKnown(in, result.Exit{Observed: true, Code: 1})
		if got := locationsOf(r); len(got) != 1 || got[0] != "api/src/test/java/com/a/T.java:9" {
			t.Errorf("%s: %v", line, got)
		}
	}
}
