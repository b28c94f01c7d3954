package result

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// prefix is a directory as it may appear in a message.
type prefix struct {
	spelling string
	dir      string
}

// spelled lists the known directories, longest first, so that a path with spaces in
// them can be found in running text. A file: URL spells a space %20.
func (p *paths) spelled() []prefix {
	dirs := slices.Concat(p.roots, p.tmps)
	if p.home != "" {
		dirs = append(dirs, p.home)
	}
	var all []prefix
	for _, d := range dirs {
		all = append(all, prefix{d, d})
		if esc := escape(d); esc != d {
			all = append(all, prefix{esc, d})
		}
	}
	slices.SortStableFunc(all, func(a, b prefix) int { return len(b.spelling) - len(a.spelling) })
	return all
}

// escape is d as it appears in a URL.
func escape(d string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(d); i++ {
		if c := d[i]; c == ' ' || c == '%' || c >= utf8.RuneSelf {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// rewrite replaces those absolute paths in a text that mean something else, or nothing,
// on another machine.
func (p *paths) rewrite(s string) string {
	var b []byte // nil until something changes
	done := 0    // s[:done] is in b
	for i := 0; i < len(s); {
		if c := s[i]; c != '/' && c != ':' {
			i++
			continue
		}
		from, start := pathAt(s, i)
		if start < 0 || from < done {
			i++
			continue
		}
		n := pathRun(s[start:])
		name, used := p.token(s[start:])
		switch {
		case used > 0:
			n = used
		case from < start && n > 0: // only the scheme is removed
			name = s[start : start+n]
		default:
			i = max(i, start) + max(n, 1)
			continue
		}
		if b == nil {
			b = make([]byte, 0, len(s)+len("<root>"))
		}
		b = append(append(b, s[done:from]...), name...)
		done = start + n
		i = done
	}
	if b == nil {
		return s
	}
	return string(append(b, s[done:]...))
}

// pathAt looks for an absolute path at s[i], its first slash or the colon of its drive.
// The path is s[start:], and from is where a "file://" in front of it begins; start is
// -1 if there is no path.
func pathAt(s string, i int) (from, start int) {
	switch s[i] {
	case '/':
		if opens(s, i) && !strings.HasPrefix(s[i:], "//") { // not a URL or a comment
			return i, i
		}
	case ':':
		if i+1 == len(s) || s[i+1] != '/' && s[i+1] != '\\' {
			break
		}
		if i >= 1 && isLetter(s[i-1]) && opens(s, i-1) {
			return i - 1, i - 1
		}
		from = i - len("file")
		if from < 0 || !opens(s, from) || !strings.HasPrefix(s[from:], "file:///") {
			break
		}
		start = from + len("file://")
		if drive := s[start+1:]; len(drive) >= 3 && isLetter(drive[0]) && drive[1] == ':' && isSlash(drive[2]) {
			return from, start + 1
		}
		if !strings.HasPrefix(s[start:], "//") {
			return from, start
		}
	}
	return 0, -1
}

// opens says whether a path may start at s[i]. "<tmp>/x" and "0x#/x" are our own
// replacements and contain no other path.
func opens(s string, i int) bool {
	if i == 0 {
		return true
	}
	c := s[i-1]
	return !isPathByte(c) && c != '\\' && c != '>' && c != '#'
}

// token is the portable form of the path at the start of s, and the length of what it
// replaces: 0 if the path can stay. Full stops and slashes at the end of a path belong
// to the sentence.
func (p *paths) token(s string) (name string, n int) {
	drive := s[0] != '/'
	for _, pre := range p.prefixes {
		m := matchDir(s, pre.spelling)
		if m < 0 {
			continue
		}
		rest := ended(s[m:], runFrom(s, m, drive))
		if rest == "" || isSlash(rest[0]) {
			name, ok := p.portable(cleanPath(pre.dir + rest))
			if !ok {
				return "", 0
			}
			return name, m + len(rest)
		}
	}
	run := ended(s, pathRun(s))
	if name, ok := p.portable(cleanPath(run)); ok {
		return name, len(run)
	}
	return "", 0
}

// ended is the run bytes of path at the start of s without the full stops and slashes at its
// end, unless one of our masks follows them, as in "/src./<hex>" and "/src.<hex>".
func ended(s string, run int) string {
	path := strings.TrimRight(s[:run], `./\`)
	tail, behind := s[len(path):run], s[run:]
	if !strings.Contains(tail, ".") {
		return path
	}
	masked := strings.HasPrefix(behind, "<hex>") || strings.HasPrefix(behind, "<uuid>") || strings.HasPrefix(behind, "<time>")
	if masked || isSlash(tail[len(tail)-1]) && strings.HasPrefix(behind, "<") {
		return s[:run]
	}
	return path
}

// portable is the form of an absolute path that is the same on every machine,
// if it has one.
func (p *paths) portable(s string) (string, bool) {
	if rest, ok := p.inRoot(s); ok {
		if rest == "" {
			return "<root>", true
		}
		return rest, true
	}
	out := p.outside(s)
	return out, out != s
}

// matchDir is the length of dir at the start of s, or -1. A slash of dir may be several
// slashes in s, or backslashes if dir has a drive.
func matchDir(s, dir string) int {
	drive := isDrive(dir)
	i := 0
	for j := 0; j < len(dir); j++ {
		switch {
		case i == len(s):
			return -1
		case dir[j] == '/':
			k := i
			for k < len(s) && (s[k] == '/' || drive && s[k] == '\\') {
				k++
			}
			if k == i {
				return -1
			}
			i = k
		case s[i] == dir[j], drive && j == 0 && lower(s[i]) == dir[j]:
			i++
		default:
			return -1
		}
	}
	return i
}

// pathRun is the length of the path at the start of s, which ends at white space or
// punctuation.
func pathRun(s string) int {
	if s[0] == '/' {
		return runFrom(s, 0, false)
	}
	return 2 + runFrom(s, 2, true) // a drive
}

func runFrom(s string, i int, drive bool) int {
	n := 0
	for i+n < len(s) && (isPathByte(s[i+n]) || drive && s[i+n] == '\\') {
		n++
	}
	return n
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }

// isPathByte says whether c may be part of a path in running text. All bytes beyond
// ASCII may.
func isPathByte(c byte) bool {
	switch c {
	case '/', '.', '_', '-', '+', '~', '@', '%', '$':
		return true
	}
	return isLetter(c) || isDigit(c) || c >= utf8.RuneSelf
}
