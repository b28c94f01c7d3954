package result

// Workspace is the directories that matter for paths in a command's output. All are
// absolute; an empty one is unknown. Nothing here is looked up: the caller sets it.
type Workspace struct {
	Root    string   // top of the repository; Dir outside of one
	Dir     string   // directory in which the command ran; Root if empty
	Home    string   // the user's home directory
	Tmp     string   // the directory for temporary files
	Aliases []string // other spellings of Root, such as the one before symbolic links are resolved
}
