package parsers

import (
	"cmp"
	"slices"
	"strings"

	"cairn/result"
)

// Bounds of what is kept of compiler text before it is known whether a test
// run failed to build.
const (
	maxGoBlocks     = 2000
	maxGoBuildItems = 200 // of one package; the compiler itself stops at 10
	maxGoBuildText  = 100 // lines of one of them
)

// goBlock is what the go command says of one package, under its header
// "# pkg", "# pkg [pkg.test]" for its test variant, or for vet both "# pkg"
// and "# [pkg]".
type goBlock struct {
	pkg     string
	variant string // "pkg" of "[pkg.test]": the package whose test needed this build
	vet     bool
	items   []goBuildItem
	bad     bool          // something in it could not be kept
	spans   []result.Span // of its lines
}

type goBuildItem struct {
	at   *result.Location
	text []string
	span result.Span
}

// goBuild collects blocks from streams that may be interleaved with anything.
// Each stream, and each package of a -json stream, has its own open block.
type goBuild struct {
	blocks []*goBlock
	open   map[string]*goBlock
}

// take offers a line of text and says whether it belongs to a block. Whether
// the block is this run's shows only at its end, so it is not covered yet.
func (b *goBuild) take(l Line) bool {
	stream := l.Stream.String()
	if !b.line(stream, l.Text, result.Span{Start: l.Start, End: l.End}) {
		return false
	}
	if k := b.open[stream]; k != nil {
		k.spans = append(k.spans, result.Span{Start: l.Start, End: l.End})
	}
	return true
}

// coverLate marks spans that were passed before.
func coverLate(r *Report, spans []result.Span) {
	all := append(r.Covered, spans...)
	slices.SortFunc(all, func(a, b result.Span) int { return cmp.Compare(a.Start, b.Start) })
	r.Covered = nil
	for _, s := range all {
		r.CoverSpan(s.Start, s.End)
	}
}

// line offers a line of a stream and says whether it belongs to a block.
func (b *goBuild) line(stream, s string, at result.Span) bool {
	if header, ok := strings.CutPrefix(s, "# "); ok {
		return b.header(stream, header)
	}
	block := b.open[stream]
	if block == nil {
		return false
	}
	if !block.line(s, at) {
		delete(b.open, stream)
		return false
	}
	return true
}

func (b *goBuild) header(stream, s string) bool {
	if inner, ok := strings.CutPrefix(s, "["); ok && strings.HasSuffix(inner, "]") {
		if block := b.open[stream]; block != nil {
			block.vet = true
			return true
		}
		return false
	}
	pkg, variant, _ := strings.Cut(s, " [")
	if pkg == "" || strings.ContainsAny(pkg, " \t") || len(b.blocks) >= maxGoBlocks {
		delete(b.open, stream)
		return false
	}
	block := &goBlock{pkg: pkg, variant: strings.TrimSuffix(variant, ".test]")}
	b.blocks = append(b.blocks, block)
	if b.open == nil {
		b.open = map[string]*goBlock{}
	}
	b.open[stream] = block
	return true
}

// line adds a line to the block, or says that the block has ended.
func (k *goBlock) line(s string, span result.Span) bool {
	if strings.HasPrefix(s, "\t") || strings.HasPrefix(s, "    ") {
		if n := len(k.items); n > 0 && len(k.items[n-1].text) < maxGoBuildText {
			k.items[n-1].text = append(k.items[n-1].text, strings.TrimSpace(s))
			k.items[n-1].span.End = max(k.items[n-1].span.End, span.End)
		}
		return true
	}
	text := strings.TrimPrefix(s, "vet: ")
	at, message, ok := cutGoPosition(text)
	switch {
	case ok:
	case strings.HasPrefix(s, "too many errors"):
		return true
	case len(k.items) == 0 && isGoReason(s):
		at, message = nil, s
	default:
		return false
	}
	if len(k.items) >= maxGoBuildItems {
		k.bad = true
		return true
	}
	k.items = append(k.items, goBuildItem{at: at, text: []string{message}, span: span})
	return true
}

// isGoReason: the first line of a block need not have a position ("package x"
// of an import cycle, "no Go files in …"), but it is not the next program's.
func isGoReason(s string) bool {
	return s != "" && !strings.HasPrefix(s, "FAIL") && !strings.HasPrefix(s, "ok  \t") && !strings.HasPrefix(s, "=== ") && !strings.HasPrefix(s, "--- ")
}

// cutGoPosition reads "path.go:3:8: message" and "path.go:3: message".
func cutGoPosition(s string) (at *result.Location, message string, ok bool) {
	i := strings.Index(s, ": ")
	for ; i >= 0; i = nextIndex(s, ": ", i) {
		if path, line, col, ok := cutPosition(s[:i]); ok {
			return &result.Location{Path: path, Line: line, Column: col}, s[i+2:], true
		}
		if i > 0 && s[i-1] != ':' && strings.Contains(s[:i], ".go:") {
			break
		}
	}
	return nil, "", false
}

func nextIndex(s, sep string, i int) int {
	n := strings.Index(s[i+1:], sep)
	if n < 0 {
		return -1
	}
	return i + 1 + n
}

// cutPosition splits "path:3:8" and "path:3", where path has a suffix that a
// compiler of Go sources prints.
func cutPosition(s string) (path string, line, col int, ok bool) {
	path, line, ok = cutLineNumber(s)
	if !ok {
		return "", 0, 0, false
	}
	if p, n, two := cutLineNumber(path); two {
		path, line, col = p, n, line
	}
	for _, suffix := range []string{".go", ".s", ".c", ".h", ".cc", ".cpp", ".mod", ".work", ".sum"} {
		if strings.HasSuffix(path, suffix) && !strings.Contains(path, ": ") {
			return path, line, col, true
		}
	}
	return "", 0, 0, false
}

// accepted are the blocks that explain why packages failed to build. Text of
// another command, such as a "go build" in the same Makefile, does not.
func (b *goBuild) accepted(failed []string) []*goBlock {
	wanted := map[string]bool{}
	for _, pkg := range failed {
		wanted[pkg] = true
	}
	var own, others []*goBlock
	explained := map[string]bool{}
	for _, k := range b.blocks {
		name := k.pkg
		if !wanted[name] {
			name = k.variant
		}
		if len(k.items) > 0 && wanted[name] {
			own, explained[name] = append(own, k), true
		} else if len(k.items) > 0 {
			others = append(others, k)
		}
	}
	if len(explained) < len(wanted) { // a dependency did not compile
		own = append(own, others...)
	}
	return own
}

// finding makes one diagnostic of a block a finding.
func (k *goBlock) finding(i goBuildItem) result.Finding {
	f := result.Finding{
		Kind: result.BuildError, Severity: result.SevError, At: i.at,
		Message: i.text[0], Detail: strings.Join(i.text[1:], "\n"), RawSpan: &result.Span{Start: i.span.Start, End: i.span.End},
	}
	if i.at == nil { // nothing else says where
		f.ID, f.Suite = k.pkg, []string{k.pkg}
	} else {
		f.Extra = map[string]any{"package": k.pkg}
	}
	if k.vet {
		f.Tags = []string{"vet"}
	}
	if strings.HasPrefix(f.Message, "package ") && len(i.text) > 1 { // "package a / imports b / imports a: import cycle not allowed"
		f.Message, f.Detail = importChain(i.text), strings.Join(i.text, "\n")
	}
	return f
}

// importChain is an error about imports in one line, its reason first.
func importChain(text []string) string {
	last := text[len(text)-1]
	i := strings.LastIndex(last, ": ")
	if i < 0 {
		return strings.Join(text, " ")
	}
	chain := append(append([]string{}, text[:len(text)-1]...), last[:i])
	return last[i+2:] + ": " + strings.Join(chain, " ")
}
