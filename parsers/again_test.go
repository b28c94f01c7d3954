package parsers

import (
	"strings"
	"testing"
)

// TestAgain: the command that runs one test is started as the run was, and selects that test alone.
func TestAgain(t *testing.T) {
	for _, c := range []struct{ tool, argv, line, id, want string }{
		{"cucumber-js", "npx cucumber-js features/ --parallel 2", "", "features/a.feature › is (on)", `npx cucumber-js --parallel 2 features/a.feature --name ^is \(on\)$`},
		{"cucumber-js", "npx cucumber-js features/b.feature:3", "", "features/a.feature › is on", "npx cucumber-js features/a.feature --name ^is on$"},
		{"gradle", "./gradlew test", "", "com.acme.StoreTest.classMethod", "./gradlew test --tests com.acme.StoreTest"},
		{"mocha", "npx mocha test", "", "cart adds", "npx mocha test -g ^cart adds$"},
		{"mocha", "", "npx mocha test", "cart adds", "npx mocha test -g ^cart adds$"},
		{"mocha", "", "cd api && CI=1 npx mocha | tail -5", "cart adds", "npx mocha -g ^cart adds$"},
		{"mocha", "", "npx mocha", `cart sends "before all" hook for "mail"`, "npx mocha -g ^cart sends mail$"},
		{"pytest", "", "python3 -m pytest -q", "test_a.py::test_b", "python3 -m pytest test_a.py::test_b"},
		{"vitest", "npx vitest run --project web", "", "[web] > a.test.js > cart > adds", "npx vitest run a.test.js --project web -t ^cart( >)? adds$"},
		{"jest", "", "npx jest", "[web] › a.test.js › cart › adds", "npx jest a.test.js --selectProjects web -t ^cart( ›)? adds$"},
		{"playwright", "", "npx playwright test", "[web] › a.spec.js › adds", "npx playwright test a.spec.js --project web -g adds$"},
		{"unittest", "python3 -m unittest -v test_a test_b", "", "test_a.T.test_x", "python3 -m unittest -v test_a.T.test_x"},
		{"unittest", "python3 -m unittest discover -s tests", "", "test_a.T.test_x", ""},
		{"ctest", "ctest", "", "gt.two", `ctest -R ^gt\.two$`},
		{"rspec", "rspec", "", "Cart adds (1)", `rspec -E ^Cart adds \(1\)$`},
		{"phpunit", "phpunit tests", "", `A\T::testX with data set "a b"`, `phpunit tests --filter /^A\\T::testX with data set "a b"$/`},
		{"maven", "mvn -B test", "", "x.CartTest.rows(String)[3]", "mvn -B test -Dtest=x.CartTest#rows"},
		{"maven", "mvn test", "", "x.CartTest$Inner.bad", "mvn test -Dtest=x.CartTest$Inner#bad"},
		{"ava", "", "npx ava", "adds", "npx ava --match adds"},
		{"ava", "", "npx ava", "cart › adds", ""},
	} {
		var argv []string
		if c.argv != "" {
			argv = strings.Fields(c.argv)
		}
		if got := strings.Join(Again(c.tool, argv, c.line)(c.id), " "); got != c.want {
			t.Errorf("%s %s%s: %s\ngot  %s\nwant %s", c.tool, c.argv, c.line, c.id, got, c.want)
		}
	}
}
