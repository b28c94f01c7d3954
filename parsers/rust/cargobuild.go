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
var _ = Room.Add("cargo", func() *tool.Parser {
	return &tool.Parser{
		Tool: "cargo-build", Family: "cargo", Kind: result.Build, Version: 4, ColumnUnit: "char",
		About:   "cargo build, run and rustc 1.30 to 1.95: text, short, JSON",
		Matches: func(argv []string) bool { return cargoTool(cargoCommand(argv)) == "cargo-build" },
		Fails:   cargoFails,
		Formats: cargoFormats("cargo-build"),
	}
})

var _ = Room.Add("cargo", func() *tool.Parser {
	return &tool.Parser{
		Tool: "cargo-check", Family: "cargo", Kind: result.Build, Version: 4, ColumnUnit: "char",
		About:   "cargo check 1.30 to 1.95: text, short, JSON",
		Matches: func(argv []string) bool { return cargoTool(cargoCommand(argv)) == "cargo-check" },
		Fails:   cargoFails,
		Formats: cargoFormats("cargo-check"),
	}
})

var _ = Room.Add("cargo", func() *tool.Parser {
	return &tool.Parser{
		Tool: "cargo-clippy", Family: "cargo", Kind: result.Lint, Version: 4, ColumnUnit: "char",
		About:   "cargo clippy 1.30 to 1.95: text, short, JSON",
		Matches: func(argv []string) bool { return cargoTool(cargoCommand(argv)) == "cargo-clippy" },
		Fails:   cargoFails,
		Formats: cargoFormats("cargo-clippy"),
	}
})

var _ = Room.Add("rustc clippy-driver", func() *tool.Parser {
	return &tool.Parser{
		Tool: "rustc", Family: "rustc", Kind: result.Build, Version: 4, ColumnUnit: "char",
		About:   "rustc 1.30 to 1.95: text, short, JSON",
		Matches: func(argv []string) bool { return len(argv) > 0 && (argv[0] == "rustc" || argv[0] == "clippy-driver") },
		Formats: cargoFormats("rustc"),
	}
})
