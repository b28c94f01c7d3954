package tool

import (
	"bytes"
	"io"
	"slices"

	"cairn/parsers/text/term"
	"cairn/parsers/text/xmltext"
)

// Files says which files the runs of a tool write beside their output, and which flags and variables make it write
// them. The caller that runs the tool finds these files, and passes them as Input.Artifacts.
type Files struct {
	// Flags are the flags whose value names a written file, or a directory of files.
	Flags []FileFlag
	// Argument returns the reports that an argument of another form names, such as "--gtest_output=xml:FILE"; next
	// is the argument after it.
	Argument func(arg, next string) []string

	// Variables are environment variables that name a report, Folders those that name a directory of reports. A
	// variable that ends in _NAME counts only if its neighbour that ends in _DIR is not set.
	Variables, Folders []string
	// Arguments are environment variables that hold arguments of the tool.
	Arguments []string
	// AsFlag maps environment variables to the flag whose value they set.
	AsFlag map[string]string

	// Places are where the tool leaves reports by default: patterns of path.Match, relative to where the tool runs.
	// They list only what the tool or its usual reporter does, so that looking takes a few file look-ups and never
	// walks a tree.
	Places []string
	// Shared says that the usual reporters write into folders that other tools use as well.
	Shared bool
	// Programs are the programs that leave reports in Places; nil: Parser.Programs.
	Programs []string
	// Homes are files that show that a project uses the tool, so that reports are looked for whatever program was
	// run in their directory.
	Homes []string
	// Printed reads a line of the output: whether it shows that the tool ran, and the name of a report that the
	// tool wrote.
	Printed func(line string) (report string, ran bool)
}

// FileFlag is a flag whose value names a file that is written.
type FileFlag struct {
	Flag string // without its value, as in "--junit-xml"
	// Of are the programs that have the flag. If empty, only one tool spells a flag like this, and it counts behind
	// any script, which may pass it on.
	Of []string
	// Role of the file; "" means RoleReport.
	Role Role
}

// ReportFlags are flags that name a report, and that only one tool spells like this.
func ReportFlags(names ...string) (all []FileFlag) {
	for _, name := range names {
		all = append(all, FileFlag{Flag: name})
	}
	return all
}

// OutputFlags are flags of a program that name a file for what it would otherwise print.
func OutputFlags(program string, names ...string) (all []FileFlag) {
	for _, name := range names {
		all = append(all, FileFlag{Flag: name, Of: []string{program}, Role: RoleOutput})
	}
	return all
}

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
