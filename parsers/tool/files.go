package tool

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
