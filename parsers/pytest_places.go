package parsers

import (
	"strconv"
	"strings"

	"cairn/result"
)

// places knows which of the paths in an output lie in the workspace.
type places struct {
	ws    result.Workspace
	known map[string]bool // external, by path
}

func newPlaces(ws result.Workspace) *places {
	return &places{ws: ws, known: map[string]bool{}}
}

// fallback is the workspace's root where the caller knew none.
func (p *places) fallback(root string) {
	if p.ws.Root == "" && p.ws.Dir == "" {
		p.ws.Root, p.ws.Dir = root, root
		clear(p.known)
	}
}

// maxKnownPaths bounds the cache: a run has as many files as its stack traces
// name, which is few.
const maxKnownPaths = 10_000

// external says that a path lies outside the workspace, or is no file.
func (p *places) external(path string) bool {
	if strings.HasPrefix(path, "<") {
		return true
	}
	ext, ok := p.known[path]
	if !ok {
		_, ext = p.ws.Path(path)
		if len(p.known) < maxKnownPaths {
			p.known[path] = ext
		}
	}
	return ext
}

// fromHere is a path of the workspace as it is written in the directory that
// the tool ran in; "" if it is none, or another way leads there.
func (p *places) fromHere(path string) string {
	if p.external(path) {
		return ""
	}
	if !isAbsPath(path) {
		return path
	}
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(p.ws.Dir, "/")+"/")
	if !ok {
		return ""
	}
	return rest
}

// cutPlace reads "path:line: rest" at the start of a line.
func cutPlace(line string) (at result.Location, rest string, ok bool) {
	if line == "" || line[0] == ' ' || line[0] == '\t' || line[0] == '>' {
		return at, "", false
	}
	for from := 2; ; { // a drive letter's colon is not the end of a path
		i := strings.IndexByte(line[min(from, len(line)):], ':')
		if i < 0 {
			return at, "", false
		}
		i += from
		n := i + 1
		for n < len(line) && line[n] >= '0' && line[n] <= '9' && n-i < 9 {
			n++
		}
		if n > i+1 && (n == len(line) || line[n] == ':') {
			if at.Path = line[:i]; strings.Contains(at.Path, " = ") || strings.ContainsAny(at.Path, "\"'{}()") {
				return at, "", false
			}
			at.Line, _ = strconv.Atoi(line[i+1 : n])
			return at, strings.TrimPrefix(strings.TrimPrefix(line[n:], ":"), " "), at.Line > 0
		}
		from = i + 1
	}
}

// cutFileLine reads `  File "path", line 3, in name` of a traceback.
func cutFileLine(line string) (at result.Location, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " "), `File "`)
	if !ok {
		return at, false
	}
	i := strings.Index(rest, `", line `)
	if i < 0 {
		return at, false
	}
	at.Path = rest[:i]
	rest = rest[i+len(`", line `):]
	n := 0
	for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
		n++
	}
	at.Line, _ = strconv.Atoi(rest[:n])
	for _, in := range [...]string{", in ", " in "} { // a traceback, faulthandler
		if name, found := strings.CutPrefix(rest[n:], in); found {
			at.Function = name
		}
	}
	return at, at.Line > 0
}
