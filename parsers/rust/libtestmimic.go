package rust

import (
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// Test binaries with a harness of their own that looks like libtest; most use the crate libtest-mimic. The harness pads
// names, may print a test's kind, and itself prints why a test failed, since it captures nothing:
//
//	test [ui] fails   ... FAILED
//	test      panics  ... FAILED
//
//	failures:
//
//	---- fails ----
//	expected 3, got 4

// readMimicHeader reads "---- fails ----".
func readMimicHeader(s string) (name string, ok bool) {
	name, begins := strings.CutPrefix(s, "---- ")
	name, ok = strings.CutSuffix(name, " ----")
	return name, begins && ok
}

// mimics says whether the line begins the harness's text about a test that is known to have failed.
func (b *libtestBlock) mimics(s string) (name string, ok bool) {
	name, ok = readMimicHeader(s)
	return name, ok && b.spans[name].End > 0 && b.found[name] == nil
}

// cutMimicKind cuts the padding of a name and "[ui] " before it off.
func cutMimicKind(name string) string {
	name = strings.TrimSpace(name)
	if strings.HasPrefix(name, "[") {
		if _, rest, ok := strings.Cut(name, "] "); ok {
			return strings.TrimLeft(rest, " ")
		}
	}
	return name
}

// fillMimic takes the harness's message, the first line of its text.
func fillMimic(f *result.Finding, lines []string) (ok bool) {
	lines = lex.TrimBlankLines(lines)
	if i := slices.IndexFunc(lines, isSaid); i >= 0 {
		f.Message, f.Detail = panicHeadline(lines[i:]), ""
		if len(lines) > i+1 {
			f.Detail = lex.JoinBounded(lines[i:], maxRustcDetail)
		}
		return true
	}
	f.Message, f.Detail = notSaid, ""
	return false
}

// mimicSection is the text below the header of the only test that nextest ran, found in output without libtest's other
// lines.
func mimicSection(test string, lines []string) (section []string, ok bool) {
	name := cutMimicKind(test)
	i := slices.Index(lines, "---- "+name+" ----")
	if i < 0 {
		return nil, false
	}
	section = lex.TrimBlankLines(lines[i:])[1:]
	if n := len(section); n > 0 && section[n-1] == "    "+name {
		section = section[:n-1]
	}
	return section, true
}

const mimicPanicked = "test panicked: "

// placeMimic sets the place from the panic that a harness caught: "test panicked: oh no".
func placeMimic(f *result.Finding, all []*rustPanic) {
	said, ok := strings.CutPrefix(f.Message, mimicPanicked)
	if !ok {
		return
	}
	for _, p := range all {
		if text := p.text(); len(text) > 0 && panicHeadline(text) == said {
			span := f.RawSpan
			p.fill(f)
			f.RawSpan = span
			return
		}
	}
}
