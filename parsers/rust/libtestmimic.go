package rust

import (
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// Test binaries with a harness of their own that looks like libtest, for which
// most use the crate libtest-mimic. It pads names, may print what kind a test is,
// and says itself why one failed, since nothing is captured:
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
	name, ok = strings.CutPrefix(s, "---- ")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(name, " ----")
}

// mimics: the line begins what the harness says of a test that is known to have
// failed.
func (b *libtestBlock) mimics(s string) (name string, ok bool) {
	name, ok = readMimicHeader(s)
	return name, ok && b.spans[name].End > 0 && b.found[name] == nil
}

// cutMimicKind takes the padding of a name and "[ui] " before it off.
func cutMimicKind(name string) string {
	name = strings.TrimSpace(name)
	if strings.HasPrefix(name, "[") {
		if _, rest, ok := strings.Cut(name, "] "); ok {
			return strings.TrimLeft(rest, " ")
		}
	}
	return name
}

// fillMimic takes the message of a harness; what it says begins with it.
func fillMimic(f *result.Finding, lines []string) (ok bool) {
	lines = lex.TrimBlankLines(append([]string{""}, lines...))
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

// mimicSection is the lines below the header of the one test that nextest ran,
// in its output without the framing of libtest's.
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

// placeMimic finds the panic that a harness caught: "test panicked: oh no".
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
