package gitrepo

import (
	"os"
	"strings"
)

// If a folder has changed since the moment, its names at the moment are not known any more. Often the command
// itself has made something there which git ignores (a first __pycache__), and the tree is unchanged. So the
// names in the folders are read before git is asked: if a folder had not changed by then, they are its names at
// the moment, and if all names that were added or removed since are ignored, the tree is that of the moment.

// maxEarly bounds the folders that are read early if no snapshot says which ones matter.
const maxEarly = 500

// names are the entries of a folder: each name, and whether it is a folder.
type names map[string]bool

// earlyNames are the names in the folders that have not changed since the moment.
func (w *WorktreeReader) earlyNames() map[string]names {
	all := map[string]names{}
	take := func(path string) {
		f := folder{path: path}
		children, ok := f.read(w)
		if !ok || !w.at.before(f.stamp) || lstamp(w.path(path)) != f.stamp {
			return
		}
		all[path] = names{}
		for _, child := range children {
			all[path][child.Name()] = child.IsDir()
		}
	}
	if s, ok := w.load(); ok {
		for _, f := range s.folders {
			take(f.path)
		}
		return all
	}
	for queue := []string{""}; len(queue) > 0 && len(all) < maxEarly; queue = queue[1:] {
		take(queue[0])
		for name, isDir := range all[queue[0]] {
			if isDir && name != ".git" {
				queue = append(queue, strings.TrimPrefix(queue[0]+"/"+name, "/"))
			}
		}
	}
	return all
}

// changedNames are the paths that were added to a folder or removed from it since was,
// those of folders with a slash at the end.
func changedNames(path string, was names, now []os.DirEntry) (paths []string) {
	add := func(name string, isDir bool) {
		below := strings.TrimPrefix(path+"/"+name, "/")
		if isDir {
			below += "/"
		}
		paths = append(paths, below)
	}
	left := make(names, len(was))
	for name, isDir := range was {
		left[name] = isDir
	}
	for _, child := range now {
		if isDir, ok := left[child.Name()]; ok && isDir == child.IsDir() {
			delete(left, child.Name())
			continue
		}
		add(child.Name(), child.IsDir())
	}
	for name, isDir := range left {
		add(name, isDir)
	}
	return paths
}
