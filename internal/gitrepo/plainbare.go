package gitrepo

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// plainBare opens dir without asking git, which costs two processes, if it is as
// createBare leaves it: what git would answer is known then. It is nil for
// anything else, such as a store that somebody has configured, moved or damaged,
// about which git is asked.
func plainBare(dir string) *Repo {
	dir, err := filepath.EvalSymlinks(dir) // as git spells it
	if err != nil || !filepath.IsAbs(dir) {
		return nil
	}
	if _, err := exec.LookPath("git"); err != nil {
		return nil // to be told as ErrNoGit
	}
	config, err := os.ReadFile(filepath.Join(dir, "config"))
	if err != nil || !plainConfig(string(config)) {
		return nil
	}
	head, err := os.ReadFile(filepath.Join(dir, "HEAD"))
	if err != nil || string(head) != "ref: refs/heads/"+bornNever+"\n" {
		return nil
	}
	r := &Repo{GitDir: dir, CommonDir: dir, ObjectFormat: "sha1", Bare: true, Branch: bornNever, objectDir: filepath.Join(dir, "objects")}
	for _, name := range []string{"objects", "refs"} {
		if st, err := os.Stat(filepath.Join(dir, name)); err != nil || !st.IsDir() {
			return nil
		}
	}
	for _, name := range []string{"commondir", "config.worktree"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return nil
		}
	}
	if tip, err := r.refFile("refs/heads/" + bornNever); tip != "" || err != nil {
		return nil // born after all
	}
	return r
}

// plainConfig says whether this is the configuration of a bare repository as git
// makes it: one section, only the keys of a new repository, and their values.
func plainConfig(text string) bool {
	head, rest, _ := strings.Cut(text, "\n")
	bare, version := false, false
	for line := range strings.Lines(rest) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
		ok := value == "true" || value == "false"
		switch key {
		case "repositoryformatversion":
			version, ok = true, value == "0"
		case "bare":
			bare, ok = true, value == "true"
		case "filemode", "ignorecase", "precomposeunicode", "symlinks":
		default:
			return false
		}
		if !ok {
			return false
		}
	}
	return head == "[core]" && bare && version
}
