// Package manifest keeps the records: append, read, fold into the branch,
// merge.
package manifest
