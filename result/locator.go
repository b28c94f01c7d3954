package result

import (
	"cmp"
	"path"
	"strings"
)

// locator is the place of a finding without a position. Its At must already be
// normalised.
func (p *paths) locator(f *Finding) string {
	at := ""
	if f.At != nil {
		at = f.At.Path
		if IsAbsolute(at) {
			at, _ = p.path(at)
		}
	}
	id := p.id(f.ID)
	if f.class() == "test" {
		if id == "" || at == "" || qualified(id) {
			return cmp.Or(id, at)
		}
		return at + "::" + id
	}
	if f.Kind == Vulnerability {
		if id == "" && f.Package != nil {
			id = f.Package.Name
		}
		if at != "" && id != "" { // one lock file holds many packages
			return at + "::" + id
		}
	}
	return cmp.Or(at, id)
}

// id is the id of a test, the same on every machine and wherever the test is in its
// file. Digits stay: they tell parametrised cases apart.
func (p *paths) id(s string) string {
	if s == "" {
		return ""
	}
	return maskID(p.rewrite(eachTitle(nfc(CleanLine(s)), p.title)))
}

// eachTitle replaces every title of an id by the result of change.
func eachTitle(s string, change func(string) string) string {
	i, sep := nextTitle(s)
	if sep == 0 { // the usual case: one title
		return change(s)
	}
	var b strings.Builder
	for {
		b.WriteString(change(s[:i]))
		b.WriteString(s[i : i+sep])
		if i+sep == len(s) {
			return b.String()
		}
		s = s[i+sep:]
		i, sep = nextTitle(s)
	}
}

// ShownID is the id of a test as it is recorded: a title that begins with the absolute path of a source file names
// the file as it opens from the directory in which the command ran.
func (w Workspace) ShownID(id string) string {
	if !IsAbsolute(id) && !strings.Contains(id, " /") && !strings.Contains(id, `:\`) {
		return id
	}
	return newPaths(w).shown(id)
}

// shown is an id, or a part of one, as it is recorded and shown: a title that begins with the absolute path of
// a source file names the file as it opens from the directory in which the command ran. In a title of several
// words, a path outside of the workspace stays, since it may be text: "GET /api/list.js is fast".
func (p *paths) shown(s string) string {
	if !strings.ContainsAny(s, `/\`) {
		return s
	}
	return eachTitle(s, func(title string) string {
		if !IsAbsolute(title) {
			return title
		}
		n := p.fileAt(title)
		if !isSource(title[:n]) {
			return title
		}
		name, external := p.path(title[:n])
		if external && n < len(title) {
			return title
		}
		return (&ToolResult{Dir: p.rel}).Local(name) + title[n:]
	})
}

// rootAt is the length of the workspace's root at the start of s; 0 if s begins otherwise.
func (p *paths) rootAt(s string) int {
	for _, root := range p.roots {
		if n := matchDir(s, root); n > 0 && n < len(s) && isSlash(s[n]) {
			return n
		}
	}
	return 0
}

// nextTitle finds the next separator in an id such as "a.spec.ts › suite › test", and its length.
func nextTitle(s string) (i, sep int) {
	for i := range len(s) {
		if s[i] != ' ' {
			continue
		}
		for _, joint := range []string{" › ", " > "} {
			if has(s, i, joint) {
				return i, len(joint)
			}
		}
	}
	return len(s), 0
}

// title is one element of an id. If it starts with the name of a source file, the name
// becomes relative to the root and loses its position: rspec writes "./a_spec.rb:21"
// and "./a_spec.rb[1:6]".
func (p *paths) title(s string) string {
	n := p.fileAt(s)
	if !isSource(s[:n]) {
		return s
	}
	name, _ := p.path(s[:n])
	return name + s[n+positionLen(s, n):]
}

// fileAt is the length of a possible path at the start of s. The name of the workspace's root may contain blanks.
func (p *paths) fileAt(s string) int {
	n, drive := p.rootAt(s), isDriveAt(s)
	if n == 0 && drive {
		n = 2
	}
	return n + runFrom(s, n, n == 0 || drive)
}

// isDriveAt says that s begins with a drive: "C:\x", "c:/x".
func isDriveAt(s string) bool { return len(s) >= 3 && isLetter(s[0]) && s[1] == ':' && isSlash(s[2]) }

// positionLen is the length of ":5", ":5:3" or "[1:6]" at s[i].
func positionLen(s string, i int) int {
	if has(s, i, ":") {
		n := position(s, i+1)
		if n == 0 {
			return 0
		}
		return n + 1
	}
	if !has(s, i, "[") {
		return 0
	}
	end := strings.IndexByte(s[i:], ']')
	if end < 0 || strings.Trim(s[i+1:i+end], "0123456789:") != "" || !strings.Contains(s[i:i+end], ":") {
		return 0
	}
	return end + 1
}

// isSource says whether s names a source file, rather than a package (example.com/x), a
// class (com.acme.FooTest) or plain words.
func isSource(s string) bool {
	switch strings.TrimPrefix(path.Ext(s), ".") {
	case "py", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte",
		"rb", "feature", "go", "rs", "c", "cc", "cpp", "cxx", "h", "hpp", "java", "kt", "kts", "scala", "groovy",
		"cs", "fs", "swift", "php", "phpt", "ex", "exs", "erl", "pl", "t", "pm", "sh", "bats", "lua", "dart",
		"clj", "hs", "ml", "nim", "zig", "jl", "r", "R", "sql", "robot", "rst", "md", "txt", "yml", "yaml", "json", "toml":
		return true
	}
	return false
}

// qualified says whether an id names its file, package, crate or class, so that it is
// unique without a path: its first word holds "::", a slash or a dotted name. A parser
// that writes such an id promises that.
func qualified(id string) bool {
	head, _, _ := strings.Cut(id, " ")
	if strings.Contains(head, "::") || strings.Contains(head, "/") {
		return true
	}
	for i := 1; i+1 < len(head); i++ {
		if head[i] == '.' && wordRune(head, i-1) > 0 && wordRune(head, i+1) > 0 {
			return true
		}
	}
	return false
}
