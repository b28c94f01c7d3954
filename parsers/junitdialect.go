package parsers

import (
	"slices"
	"strings"
)

// junitDialect is who wrote a document, by the name that cairn has for the
// tool: what a finding names as its source.
type junitDialect string

const (
	byPytest     junitDialect = "pytest"
	byGo         junitDialect = "go-test" // go-junit-report and gotestsum
	byMaven      junitDialect = "maven"   // surefire and failsafe
	byGradle     junitDialect = "gradle"
	byJest       junitDialect = "jest" // jest-junit
	byVitest     junitDialect = "vitest"
	byPHPUnit    junitDialect = "phpunit"
	byPlaywright junitDialect = "playwright"
	byCTest      junitDialect = "ctest"
	byGoogleTest junitDialect = "googletest"
	byNode       junitDialect = "node-test"
	byMocha      junitDialect = "mocha"
	byBats       junitDialect = "bats"
	byNextest    junitDialect = "cargo-nextest"
)

// learn takes what a part of the document tells of its writer; the first word
// holds.
func (r *junitReader) learn(d junitDialect) {
	if r.style == "" && d != "" {
		r.style = d
	}
}

// dialectOfProperty: what runners write of their environment.
func dialectOfProperty(name string) junitDialect {
	switch {
	case name == "go.version":
		return byGo
	case strings.HasPrefix(name, "surefire."), name == "maven.home", name == "basedir":
		return byMaven
	}
	return ""
}

// dialectOfSuite looks at the tag of a suite.
func dialectOfSuite(x *xmlScanner, kind junitKind, s *junitSuite) junitDialect {
	switch s.name {
	case "pytest", "pytest tests":
		return byPytest
	case "jest tests":
		return byJest
	case "vitest tests":
		return byVitest
	case "AllTests":
		return byGoogleTest
	case "Mocha Tests":
		return byMocha
	case "nextest-run":
		return byNextest
	}
	switch {
	case x.hasAttr("noNamespaceSchemaLocation") && strings.Contains(string(x.rawAttr("noNamespaceSchemaLocation")), "surefire"):
		return byMaven
	case kind == junitSuites && x.hasAttr("id") && x.hasAttr("name") && s.name == "" && x.hasAttr("skipped"):
		return byPlaywright
	case kind == junitSuiteKind && attrNames(x) == "name tests skipped failures errors timestamp hostname time":
		return byGradle
	case kind == junitSuiteKind && strings.HasSuffix(s.name, ".bats"):
		return byBats
	case kind == junitSuiteKind && x.hasAttr("disabled") && x.hasAttr("skipped") && x.hasAttr("hostname") && !x.hasAttr("errors"):
		return byCTest
	case kind == junitSuiteKind && x.hasAttr("assertions") && x.hasAttr("warnings") == x.hasAttr("skipped"):
		return byPHPUnit
	}
	return ""
}

// attrNames are the names of the attributes of a tag, in order: gradle's are
// all that its reports have of their own.
func attrNames(x *xmlScanner) string {
	var b strings.Builder
	for i := range x.attrs {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.Write(x.attrs[i].name)
	}
	return b.String()
}

// dialect is who wrote the case: what the document said, else what the case
// itself looks like.
func (r *junitReader) dialect(t *junitCase, o *junitOutcome) junitDialect {
	if r.style != "" {
		return r.style
	}
	switch {
	case r.isGo(t, o):
		r.style = byGo
	case len(t.phpClass) > 0 && len(t.class) > 0:
		r.style = byPHPUnit
	case o != nil && (o.class == "testCodeFailure" || strings.HasSuffix(o.class, "Failure") && strings.Contains(o.text.head.String(), "ERR_TEST_FAILURE")):
		r.style = byNode
	case string(t.class) == "test" && len(t.file) > 0:
		r.style = byNode
	}
	return r.style
}

// isGo: go-junit-report names no producer; its packages and the names of tests
// tell.
func (r *junitReader) isGo(t *junitCase, o *junitOutcome) bool {
	if len(r.suites) == 0 {
		return false
	}
	suite, name := r.suites[len(r.suites)-1].name, string(t.name)
	if string(t.class) != suite {
		return false
	}
	return isGoCase(suite, suite, name) || o != nil && o.what == "error" &&
		(o.message == "Build error" && name == "[build failed]" || o.message == "Runtime error" && name == "Failure")
}

// wrote notes a dialect of the run.
func (run *junitRun) wrote(d junitDialect) {
	if d != "" && !slices.Contains(run.dialects, string(d)) {
		run.dialects = append(run.dialects, string(d))
	}
}
