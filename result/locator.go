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
	s = nfc(CleanLine(s))
	if _, sep := nextTitle(s); sep == 0 { // one title: as is the rule
		return maskID(p.rewrite(p.title(s)))
	}
	var b strings.Builder
	for {
		i, sep := nextTitle(s)
		b.WriteString(p.title(s[:i]))
		b.WriteString(s[i : i+sep])
		if i+sep == len(s) {
			break
		}
		s = s[i+sep:]
	}
	return maskID(p.rewrite(b.String()))
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
	n := 0
	if len(s) >= 3 && isLetter(s[0]) && s[1] == ':' && isSlash(s[2]) {
		n = 2
	}
	n += runFrom(s, n, true)
	if !isSource(s[:n]) {
		return s
	}
	name, _ := p.path(s[:n])
	return name + s[n+positionLen(s, n):]
}

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
