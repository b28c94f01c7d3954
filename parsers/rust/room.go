// Package rust understands cargo, rustc, libtest and nextest. They are one room
// because each of them shows what the others print.
package rust

import "cairn/parsers/tool"

// Room holds the parsers that this folder declares.
var Room tool.Room

// runs is the Parser.Matches of a program that is also a command of cargo: "cargo-deny", "cargo deny".
func runs(program, command string) func(argv []string) bool {
	ofCargo := tool.RunsSub("cargo", command)
	return func(argv []string) bool { return argv[0] == program || ofCargo(argv) }
}
