package shell

import "cairn/parsers/text/lex"

// RunsOthers reports whether a program starts others that its command line does not name: package managers, build
// tools, node-tap, shells.
func RunsOthers(program string) bool {
	return lex.IsOneOf(program, "npm pnpm yarn bun turbo nx lerna"+
		" make gmake just task rake invoke hatch composer earthly ant tap"+
		" sh bash dash zsh ksh")
}
