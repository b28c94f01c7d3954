package result

// Workspace is where a command ran, as far as paths in its output need it. All
// directories are absolute; an empty one is unknown. Nothing here is looked up:
// the user who ran the command knows.
type Workspace struct {
	Root    string   // top of the repository; Dir without one
	Dir     string   // directory that the command ran in; Root where empty
	Home    string   // the user's home directory
	Tmp     string   // the directory for temporary files
	Aliases []string // other spellings of Root, such as the one before symbolic links are resolved
}
