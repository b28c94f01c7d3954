package golang

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Bounds of the compiler text that is kept until it is known which package and which tool it belongs to.
const (
	maxGoBlocks     = 2000
	maxGoBuildItems = 200 // per package; the compiler itself stops at 10
	maxGoBuildText  = 100 // lines per item
)

// goBlock is what the go command prints about one package, under its header "# pkg", "# pkg [pkg.test]" for its test
// variant, or, for vet, both "# pkg" and "# [pkg]". Errors found before packages are loaded have no header: their block
// has no package.
type goBlock struct {
	pkg     string
	variant string // "pkg" of "[pkg.test]": the package whose test needed this build
	vet     bool
	single  bool // only lines that continue its first item may follow
	header  bool // the first item only introduces the others: "go: errors parsing go.mod:"
	items   []goBuildItem
	more    *goBuildItem  // "too many errors": the compiler stopped
	spans   []result.Span // of the block's lines
}

type goBuildItem struct {
	at    *result.Location
	text  []string
	typed bool // "vet: …": reported by vet's type checker, not by an analyzer
	span  result.Span
}

// goBuild collects blocks from streams that may be interleaved with anything.
// Each stream, and each package of a -json stream, has its own open block.
type goBuild struct {
	blocks []*goBlock
	open   map[string]*goBlock
}

// take offers a line of text and says whether it belongs to a block. The line is not covered yet, because only the end
// of the output shows whether the block is this run's.
func (b *goBuild) take(l tool.Line) bool {
	if len(b.open) == 0 && !strings.HasPrefix(l.Text, "# ") {
		return false
	}
	stream := l.Stream.String()
	if !b.line(stream, strings.Clone(l.Text), result.Span{Start: l.Start, End: l.End}) {
		return false
	}
	if k := b.open[stream]; k != nil {
		k.spans = append(k.spans, result.Span{Start: l.Start, End: l.End})
	}
	return true
}

// line offers a line of one stream and says whether it belongs to a block.
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
	b.begin(stream, &goBlock{pkg: pkg, variant: strings.TrimSuffix(variant, ".test]")})
	return true
}

// begin opens a block and makes it the stream's open one.
func (b *goBuild) begin(stream string, block *goBlock) {
	b.blocks = append(b.blocks, block)
	lex.Put(&b.open, stream, block)
}

// line adds a line to the block, or returns false if the block has ended.
func (k *goBlock) line(s string, span result.Span) bool {
	if strings.HasPrefix(s, "\t") || strings.HasPrefix(s, "    ") || strings.HasPrefix(s, " ") && strings.Contains(s, " | ") { // gcc's source
		return k.goesOn(strings.TrimSpace(s), span)
	}
	text, typed := strings.CutPrefix(s, "vet: ")
	at, message, ok := cutGoPosition(text)
	switch {
	case k.single && len(k.items) > 0:
		return false
	case ok && strings.HasPrefix(message, "too many errors"), strings.HasPrefix(s, "too many errors"):
		k.more = &goBuildItem{at: at, span: span}
		return true
	case ok && strings.HasPrefix(message, "note: ") && len(k.items) > 0:
		return k.goesOn(at.String()+": "+strings.TrimPrefix(message, "note: "), span)
	case ok:
		k.single = k.single || typed // vet stops at its first type error
	case isLinkerNoise(s):
		return len(k.items) > 0 || k.pkg != ""
	case len(k.items) == 0 && isGoReason(s), k.pkg != "" && isLinkerError(s):
		at, message = nil, cutLinker(s)
	case strings.HasPrefix(s, "note: module requires ") && len(k.items) > 0:
		return k.goesOn(s, span)
	default:
		return false
	}
	lex.Keep(&k.items, maxGoBuildItems, goBuildItem{at: at, text: []string{message}, typed: typed, span: span})
	return true
}

// goesOn adds a line to the last item, of which at most maxGoBuildText lines are kept.
func (k *goBlock) goesOn(s string, span result.Span) bool {
	if n := len(k.items); n > 0 && len(k.items[n-1].text) < maxGoBuildText {
		k.items[n-1].text = append(k.items[n-1].text, s)
		k.items[n-1].span.End = max(k.items[n-1].span.End, span.End)
	}
	return true
}

// isGoReason says whether a line without a position may be the first of a block ("package x" of an import cycle,
// "no Go files in …"): lines of test runners are excluded.
func isGoReason(s string) bool {
	return s != "" && s[0] != '#' && !strings.HasPrefix(s, "FAIL") && !strings.HasPrefix(s, "ok  \t") && !strings.HasPrefix(s, "=== ") && !strings.HasPrefix(s, "--- ")
}

// cutGoPosition reads "path.go:3:8: message" and "path.go:3: message".
func cutGoPosition(s string) (at *result.Location, message string, ok bool) {
	i := strings.Index(s, ": ")
	for ; i >= 0; i = lex.NextIndex(s, ": ", i) {
		if at = cutPosition(s[:i]); at != nil {
			return at, s[i+2:], true
		}
		if i > 0 && s[i-1] != ':' && strings.Contains(s[:i], ".go:") {
			break
		}
	}
	return nil, "", false
}

// cutPosition splits "path:3:8" and "path:3", where path has the suffix of a file that Go's tools compile.
func cutPosition(s string) *result.Location {
	path, line, ok := place.CutLineNumber(s)
	at := result.Location{Path: path, Line: line}
	if p, n, two := place.CutLineNumber(path); two {
		at = result.Location{Path: p, Line: n, Column: line}
	}
	for _, suffix := range []string{".go", ".s", ".S", ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".m", ".mod", ".work", ".sum"} {
		if ok && strings.HasSuffix(at.Path, suffix) && !strings.Contains(at.Path, ": ") {
			return &at
		}
	}
	return nil
}

// accepted returns the blocks that explain why packages failed to build. Blocks of another command, such as a "go
// build" in the same Makefile, are left out.
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
