// Package fleet makes tables of records: what was run in many repositories, for engines that read tables.
//
// This comment and the row types below it are the specification of the tables, format 1. "cairn export" writes them as
// files, "cairn fleet load" puts them into a database; names and meanings are the same. A column is neither renamed nor
// given another meaning; new ones may come, at the end.
//
// # Tables
//
//	runs      a row for each capture
//	findings  a row for each failure, error or warning of a run, and of a stage of it
//	outcomes  a row for each test that a run names, and what it came to
//	stages    a row for each external command of a shell line of which something of its own is known
//
// Every row begins with repository, run_id and time, which join the tables. run_id is unique in runs. In the others
// run_id and the number of the row are: finding_number, test_number, stage_number. A row of findings, outcomes or stages
// belongs to a row of runs; a reader who meets one without it has come while they were being written.
//
// The columns are the fields of Run, Finding, Outcome and Stage, in that order; the tag says what each one means. Times are UTC, in
// microseconds. A number has its unit in its name, or counts. What is not known or does not apply is null, never 0 or
// an empty text. Commands and texts are those of the record, so they are redacted as it is.
//
// # Repositories
//
// repository is the address of the remote "origin" without its scheme, user and ending .git, such as
// github.com/example/app; without such a remote it is the name of the directory. Clones of one repository so have one
// name, and their records are the same records: a run that came from several is one row.
//
// # What is not here
//
//   - The bytes of outputs, and texts of findings that the record leaves out. raw_oid names the bytes.
//   - Findings beyond those that a record names, where its full result is not in the clone that is read; and the tests
//     of a run whose list is not there. findings_missing and outcomes_missing say so.
//   - Corrections, pins, evictions, timelines and attestations.
//
// What may go in: what a table has, and how a record becomes rows. Where the rows go is the affair of the packages below.
package fleet
