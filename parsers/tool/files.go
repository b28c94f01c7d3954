package tool

// Files says which files the runs of a tool write beside what they print, and
// how that is asked of them. Who runs the tool looks for these files, and hands
// them over as Input.Artifacts.
type Files struct {
	// Flags are those whose value names a file, or a directory of files.
	Flags []FileFlag
	// Argument gives the reports that an argument of another form names, as
	// "--gtest_output=xml:FILE" does; next is the argument behind it.
	Argument func(arg, next string) []string

	// Variables of the environment that name a report, Folders those that name a
	// directory of reports. A variable that ends in _NAME counts only without its
	// neighbour in _DIR.
	Variables, Folders []string
	// Arguments are variables of the environment that hold arguments of the tool.
	Arguments []string
	// AsFlag are variables whose value means what it means behind a flag.
	AsFlag map[string]string

	// Places are where the tool leaves reports unasked: patterns of path.Match,
	// from where the tool runs. Only what it or its usual reporter does stands
	// here, so that looking costs some file look-ups and never a walk over a tree.
	Places []string
	// Shared: reports of the usual reporters lie in folders that other tools use as well.
	Shared bool
	// Programs are those that leave reports in the places; nil: Parser.Programs.
	Programs []string
	// Homes are files that show that the tool is at home in a directory, so that
	// there may be reports whatever program was run there.
	Homes []string
	// Printed says what a line of the output tells: that the tool ran, or the
	// name of a report that it wrote.
	Printed func(line string) (report string, ran bool)
}

// FileFlag is a flag whose value names a file that is written.
type FileFlag struct {
	Flag string // without its value
	// Of are the programs that have the flag. Without any, the flag is spelled so
	// by one tool only, and counts as well behind a script that passes it on.
	Of []string
	// Role of the file; "" is RoleReport.
	Role Role
}

// ReportFlags are flags that name a report and are spelled so by one tool only.
func ReportFlags(names ...string) (all []FileFlag) {
	for _, name := range names {
		all = append(all, FileFlag{Flag: name})
	}
	return all
}

// OutputFlags are flags of a program that name a file for what it would else
// print.
func OutputFlags(program string, names ...string) (all []FileFlag) {
	for _, name := range names {
		all = append(all, FileFlag{Flag: name, Of: []string{program}, Role: RoleOutput})
	}
	return all
}
