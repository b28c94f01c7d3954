// Package fleet makes tables of records: the runs of many repositories, for engines that read tables.
//
// This comment and the row types below it are the specification of the tables, format 1. "cairn export" writes them as
// files, "cairn fleet load" puts them into a database; names and meanings are the same. A column is never renamed and
// never changes its meaning; new columns may be added at the end.
//
// # Tables
//
//	runs      a row for each capture
//	findings  a row for each failure, error or warning of a run or of one of its stages
//	outcomes  a row for each test that a run names, with its outcome
//	stages    a row for each external command of a shell line about which something is known
//
// Every row begins with repository, run_id and time, which join the tables. run_id is unique in runs; in the others,
// run_id together with finding_number, test_number or stage_number is. Each row of findings, outcomes or stages belongs
// to a row of runs; if that is missing, the tables are just being written.
//
// The columns are the fields of Run, Finding, Outcome and Stage, in that order; each tag says what the column means.
// Times are UTC, in microseconds. A number has its unit in its name, or is a count. A value that is not known or does
// not apply is null, never 0 or an empty text. Commands and texts are redacted, as in the record.
//
// # Repositories
//
// repository is the address of the remote "origin" without its scheme, user and ending .git, such as
// github.com/example/app; without such a remote it is the name of the directory. So clones of one repository have the
// same name, and the same records: a run that is in several clones is one row.
//
// # What is not here
//
//   - The bytes of outputs, and texts of findings that the record leaves out. raw_oid names the bytes.
//   - Findings that the record does not name, if the clone lacks the full result; and the tests
//     of a run whose list is missing. findings_missing and outcomes_missing say so.
//   - Corrections, pins, evictions, timelines and attestations.
//
// What may go in: what a table has, and how a record becomes rows. Packages below write the rows to files and
// databases.
package fleet
