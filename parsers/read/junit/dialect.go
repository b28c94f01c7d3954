package junit

import (
	"maps"
	"slices"
	"strings"

	"cairn/parsers/read/xmltext"
	"cairn/parsers/tool"
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
func dialectOfSuite(x *xmltext.Scanner, kind junitKind, s *junitSuite) junitDialect {
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
	case x.HasAttr("noNamespaceSchemaLocation") && strings.Contains(string(x.RawAttr("noNamespaceSchemaLocation")), "surefire"):
		return byMaven
	case kind == junitSuites && x.HasAttr("id") && x.HasAttr("name") && s.name == "" && x.HasAttr("skipped"):
		return byPlaywright
	case kind == junitSuiteKind && attrNames(x) == "name tests skipped failures errors timestamp hostname time":
		return byGradle
	case kind == junitSuiteKind && strings.HasSuffix(s.name, ".bats"):
		return byBats
	case kind == junitSuiteKind && x.HasAttr("disabled") && x.HasAttr("skipped") && x.HasAttr("hostname") && !x.HasAttr("errors"):
		return byCTest
	case kind == junitSuiteKind && x.HasAttr("assertions") && x.HasAttr("warnings") == x.HasAttr("skipped"):
		return byPHPUnit
	}
	return ""
}

// attrNames are the names of the attributes of a tag, in order: gradle's are
// all that its reports have of their own.
func attrNames(x *xmltext.Scanner) string {
	var b strings.Builder
	for i := range x.Attrs {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.Write(x.Attrs[i].Name)
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
	case r.wrote(t, o) != "":
		r.style = r.wrote(t, o)
	case len(t.phpClass) > 0 && len(t.class) > 0:
		r.style = byPHPUnit
	case o != nil && (o.class == "testCodeFailure" || strings.HasSuffix(o.class, "Failure") && strings.Contains(o.text.head.String(), "ERR_TEST_FAILURE")):
		r.style = byNode
	case string(t.class) == "test" && len(t.file) > 0:
		r.style = byNode
	}
	return r.style
}

// wrote asks the tools whose reports do not name their writer.
func (r *junitReader) wrote(t *junitCase, o *junitOutcome) junitDialect {
	if len(r.suites) == 0 {
		return ""
	}
	suite := r.suites[len(r.suites)-1].name
	for _, toolName := range slices.Sorted(maps.Keys(r.run.in.Dialects())) {
		d := r.run.in.Dialects()[toolName]
		if d.Wrote == nil {
			continue
		}
		var why *tool.Outcome
		if o != nil {
			why = &tool.Outcome{What: o.what, Class: o.class, Message: o.message}
		}
		if d.Wrote(suite, string(t.class), string(t.name), why) {
			return junitDialect(toolName)
		}
	}
	return ""
}

// wrote notes a dialect of the run.
func (run *junitRun) wrote(d junitDialect) {
	if d != "" && !slices.Contains(run.dialects, string(d)) {
		run.dialects = append(run.dialects, string(d))
	}
}
