package rust

import (
	"cairn/parsers/tool"
	"cairn/result"
)

// cargo build, check and clippy, and rustc itself: the diagnostics of the
// compiler as text, short text and JSON (rustc 1.30 to 1.95). A rule is the
// code of an error (E0308) or the name of a lint (dead_code,
// clippy::needless_return). The same diagnostic of a library and of its tests is
// kept once.
var (
	_ = compiler("cargo", "cargo-build", result.Build, "cargo build, run and rustc")
	_ = compiler("cargo", "cargo-check", result.Build, "cargo check")
	_ = compiler("cargo", "cargo-clippy", result.Lint, "cargo clippy")
	_ = compiler("rustc clippy-driver", "rustc", result.Build, "rustc")
)

func compiler(programs, name string, kind result.Kind, what string) bool {
	return Room.Add(programs, func(p *tool.Parser) {
		p.Is(name, kind, 4, what+" 1.30 to 1.95: text, short, JSON")
		p.Family, p.ColumnUnit = "rustc", "char"
		p.Matches = func(argv []string) bool { return rustTool(argv) == name }
		p.Reads(cargoFormats(name)...)
		if programs == "cargo" {
			p.Family, p.Fails, p.Interprets = programs, cargoFails, runsProgram
		}
	})
}
