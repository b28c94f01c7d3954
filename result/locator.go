package result

import (
	"path"
	"strings"
)

// locator is where a finding is, without a position. Its At must already be
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
			return orElse(id, at)
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
	return orElse(at, id)
}

func orElse(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// id is the id of a test, the same on every machine and in every place of its
// file. Digits stay: they tell parametrised cases apart.
func (p *paths) id(s string) string {
	if s == "" {
		return ""
	}
	return maskID(p.rewrite(eachTitle(nfc(CleanLine(s)), p.title)))
}

// eachTitle is an id with every title of it replaced by what change makes of it.
func eachTitle(s string, change func(string) string) string {
	i, sep := nextTitle(s)
	if sep == 0 { // one title: as is the rule
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

// ShownID is the id of a test as it is recorded: a source file that one of its titles begins with, by its absolute
// path, is named as it opens from the directory in which the command ran.
func (w Workspace) ShownID(id string) string {
	if !IsAbsolute(id) && !strings.Contains(id, " /") && !strings.Contains(id, `:\`) {
		return id
	}
	return newPaths(w).shown(id)
}

// shown is an id, or a part of one, as it is recorded and shown: a title that begins with the absolute path of a source
// file names the file as it opens from the directory in which the command ran. A path outside of the workspace stays in a
// title of several words, where it may be text: "GET /api/list.js is fast".
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

// rootAt is the length of the root of the workspace at the start of s; 0 if s begins otherwise.
func (p *paths) rootAt(s string) int {
	for _, root := range p.roots {
		if n := matchDir(s, root); n > 0 && n < len(s) && isSlash(s[n]) {
			return n
		}
	}
	return 0
}

// nextTitle finds the next joint of an id such as "a.spec.ts › suite › test".
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

// title is one element of an id. Where it starts with the name of a source
// file, that becomes relative to the root and loses the position behind it:
// rspec writes "./a_spec.rb:21" and "./a_spec.rb[1:6]".
func (p *paths) title(s string) string {
	n := p.fileAt(s)
	if !isSource(s[:n]) {
		return s
	}
	name, _ := p.path(s[:n])
	return name + s[n+positionLen(s, n):]
}

// fileAt is the length of what may be a path at the start of s. The root of the workspace may have blanks in its name.
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

// isSource says that s names a file of tests, rather than a package
// (example.com/x), a class (com.acme.FooTest) or plain words.
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

// qualified says that an id names its file, package, crate or class, so that
// it needs no path to be unique: its first word holds "::", a slash or a dotted
// name. A parser that hands over such an id promises as much.
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
