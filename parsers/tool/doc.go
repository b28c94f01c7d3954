// Package tool is the contract between the rooms of parsers and the engine: what a
// tool declares (Parser, Format, Dialect), what a parser is given (Input, Line)
// and what it answers (Report). A room imports this package, the readers in
// parsers/read, and result; nothing else of the program.
package tool
