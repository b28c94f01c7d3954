// Package reports finds the files that belong to a run's output: those that its command line or environment names,
// and those at the places where tools write by default. Parsers declare these places (tool.Files); a Catalog holds
// all declarations. The package reads no file.
package reports
