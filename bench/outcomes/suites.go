package main

import (
	"slices"

	"cairn/bench/packages"
)

// suites returns the packages whose tests are run. To add one, extend the list in the file of its ecosystem.
func suites() []suite {
	var all []suite
	for _, some := range [][]suite{pythonSuites(), goSuites(), rustSuites()} {
		all = append(all, some...)
	}
	return all
}

// pythonTools are the packages that run the Python suites and write their reports.
var pythonTools = []string{
	"pytest==8.3.5", "pytest-reportlog==0.4.0", "pytest-xdist==3.6.1", "unittest-xml-reporting==3.2.0", "nose2==0.15.1",
	"hypothesis==6.131.0", "freezegun==1.5.1", "pretend==1.0.9", "setuptools==78.1.0", "wheel==0.45.1",
}

const python = "{cache}/python/bin/python"

// pytest returns a suite with several outputs of pytest: default, -v, -rA, and parallel.
func pytest(name, version string, fetch packages.Fetch, env []string, args ...string) suite {
	log := truth{file: ".truth.json", read: pytestLog}
	command := func(more ...string) []string {
		return append(append([]string{python, "-m", "pytest", "-p", "no:cacheprovider", "--report-log=.truth.json"}, args...), more...)
	}
	return suite{
		name: name, version: version, runner: "pytest", needs: []string{"python3"}, fetch: fetch, env: env,
		modes: []mode{{"default", command(), log}, {"-v", command("-v"), log}, {"-rA", command("-rA"), log}, {"-v -n 2", command("-v", "-n", "2"), log}},
	}
}

// reportXML runs unittest, with xmlrunner's report on stdout and everything else on stderr.
const reportXML = `import io, os, sys, unittest, xmlrunner
out = os.fdopen(os.dup(1), "wb"); os.dup2(2, 1)
unittest.main(module=None, testRunner=xmlrunner.XMLTestRunner(output=out, verbosity=0, stream=io.StringIO()), buffer=False)`

// only limits a suite to some of its outputs, since the others would take minutes.
func only(s suite, outputs ...string) suite {
	s.modes = slices.DeleteFunc(s.modes, func(m mode) bool { return !slices.Contains(outputs, m.name) })
	return s
}

// standardLibrary fetches only the tools: the tests come with the interpreter.
func standardLibrary(c packages.Cache, dir string) error { return c.Venv() }

// unittest returns a suite with the output of -v; a second run with xmlrunner gives the truth.
func unittest(name, version string, fetch packages.Fetch, env []string, args ...string) suite {
	report := truth{
		again: append([]string{python, "-c", reportXML, "-v"}, args...),
		read:  junit(dotted),
	}
	return suite{
		name: name, version: version, runner: "unittest", needs: []string{"python3"}, fetch: fetch, env: env,
		modes: []mode{{"-v", append([]string{python, "-m", "unittest", "-v"}, args...), report}},
	}
}

// reportTrial runs trial, and writes each call of its reporter to stdout and everything else to stderr.
const reportTrial = `import json, os, sys
out = os.fdopen(os.dup(1), "w", 1); os.dup2(2, 1)
from twisted.trial import reporter
def tell(name, came):
    was = getattr(reporter.TestResult, name)
    def told(self, test, *more, **named):
        out.write(json.dumps({"id": test.id(), "came": came}) + "\n")
        return was(self, test, *more, **named)
    setattr(reporter.TestResult, name, told)
for name, came in dict(addSuccess="passed", addError="error", addFailure="failed", addSkip="skipped", addExpectedFailure="xfailed", addUnexpectedSuccess="xpassed").items():
    tell(name, came)
from twisted.scripts.trial import run
sys.argv[0] = "trial"
run()`

// trial returns a suite with three outputs of trial: the default, a tree; each test's name on one line; in parallel.
func trial(name, version string, fetch packages.Fetch, env []string, args ...string) suite {
	calls := truth{again: append([]string{python, "-c", reportTrial}, args...), read: came}
	command := func(more ...string) []string {
		return append(append([]string{python, "-m", "twisted.trial"}, more...), args...)
	}
	return suite{
		name: name, version: version, runner: "trial", needs: []string{"python3"}, fetch: fetch, env: env,
		modes: []mode{{"default", command(), calls}, {"--reporter=bwverbose", command("--reporter=bwverbose"), calls}, {"-j2", command("-j2"), calls}},
	}
}

func pythonSuites() []suite {
	src := []string{"PYTHONPATH=src"}
	here := []string{"PYTHONPATH=."}
	return []suite{
		only(pytest("packaging", "24.2", packages.Sdist("packaging", "24.2", ""), src, "tests/test_version.py"), "default", "-v"),
		pytest("click", "8.1.8", packages.Sdist("click", "8.1.8", ""), src),
		pytest("jinja2", "3.1.5", packages.Sdist("jinja2", "3.1.5", "", "markupsafe==3.0.2", "trio==0.29.0"), src),
		pytest("sqlparse", "0.5.3", packages.Sdist("sqlparse", "0.5.3", ""), here),
		pytest("attrs", "24.3.0", packages.Sdist("attrs", "24.3.0", ""), src),
		only(pytest("python-dateutil", "2.9.0.post0", packages.Sdist("python-dateutil", "2.9.0.post0", "", "six==1.17.0"), src, "-o", "filterwarnings="), "-v", "-rA"),
		only(pytest("networkx", "3.4.2", packages.Sdist("networkx", "3.4.2", ""), here, "-o", "filterwarnings=", "networkx/classes", "networkx/algorithms"), "-v"),
		trial("twisted", "24.11.0", packages.Sdist("twisted", "24.11.0", "", "twisted==24.11.0"), src, "twisted.python.test", "twisted.internet.test.test_endpoints"),
		unittest("stdlib-text", "3", standardLibrary, nil, "test.test_json", "test.test_enum", "test.test_re", "test.test_textwrap", "test.test_string"),
		unittest("stdlib-data", "3", standardLibrary, nil, "test.test_collections", "test.test_dict", "test.test_set", "test.test_fractions", "test.test_statistics"),
		unittest("stdlib-types", "3", standardLibrary, nil, "test.test_typing", "test.test_dataclasses", "test.test_argparse", "test.test_bytes", "test.test_array", "test.test_ipaddress", "test.test_configparser", "test.test_urlparse"),
		unittest("stdlib-email", "3", standardLibrary, nil, "test.test_email", "test.test_csv", "test.test_datetime"),
	}
}

// goTest returns a suite of a module with the default output, which names no passed test, and with -v.
func goTest(name, version, module string) suite {
	events := truth{again: []string{"go", "test", "-count=1", "-json", "./..."}, read: goJSON}
	return suite{
		name: name, version: version, runner: "go test", needs: []string{"go"}, fetch: packages.GoModule(module, version, ""), env: []string{"GOFLAGS=-mod=mod"},
		modes: []mode{{"default", []string{"go", "test", "-count=1", "./..."}, events}, {"-v", []string{"go", "test", "-count=1", "-v", "./..."}, events}},
	}
}

func goSuites() []suite {
	return []suite{
		goTest("toml", "v1.4.0", "github.com/BurntSushi/toml"),
		goTest("go-cmp", "v0.7.0", "github.com/google/go-cmp"),
		goTest("pflag", "v1.0.6", "github.com/spf13/pflag"),
		goTest("goldmark", "v1.7.8", "github.com/yuin/goldmark"),
		goTest("cobra", "v1.10.2", "github.com/spf13/cobra"),
		goTest("testify", "v1.10.0", "github.com/stretchr/testify"),
		goTest("chi", "v5.2.1", "github.com/go-chi/chi/v5"),
	}
}

// cargoTest returns a suite of a crate with cargo's default output, which names every test.
func cargoTest(name, version string, fetch packages.Fetch) suite {
	events := truth{again: []string{"cargo", "test", "-q", "--tests", "--no-fail-fast", "--", "-Z", "unstable-options", "--format", "json"}, read: libtest}
	return suite{
		name: name, version: version, runner: "cargo test", needs: []string{"cargo"}, fetch: fetch, env: []string{"RUSTC_BOOTSTRAP=1", "CARGO_TARGET_DIR={cache}/target"},
		modes: []mode{{"default", []string{"cargo", "test", "--tests", "--no-fail-fast"}, events}},
	}
}

func rustSuites() []suite {
	return []suite{
		cargoTest("semver", "1.0.26", packages.Crate("semver", "1.0.26", "")),
		cargoTest("smallvec", "1.14.0", packages.Crate("smallvec", "1.14.0", "")),
		cargoTest("itoa", "1.0.15", packages.Crate("itoa", "1.0.15", "")),
	}
}
