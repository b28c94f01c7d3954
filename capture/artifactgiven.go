package capture

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"cairn/parsers"
	"cairn/result"
)

// putArtifacts keeps files that are handed over. One that cannot be kept is an
// error: whoever names it wants it.
func (c *capture) putArtifacts(o PutOptions) (*artifacts, error) {
	a := &artifacts{b: c.b, open: c.site.Objects.OpenObject, workspace: c.workspace, red: &c.red, seen: map[[sha256.Size]byte]bool{}}
	var missing error
	for _, name := range o.Artifacts {
		f := foundAs(name, o.Argv, o.Shell, c.workspace)
		if err := a.take(&search{}, f, time.Time{}, time.Now()); err != nil && !errors.Is(err, errNoReport) {
			missing = errors.Join(missing, fmt.Errorf("keeping %s: %w", name, err))
		}
	}
	a.pack()
	if missing == nil && a.failed {
		missing = errors.New(strings.Join(a.missed, "\n"))
	}
	return a, missing
}

// foundAs is a file that someone names, in the role that the command gave it.
func foundAs(name string, argv []string, shell string, w result.Workspace) found {
	f := found{path: name, role: parsers.RoleReport, named: true, given: true}
	if abs, err := filepath.Abs(name); err == nil {
		f.path = abs
	}
	names := []string{name, f.path}
	if rel, err := filepath.Rel(filepath.FromSlash(w.Dir), f.path); err == nil {
		names = append(names, rel)
	}
	for _, as := range names {
		if role := parsers.RoleOf(argv, shell, filepath.ToSlash(as)); role != parsers.RoleReport {
			f.role = role
		}
	}
	return f
}

// OpenArtifacts opens files that a run wrote, for a parser. They are to be
// closed with CloseArtifacts.
func OpenArtifacts(names, argv []string, shell string, w result.Workspace) (list []parsers.Artifact, err error) {
	a := &artifacts{workspace: w}
	for _, name := range names {
		f := foundAs(name, argv, shell, w)
		file, err := a.openFile(f)
		if err != nil {
			CloseArtifacts(list)
			return nil, fmt.Errorf("reading a file that the run wrote: %w", err)
		}
		if f.path = a.show(f.path); filepath.IsAbs(f.path) {
			f.path = filepath.ToSlash(name) // a copy, kept elsewhere
		}
		p := parsers.Artifact{Path: f.path, Role: f.role, Named: true, Data: file}
		info, err := file.Stat()
		if list = append(list, p); err != nil || !info.Mode().IsRegular() {
			CloseArtifacts(list)
			return nil, fmt.Errorf("reading a file that the run wrote: %s is %w", name, errNoFile)
		}
		list[len(list)-1].Size = info.Size()
	}
	return list, nil
}

// CloseArtifacts closes what OpenArtifacts opened.
func CloseArtifacts(list []parsers.Artifact) {
	for _, a := range list {
		if file, ok := a.Data.(io.Closer); ok {
			file.Close()
		}
	}
}
