package rust

import (
	"slices"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/result"
)

// alignTargets assigns blocks to targets. The blocks are on stdout and the headers of targets on stderr; the order
// between the two streams is not known. So the two lists are aligned such that their properties (failed or not,
// documentation or not) contradict least. A target with a test harness of its own has no block.
func alignTargets(blocks []*libtestBlock, targets []*cargoTarget) {
	const tooMany = 500 // beyond that the table would be larger than it is worth
	if len(blocks) > tooMany || len(targets) > tooMany {
		for i := range min(len(blocks), len(targets)) {
			attach(blocks[i], targets[i])
		}
		return
	}
	n, m := len(blocks), len(targets)
	cost := make([][]int, n+1)
	for i := range cost {
		cost[i] = make([]int, m+1)
	}
	for i := n; i >= 0; i-- {
		for j := m; j >= 0; j-- {
			if i < n || j < m {
				cost[i][j], _ = cheapest(blocks, targets, cost, i, j)
			}
		}
	}
	for i, j := 0, 0; i < n || j < m; {
		_, move := cheapest(blocks, targets, cost, i, j)
		switch move {
		case 'm':
			attach(blocks[i], targets[j])
			i, j = i+1, j+1
		case 'b':
			i++
		default:
			j++
		}
	}
}

// cheapest is the best move at block i and target j: 'm' matches both, 'b' skips the block, 't' skips the target.
func cheapest(blocks []*libtestBlock, targets []*cargoTarget, cost [][]int, i, j int) (best int, move byte) {
	best = 1 << 30
	try := func(c int, m byte) {
		if c < best {
			best, move = c, m
		}
	}
	if i < len(blocks) && j < len(targets) {
		misfit := mismatch(blocks[i], targets[j])
		try(cost[i+1][j+1]+misfit, 'm')
	}
	if i < len(blocks) && blocks[i].failed() {
		try(cost[i+1][j]+20, 'b')
	} else if i < len(blocks) {
		try(cost[i+1][j]+2, 'b')
	}
	if j < len(targets) {
		try(cost[i][j+1]+2, 't')
	}
	return best, move
}

func mismatch(b *libtestBlock, t *cargoTarget) int {
	c := 0
	if b.result != nil && b.failed() != t.failed && t.kind != "doc" {
		c += 8
	}
	if b.doc && t.kind != "doc" || !b.doc && b.announced > 0 && t.kind == "doc" {
		c += 8
	}
	if b.result != nil && !b.result.ok && t.diedOtherwise() {
		c += 30
	}
	if b.result == nil && t.failed && t.cause == "" {
		c += 4
	}
	return c + strangeness(b, t)
}

// diedOtherwise says whether the process ended differently from libtest after failed tests, which exits with 101
// without cargo reporting it.
func (t *cargoTarget) diedOtherwise() bool {
	return t.cause != "" && !strings.HasSuffix(t.cause, ": 101)")
}

// strangeness is how little the places of a block's failures look like the target's own files: a test of tests/it.rs
// fails in that file, or in one beside it. 0 means that they fit.
func strangeness(b *libtestBlock, t *cargoTarget) int {
	paths, source := b.ownPaths(), t.sourceHint()
	if len(paths) == 0 || source == "" {
		return 0
	}
	dir, far := source[:strings.IndexByte(source, '/')+1], 3
	for _, p := range paths {
		switch p = "/" + p; {
		case strings.Contains(p, "/"+source):
			return 0
		case strings.Contains(p, "/"+dir):
			far = 1
		}
	}
	return far
}

// sourceHint is the first file of a target, or the directory where such files are by convention.
func (t *cargoTarget) sourceHint() string {
	if t.source != "" {
		return t.source
	}
	switch t.kind {
	case "lib":
		return "src/"
	case "bin":
		return "src/main.rs"
	case "test", "bench", "example":
		return map[string]string{"test": "tests/", "bench": "benches/", "example": "examples/"}[t.kind] + t.name
	}
	return ""
}

// ownPaths are the files where tests of the block failed, without those of the standard library.
func (b *libtestBlock) ownPaths() (paths []string) {
	add := func(at *result.Location) {
		if at != nil && !frame.IsRustLibrary(at.Path) && len(paths) < maxRustFrames {
			paths = append(paths, strings.ReplaceAll(at.Path, `\`, "/"))
		}
	}
	for _, name := range b.marked {
		if f := b.found[name]; f != nil {
			add(f.At)
		}
	}
	for _, p := range b.loose.panics {
		add(p.at)
	}
	return paths
}

func attach(b *libtestBlock, t *cargoTarget) {
	b.target = t
	t.blocks = append(t.blocks, b)
	ofBin := func(p string) bool {
		return strings.HasSuffix("/"+p, "/src/main.rs") || strings.Contains("/"+p, "/src/bin/")
	}
	if t.kind == "lib" && t.source == "" && t.header && !t.failed && slices.ContainsFunc(b.ownPaths(), ofBin) { // the header does not tell a program from a library
		t.kind = "bin"
	}
}
