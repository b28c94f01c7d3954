package tool

import (
	"bytes"
	"io"
	"slices"

	"cairn/parsers/text/term"
	"cairn/parsers/text/xmltext"
)

// ReportHead is how many bytes of a file are examined to recognise a report: enough for an XML declaration, a
// comment and the first tag.
const ReportHead = 4 << 10

// IsReport reports whether a file that begins with head is a report in a format that cairn reads.
func IsReport(head []byte) bool {
	text, _ := io.ReadAll(xmltext.UTF8(bytes.NewReader(head[:min(len(head), ReportHead)])))
	return slices.ContainsFunc(reportRoots[:], func(root []byte) bool { return bytes.Contains(text, root) })
}

// reportRoots are the beginnings of the first tags of reports by JUnit, TRX, xUnit.net, NUnit and TestNG.
var reportRoots = [...][]byte{[]byte("<testsuite"), []byte("<TestRun "), []byte("<assemblies"), []byte("<test-run "), []byte("<testng-results")}

func (a Artifact) Reader() io.Reader { return io.NewSectionReader(a.Data, 0, a.Size) }

func (a Artifact) IsReport() bool {
	head := make([]byte, min(a.Size, ReportHead))
	n, _ := a.Data.ReadAt(head, 0)
	return IsReport(head[:n])
}

func (a Artifact) Stream() term.Stream {
	if a.Role == RoleErrors {
		return term.Stderr
	}
	return term.Stdout
}

// Artifact is a file that the run wrote.
type Artifact struct {
	Path  string // for display: relative to the top of the workspace
	Role  Role   // "" means RoleReport
	Named bool   // the command line names it, or the caller vouches for it
	Data  io.ReaderAt
	Size  int64
}

// Role says what a written file is to the run.
type Role string

const (
	// RoleReport is a file that describes the run beside the output, as JUnit XML does.
	RoleReport Role = "report"
	// RoleOutput is a file with what the tool would otherwise have printed on stdout.
	RoleOutput Role = "output"
	// RoleErrors is a file with what the tool would otherwise have printed on stderr.
	RoleErrors Role = "stderr"
)
