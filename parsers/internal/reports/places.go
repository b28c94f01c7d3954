package reports

import (
	"slices"
	"strings"

	"cairn/parsers/internal/shell"
	"cairn/result"
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
var PlacesByTool = map[string][]Place{
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
var ProgramPlaces = map[string]string{
	"mvn": "maven", "mvnw": "maven", "mvnd": "maven", "gradle": "gradle", "gradlew": "gradle", "sbt": "sbt", "cargo": "nextest", "cargo-nextest": "nextest",
	"pytest": "common", "py.test": "common", "tox": "common", "nox": "common", "jest": "common", "vitest": "common", "playwright": "common",
	"mocha": "common", "cypress": "common", "karma": "common", "ava": "common", "wdio": "common", "phpunit": "common", "rspec": "common", "ctest": "common",
	"rails": "common", "ruby": "common", "behave": "common", "meson": "meson",
	"npm": "any", "pnpm": "any", "yarn": "any", "bun": "any", "turbo": "any", "nx": "any", "lerna": "any",
	"make": "any", "gmake": "any", "just": "any", "task": "any", "rake": "any", "invoke": "any", "hatch": "any", "composer": "any", "earthly": "any",
	"sh": "any", "bash": "any", "dash": "any", "zsh": "any", "ksh": "any", "ant": "any",
}

// gates are the files that say that a build tool is at home in a directory.
var gates = []struct{ file, Files string }{
	{"pom.xml", "maven"}, {"build.gradle", "gradle"}, {"build.gradle.kts", "gradle"}, {"settings.gradle", "gradle"}, {"settings.gradle.kts", "gradle"},
	{"build.sbt", "sbt"}, {"Cargo.toml", "nextest"},
}

// PlacesOf says where the programs of a command line may write reports unasked.
// Most programs write none.
func PlacesOf(argv []string, shellText string) (all []Place) {
	for _, s := range shell.CommandsOf(argv, shellText) {
		dir := shell.JoinDir(s.Dir, shell.Unwrap(s.Argv, "").Dir)
		for _, p := range placesFor(s) {
			if p.Dir = dir; !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

func placesFor(s shell.Step) []Place {
	group := "any"
	if !s.Opaque {
		program := shell.Unwrap(s.Argv, "").Program()
		group = ProgramPlaces[program]
		if group == "" && (shell.IsPython(program) || program == "node") {
			group = "common" // a script, or a module that runs tests
		}
		if group == "" && strings.ContainsAny(s.Argv[0], `/\`) && !result.IsAbsolute(s.Argv[0]) {
			group = "any" // a script of the project's own
		}
	}
	if group != "any" {
		return PlacesByTool[group]
	}
	return anyPlaces()
}

func anyPlaces() []Place {
	all := slices.Clone(PlacesByTool["common"])
	for _, g := range gates {
		for _, p := range PlacesByTool[g.Files] {
			all = append(all, Place{Pattern: p.Pattern, Gate: g.file})
		}
	}
	return all
}
