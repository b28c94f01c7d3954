// Package reports says which files of a run belong to what it said: those that
// its command line or environment names, and those that lie where tools leave
// them unasked. It reads no file.
package reports
