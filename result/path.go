package result

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Path returns p, as a tool wrote it, in the spelling that is the same on every machine
// and in every output format, and whether the file lies outside the workspace. The
// package documentation specifies the forms.
func (w Workspace) Path(p string) (name string, external bool) { return newPaths(w).path(p) }

// Rel is Dir relative to Root, for ToolResult.Dir: "" at the root and outside it.
func (w Workspace) Rel() string {
	dir := cleanDir(w.Dir)
	rel, ok := below(dir, cleanDir(w.Root))
	for i := 0; i < len(w.Aliases) && !ok; i++ {
		rel, ok = below(dir, cleanDir(w.Aliases[i]))
	}
	return rel
}

// paths is a Workspace prepared for many look-ups.
type paths struct {
	roots []string // longest first, so that a nested root wins over the outer one
	tmps  []string
	home  string
	dir   string // the working directory, absolute
	rel   string // dir relative to the root; "" when dir is not below it
	below bool   // whether dir is the root or below it

	prefixes []prefix // all of the above as they may appear in a message
}

// wellKnownTmp are common directories for temporary files, for output that was recorded
// on another system.
var wellKnownTmp = []string{"/tmp", "/private/tmp", "/var/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders", "/dev/shm"}

func newPaths(w Workspace) *paths {
	root, dir := cleanDir(w.Root), cleanDir(w.Dir)
	root, dir = cmp.Or(root, dir), cmp.Or(dir, root)
	p := &paths{home: cleanDir(w.Home), dir: dir}
	for _, r := range append([]string{root}, w.Aliases...) {
		if r = cleanDir(r); IsAbsolute(r) && !slices.Contains(p.roots, r) {
			p.roots = append(p.roots, r)
		}
	}
	byLength := func(a, b string) int { return cmp.Compare(len(b), len(a)) }
	slices.SortStableFunc(p.roots, byLength)
	if !IsAbsolute(p.home) {
		p.home = ""
	}
	if t := cleanDir(w.Tmp); IsAbsolute(t) {
		p.tmps = append(p.tmps, t)
	}
	p.tmps = append(p.tmps, wellKnownTmp...)
	slices.SortStableFunc(p.tmps, byLength)
	p.rel, p.below = p.inRoot(dir)
	p.prefixes = p.spelled()
	return p
}

// cleanDir is a directory with slashes and without a trailing one. It is "" for the
// root of a file system, which is no useful workspace or home.
func cleanDir(d string) string {
	if d == "" {
		return ""
	}
	d = cleanPath(nfc(d))
	if d == "/" || d == "." || len(d) == 3 && isDrive(d) {
		return ""
	}
	return d
}

// cleanPath resolves backslashes, ".", ".." and doubled slashes, and lowers the letter
// of a drive.
func cleanPath(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	p = strings.TrimPrefix(p, "//?/")             // Windows' marker for long paths
	if p != "" && p[0] == '/' && isDrive(p[1:]) { // "/C:/src": the path of a file: URL, as Maven prints it
		p = p[1:]
	}
	if !isDrive(p) {
		return path.Clean(p)
	}
	return string(lower(p[0])) + ":" + path.Clean(p[2:])
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// isDrive says that p starts like "c:/".
func isDrive(p string) bool { return len(p) >= 3 && isLetter(p[0]) && p[1] == ':' && p[2] == '/' }

// IsAbsolute says whether a path, as a tool wrote it, does not depend on the directory:
// "/x", "C:\x", "c:/x", a network path such as "\\server\share", Windows' long form
// "\\?\C:\x", and a "file:" URL. "c:x" is relative. The whole program uses it for paths
// that tools print; paths of this machine are for package filepath.
func IsAbsolute(p string) bool {
	if p == "" {
		return false
	}
	if p[0] == '/' || p[0] == '\\' {
		return true
	}
	return isDriveAt(p) || strings.HasPrefix(p, "file:/")
}

// below returns the part of p below dir: "" for dir itself.
func below(p, dir string) (rest string, ok bool) {
	if dir == "" || !strings.HasPrefix(p, dir) {
		return "", false
	}
	rest = p[len(dir):]
	if rest == "" {
		return "", true
	}
	return rest[1:], rest[0] == '/'
}

func (p *paths) inRoot(name string) (rest string, ok bool) {
	for _, root := range p.roots {
		if rest, ok = below(name, root); ok {
			return rest, true
		}
	}
	return "", false
}

// path is Workspace.Path.
func (p *paths) path(s string) (string, bool) {
	name, external := p.locate(s)
	return strings.Trim(name, " "), external // no spaces at the ends, as in every line of a sealed result
}

func (p *paths) locate(s string) (string, bool) {
	s = nfc(CleanLine(s))
	if file, ok := cutFileURL(s); ok {
		s = nfc(CleanLine(file))
	}
	if s == "" || s == "-" || s[0] == '<' { // "<stdin>", "<string>", and cairn's own "<tmp>/…"
		return s, strings.HasPrefix(s, "<tmp>")
	}
	if hasScheme(s) {
		return s, true
	}
	if rest, ok := strings.CutPrefix(s, "~/"); ok && p.home != "" {
		s = p.home + "/" + rest
	}
	s = cleanPath(s)
	if !IsAbsolute(s) {
		return p.relative(s)
	}
	if rest, ok := p.inRoot(s); ok {
		if rest == "" {
			return ".", false
		}
		return rest, isLibrary(rest)
	}
	return p.outside(s), true
}

// relative makes a relative path relative to the root.
func (p *paths) relative(s string) (string, bool) {
	if !p.below {
		if p.dir != "" && IsAbsolute(p.dir) {
			return p.outside(path.Join(p.dir, s)), true
		}
		return s, isLibrary(s) || strings.HasPrefix(s, "../")
	}
	s = path.Join(p.rel, s)
	if !strings.HasPrefix(s, "../") {
		return s, isLibrary(s)
	}
	if lib, ok := libraryPath(s); ok {
		return lib, true
	}
	return s, true // above the root: the same wherever the checkout is
}

// outside is the form of an absolute path outside of the workspace.
func (p *paths) outside(s string) string {
	if lib, ok := libraryPath(s); ok {
		return lib
	}
	if t, ok := p.inTmp(s); ok {
		return t
	}
	if rest, ok := below(s, p.home); ok {
		return path.Join("~", rest)
	}
	return s
}

// inTmp is the form of a path below a directory for temporary files: only its last
// element means anything on another machine.
func (p *paths) inTmp(s string) (string, bool) {
	for _, tmp := range p.tmps {
		if rest, ok := below(s, tmp); ok {
			return tmpName(rest), true
		}
	}
	for _, mark := range []string{"/AppData/Local/Temp/", "/execroot/"} {
		if i := strings.Index(s, mark); i >= 0 {
			return tmpName(s[i+len(mark):]), true
		}
	}
	if _, rest, ok := strings.Cut(s, "/go-build"); ok && rest != "" && (isDigit(rest[0]) || rest[0] == '/') {
		return tmpName(rest), true
	}
	return "", false
}

// tmpName is "<tmp>/" and the last element of rest, with the random part of a
// generated name masked.
func tmpName(rest string) string {
	if rest == "" {
		return "<tmp>"
	}
	base := path.Base(rest)
	if t, ok := strings.CutPrefix(base, "tmp"); ok { // mkdtemp and mktemp: tmpab12cd34, tmp.aB3dE5fG7h
		if t = strings.TrimPrefix(t, "."); len(t) >= 6 && word(t, 0) == len(t) {
			return "<tmp>/tmp#"
		}
	}
	if t, ok := strings.CutPrefix(base, "cc"); ok && len(t) > 6 && word(t, 0) == 6 && t[6] == '.' { // gcc: ccVgQuzw.o
		return "<tmp>/cc#" + t[6:]
	}
	return "<tmp>/" + maskLongNumbers(base)
}

// maskLongNumbers replaces runs of six and more digits, which in the name of a
// temporary file are random (go-build123456789) or a process id.
func maskLongNumbers(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		n := digits(s, i)
		if n >= 6 {
			b.WriteByte('#')
		} else {
			n = max(n, 1)
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// cutFileURL returns the path of a file: URL, with percent escapes decoded.
func cutFileURL(s string) (string, bool) {
	rest, ok := strings.CutPrefix(s, "file:")
	if !ok || !strings.HasPrefix(rest, "/") {
		return s, false
	}
	if host, ok := strings.CutPrefix(rest, "//"); ok {
		rest = strings.TrimPrefix(host, "localhost")
	}
	rest = unescape(rest)
	if strings.HasPrefix(rest, "/") && isDrive(strings.ReplaceAll(rest[1:], `\`, "/")) {
		rest = rest[1:]
	}
	return rest, true
}

// unescape decodes percent escapes. Invalid escapes stay.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			b = append(b, hexValue(s[i+1])<<4|hexValue(s[i+2]))
			i += 2
			continue
		}
		b = append(b, s[i])
	}
	return string(b)
}

// hasScheme says whether s is a URL rather than a file: "https://…", "webpack://…", "node:fs".
func hasScheme(s string) bool {
	if strings.Contains(s, "://") {
		return true
	}
	return slices.ContainsFunc([]string{"node:", "bun:", "jar:", "ext:"}, func(scheme string) bool { return strings.HasPrefix(s, scheme) })
}

// Local is a path of this result as it opens from the directory in which the command
// ran: relative to that directory instead of to the root. A path that is not relative
// to the root stays as it is.
func (r *ToolResult) Local(p string) string {
	if r.Dir == "" || !fromRoot(p) {
		return p
	}
	from, to := strings.Split(r.Dir, "/"), strings.Split(p, "/")
	for len(from) > 0 && len(to) > 0 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	return path.Clean(path.Join(strings.Repeat("../", len(from)), path.Join(to...)))
}

// fromRoot says whether a path, in the form of Workspace.Path, is relative to the root.
func fromRoot(p string) bool {
	return p != "" && p != "-" && p[0] != '<' && !IsAbsolute(p) && !hasScheme(p) && p != "~" && !strings.HasPrefix(p, "~/")
}

// cutAnchors begin the paths of which only the part from the anchor is known, but not
// where the library is installed. (node_modules is usually at the root.)
var cutAnchors = []string{"site-packages/", "dist-packages/", "rustc/", "registry/src/", "go/src/", "pkg/mod/"}

func (r *ToolResult) localOf(l *Location) string {
	if l.External && slices.ContainsFunc(cutAnchors, func(anchor string) bool { return strings.HasPrefix(l.Path, anchor) }) {
		return l.Path
	}
	return r.Local(l.Path)
}

// LocalFinding is a copy of a finding with all its places in the form of Local, to show
// to a person in the directory where the command ran.
func (r *ToolResult) LocalFinding(f Finding) Finding {
	if r.Dir == "" {
		return f
	}
	local := func(l *Location) *Location {
		if l == nil {
			return nil
		}
		moved := *l
		moved.Path = r.localOf(l)
		return &moved
	}
	if f.At = local(f.At); f.At != nil {
		f.Location = f.At.String()
	}
	f.Locations, f.Frames, f.Related = slices.Clone(f.Locations), slices.Clone(f.Frames), slices.Clone(f.Related)
	for _, list := range [][]Location{f.Locations, f.Frames} {
		for i := range list {
			list[i].Path = r.localOf(&list[i])
		}
	}
	for i := range f.Related {
		f.Related[i].At = local(f.Related[i].At)
	}
	return f
}
