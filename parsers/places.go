package parsers

import (
	"path"
	"slices"
	"strings"
)

// Place is where reports may lie that no command line names: a pattern of
// slash-separated elements in which "*" stands for any run of characters of one
// element, as in path.Match.
type Place struct {
	Dir     string // the pattern's, relative to where the command starts
	Pattern string
	Gate    string // a file in Dir without which nothing can be there; "": none
}

// placesOf are the places of each build tool or family of test runners. Only
// what a tool or its usual reporter does unasked stands here, so that looking
// costs some file look-ups and never a walk over a tree.
var placesOf = map[string][]Place{
	"maven": {
		{Pattern: "target/surefire-reports/TEST-*.xml"}, {Pattern: "target/failsafe-reports/TEST-*.xml"},
		{Pattern: "*/target/surefire-reports/TEST-*.xml"}, {Pattern: "*/target/failsafe-reports/TEST-*.xml"},
		{Pattern: "*/*/target/surefire-reports/TEST-*.xml"}, {Pattern: "*/*/target/failsafe-reports/TEST-*.xml"},
	},
	"gradle": {
		{Pattern: "build/test-results/TEST-*.xml"}, {Pattern: "build/test-results/*/TEST-*.xml"},
		{Pattern: "*/build/test-results/*/TEST-*.xml"}, {Pattern: "*/*/build/test-results/*/TEST-*.xml"},
	},
	"sbt":     {{Pattern: "target/test-reports/TEST-*.xml"}, {Pattern: "*/target/test-reports/TEST-*.xml"}},
	"nextest": {{Pattern: "target/nextest/*/junit.xml"}},
	"common": {
		{Pattern: "junit.xml"}, {Pattern: "report.xml"}, {Pattern: "results.xml"}, {Pattern: "test-results.xml"}, {Pattern: "test-report.xml"},
		{Pattern: "test-results/*.xml"}, {Pattern: "test-results/*/*.xml"}, {Pattern: "test-reports/*.xml"},
		{Pattern: "reports/*.xml"}, {Pattern: "reports/*/*.xml"}, {Pattern: "junit/*.xml"}, {Pattern: "coverage/junit.xml"},
		{Pattern: "test/reports/TEST-*.xml"}, // minitest-reporters
	},
	"meson": {{Pattern: "meson-logs/testlog.junit.xml"}, {Pattern: "*/meson-logs/testlog.junit.xml"}},
}

// programPlaces names the places of a program. "any": what it runs cannot be
// known before it ran.
var programPlaces = map[string]string{
	"mvn": "maven", "mvnw": "maven", "mvnd": "maven", "gradle": "gradle", "gradlew": "gradle", "sbt": "sbt", "cargo": "nextest", "cargo-nextest": "nextest",
	"pytest": "common", "py.test": "common", "tox": "common", "nox": "common", "jest": "common", "vitest": "common", "playwright": "common",
	"mocha": "common", "cypress": "common", "karma": "common", "ava": "common", "wdio": "common", "phpunit": "common", "rspec": "common", "ctest": "common",
	"rails": "common", "ruby": "common", "behave": "common", "meson": "meson",
	"npm": "any", "pnpm": "any", "yarn": "any", "bun": "any", "turbo": "any", "nx": "any", "lerna": "any",
	"make": "any", "gmake": "any", "just": "any", "task": "any", "rake": "any", "invoke": "any", "hatch": "any", "composer": "any", "earthly": "any",
	"sh": "any", "bash": "any", "dash": "any", "zsh": "any", "ksh": "any", "ant": "any",
}

// gates are the files that say that a build tool is at home in a directory.
var gates = []struct{ file, places string }{
	{"pom.xml", "maven"}, {"build.gradle", "gradle"}, {"build.gradle.kts", "gradle"}, {"settings.gradle", "gradle"}, {"settings.gradle.kts", "gradle"},
	{"build.sbt", "sbt"}, {"Cargo.toml", "nextest"},
}

// PlacesOf says where the programs of a command line may write reports unasked.
// Most programs write none.
func PlacesOf(argv []string, shell string) (all []Place) {
	for _, s := range commandsOf(argv, shell) {
		dir := joinDir(s.dir, unwrap(s.argv, "").dir)
		for _, p := range s.places() {
			if p.Dir = dir; !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

func (s step) places() []Place {
	group := "any"
	if !s.opaque {
		program := unwrap(s.argv, "").program()
		group = programPlaces[program]
		if group == "" && (isPython(program) || program == "node") {
			group = "common" // a script, or a module that runs tests
		}
		if group == "" && strings.ContainsAny(s.argv[0], `/\`) && !path.IsAbs(s.argv[0]) {
			group = "any" // a script of the project's own
		}
	}
	if group != "any" {
		return placesOf[group]
	}
	return anyPlaces()
}

func anyPlaces() []Place {
	all := slices.Clone(placesOf["common"])
	for _, g := range gates {
		for _, p := range placesOf[g.places] {
			all = append(all, Place{Pattern: p.Pattern, Gate: g.file})
		}
	}
	return all
}

// xmlOfPytest stands before the name of the report that pytest wrote, which its
// configuration may have asked for.
const xmlOfPytest = "- generated xml file: "

// PlacesSeen says where reports may be, judged by what was printed, where the
// command line did not say. Call it after Scan.
func (s *Session) PlacesSeen() (all []Place) {
	groups := map[string]bool{}
	for _, m := range s.claims {
		switch {
		case m.report == nil:
		case m.parser.Tool == "pytest":
			groups["common"] = true
		case m.parser.Family == "cargo":
			groups["nextest"] = true
		}
	}
	for _, l := range s.reducer.all() {
		switch {
		case strings.HasPrefix(l.text, "[INFO] Scanning for projects"), strings.Contains(l.text, "[INFO]  T E S T S"):
			groups["maven"] = true
		case strings.HasPrefix(l.text, "> Task :"):
			groups["gradle"] = true
		case strings.HasPrefix(l.text, "Test Suites: "), strings.HasPrefix(l.text, " Test Files  "):
			groups["common"] = true
		case strings.Contains(l.text, xmlOfPytest):
			_, name, _ := strings.Cut(l.text, xmlOfPytest)
			name = strings.TrimRight(name, " -")
			all = append(all, Place{Dir: path.Dir(name), Pattern: path.Base(name)})
		}
	}
	for _, name := range []string{"maven", "gradle", "nextest", "common"} {
		if groups[name] {
			all = append(all, placesOf[name]...)
		}
	}
	for _, dir := range s.dirs.all() {
		for _, p := range placesOf["common"] {
			p.Dir = dir
			all = append(all, p)
		}
	}
	return all
}
