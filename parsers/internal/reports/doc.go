// Package reports says which files of a run belong to what it said: those that
// its command line or environment names, and those that lie where tools leave
// them unasked. What a tool does there is declared by its parser (tool.Files);
// a Catalog holds the declarations of all. The package reads no file.
package reports
