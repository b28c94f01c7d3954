package index

import "cairn/manifest"

// Row is what the index holds of a capture.
type Row struct {
	Key     string // command key
	Command string // as one line
	What    string // verdict and tools, in the form of the caller
	Where   string // branch, commit and tree, in the form of the caller
	Who     string // agent and session, in the form of the caller

	Duration int64 // milliseconds
	Raw      int64 // bytes printed
	Shown    int64 // bytes of the compact form
	Flags    uint16

	Findings []string // texts, in the form of the caller, one a finding
}

// Describe makes a row of a capture.
type Describe func(*manifest.Record) (Row, error)

// storedRow is a row with where it comes from.
type storedRow struct {
	Row
	time  int64  // microseconds
	id    uint64 // hash of the run id
	line  uint32 // CRC-32C of the record's line
	shard int    // in the builder's list
	at    uint32
	size  uint32
}

// The columns of a segment, by number of section. The sections after them are of
// other forms.
const (
	colTime = iota
	colID
	colLine
	colShard
	colAt
	colSize
	colKey
	colCommand
	colWhat
	colWhere
	colWho
	colDuration
	colRaw
	colShown
	colFlags
	columns

	secTexts       = iota - 1 // lengths of texts, cumulated
	secTextBytes              // the texts
	secFindings               // as secTexts, of the distinct findings
	secFindingText            // their texts
	secHasFrom                // by row: where its findings begin in secHas, and one more
	secHas                    // numbers of findings
	secFolders                // of the shards that rows come from
	secShards                 // the shards: size, time of change, and where the name ends in secNames
	secNames                  // their names
	sections
)

// width of the entries of a column.
func width(col int) int {
	switch col {
	case colTime, colID, colDuration, colRaw, colShown:
		return 8
	case colFlags:
		return 2
	}
	return 4
}
