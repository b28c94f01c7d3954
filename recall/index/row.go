package index

import "cairn/manifest"

// Row is what the index stores about a capture.
type Row struct {
	Key     string // the command key
	Command string // the command, as one line
	What    string // verdict and tools, in the form of the caller
	Where   string // branch, commit and tree, in the form of the caller
	Who     string // agent and session, in the form of the caller

	Duration int64 // milliseconds
	Raw      int64 // bytes printed
	Shown    int64 // bytes that the compact form has
	Flags    uint16

	Findings []string // one text for each finding, in the form of the caller
}

// Describe makes a row of a capture.
type Describe func(*manifest.Record) (Row, error)

// storedRow is a row with its run, its record's checksum and its record's place in a shard.
type storedRow struct {
	Row
	time  int64  // microseconds
	id    uint64 // hash of the run id
	line  uint32 // CRC-32C of the record's line
	shard int    // index in the builder's list of shards
	at    uint32
	size  uint32
}

// The columns of a segment, by number of section. The sections after them are not
// columns.
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

	secTexts       = iota - 1 // ends of the texts in secTextBytes
	secTextBytes              // the texts
	secFindings               // ends of the distinct findings in secFindingText
	secFindingText            // the texts of the findings
	secHasFrom                // by row: where its findings begin in secHas, and a last entry for the end
	secHas                    // numbers of findings
	secFolders                // of the shards that rows come from
	secShards                 // the shards: size, modification time, and the end of the name in secNames
	secNames                  // names of the shards
	sections
)

// width is the bytes of one entry of a column.
func width(col int) int {
	switch col {
	case colTime, colID, colDuration, colRaw, colShown:
		return 8
	case colFlags:
		return 2
	}
	return 4
}
