package shell

import (
	"slices"
	"strings"

	"cairn/parsers/text/lex"
)

// RunsOthers reports whether a program starts others that its command line does not name: package managers, build
// tools, node-tap, shells.
func RunsOthers(program string) bool {
	return lex.IsOneOf(program, "npm pnpm yarn bun turbo nx lerna"+
		" make gmake just task rake invoke hatch composer earthly ant tap"+
		" sh bash dash zsh ksh")
}

// RunsProgram reports whether a command runs a program of the project, whose output is what it was called for: "./app", a script of an
// interpreter, "make run", "npm start". Shell scripts are excluded, for they run other tools.
func (c Command) RunsProgram() bool {
	switch program := c.Program(); {
	case len(c.Argv) == 0 || strings.HasSuffix(c.Argv[0], ".sh") || IsShellName(program+": "):
		return false
	case RunsOthers(program), lex.IsOneOf(program, "gradle gradlew mvn mvnw sbt dotnet swift stack cabal dune mix lein bazel ninja"):
		starts := func(a string) bool { return lex.IsOneOf(a, "start run serve demo exec:java bootRun") }
		words := slices.DeleteFunc(slices.Clone(c.Argv[1:]), func(a string) bool { return strings.HasPrefix(a, "-") })
		if len(words) > 1 && words[0] == "run" && lex.IsOneOf(program, "npm pnpm yarn bun turbo nx lerna composer hatch") {
			words = words[1:]
		}
		return len(words) > 0 && starts(words[0])
	}
	return c.IsScript()
}
