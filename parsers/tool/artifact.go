package tool

import (
	"bytes"
	"io"
	"slices"

	"cairn/parsers/text/term"
	"cairn/parsers/text/xmltext"
)

// ReportHead is how much of a file is looked at to see what it is: an XML
// declaration, a comment and the first tag.
const ReportHead = 4 << 10

// IsReport says whether a file that begins so is a report that is understood.
func IsReport(head []byte) bool {
	text, _ := io.ReadAll(xmltext.UTF8(bytes.NewReader(head[:min(len(head), ReportHead)])))
	return slices.ContainsFunc(reportRoots[:], func(root []byte) bool { return bytes.Contains(text, root) })
}

// reportRoots are how the first tags of reports begin: JUnit's, TRX's, xUnit.net's, NUnit's and TestNG's.
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
	Path  string // to be shown; from the top of the workspace
	Role  Role   // "" is RoleReport
	Named bool   // by the command line, or by the caller that hands it over
	Data  io.ReaderAt
	Size  int64
}

// Role says what a file that a run writes is to it.
type Role string

const (
	// RoleReport: it describes the run beside the output, as JUnit XML does.
	RoleReport Role = "report"
	// RoleOutput: it is what the tool would else have printed on stdout.
	RoleOutput Role = "output"
	// RoleErrors: the same of stderr.
	RoleErrors Role = "stderr"
)
