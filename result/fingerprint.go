package result

import (
	"encoding/hex"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/zeebo/blake3"
)

// shownHex is how many hex digits of an identity are shown: 48 bits, of which one pair
// in 1,000,000 distinct findings collides with a chance of 0.2 %.
const shownHex = 12

// identity is one kind of derived identity. Its context string separates it
// from every other, so that equal keys of two kinds never give equal digests.
type identity struct {
	context string
	hashers sync.Pool
}

var (
	fingerprints = identity{context: "cairn 2026-11-20 finding fingerprint v1"}
	groups       = identity{context: "cairn 2026-11-20 finding group v1"}
	commandKeys  = identity{context: "cairn 2026-11-20 command key v1"}
	environments = identity{context: "cairn 2026-11-25 environment key v1"}
)

// Fingerprint is the identity of a finding: which tool says what, where. rule
// may be empty; locator and message must be normalised (Workspace.Locator and
// Workspace.Message). The package documentation specifies it.
func Fingerprint(tool, rule, locator, message string) string {
	return fingerprints.of("fp1", tool, rule, locator, message)
}

// Group is the identity of the subject of a finding, whatever its message: the same
// test, or the same rule in the same file. kindclass comes from Finding.class; rule is
// empty for a test.
func Group(tool, kindclass, rule, locator string) string {
	return groups.of("grp1", tool, kindclass, rule, locator)
}

// CommandKey is the identity of a command, wherever the checkout is. dir is relative to
// the repository. The program counts by its base name. Paths of temporary files inside
// arguments are masked, and paths of the workspace are made relative to its root.
func (w Workspace) CommandKey(tool string, argv []string, dir string) string {
	p := newPaths(w)
	parts := make([]string, 0, len(argv)+3)
	parts = append(parts, "cmd1", tool, cleanDir(dir))
	for i, arg := range argv {
		if i == 0 {
			arg = programName(arg)
		}
		parts = append(parts, p.rewrite(nfc(Clean(arg))))
	}
	return commandKeys.of(parts...)
}

// EnvironmentKey is the identity of the part of an environment that decides which
// programs run and what they do by default. The settings are "NAME=VALUE", in a fixed
// order, without secrets. It only tells runs in one clone apart, so it is shorter than
// the other identities.
func EnvironmentKey(settings []string) string {
	const digits = 8
	return environments.of(append([]string{"env1"}, settings...)...)[:digits]
}

// programName is the name of a program without its directory and the suffix
// that Windows adds.
func programName(arg string) string {
	arg = arg[strings.LastIndexAny(arg, `/\`)+1:]
	if n := len(arg) - len(".exe"); n > 0 && strings.EqualFold(arg[n:], ".exe") {
		arg = arg[:n]
	}
	return arg
}

// of is the first twelve hex digits of the identity of the key parts.
func (id *identity) of(parts ...string) string {
	var space [512]byte
	key := appendKey(space[:0], parts...)

	h, _ := id.hashers.Get().(*blake3.Hasher)
	if h == nil {
		h = blake3.NewDeriveKey(id.context) // takes a compression and 10 KB, so it is kept
	}
	h.Write(key)
	var sum [32]byte
	h.Sum(sum[:0])
	h.Reset()
	id.hashers.Put(h)

	var out [shownHex]byte
	hex.Encode(out[:], sum[:shownHex/2])
	return string(out[:])
}

// appendKey appends parts as a JSON array of strings in the one spelling that
// RFC 8785 allows. An array cannot be mistaken for another one, as a joined
// string could when a part contains the joiner.
func appendKey(b []byte, parts ...string) []byte {
	b = append(b, '[')
	for i, s := range parts {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSONString(b, s)
	}
	return append(b, ']')
}

func appendJSONString(b []byte, s string) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ':
			if short := strings.IndexByte("\b\t\n\f\r", c); short >= 0 {
				b = append(b, '\\', "btnfr"[short])
			} else {
				b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
			}
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			b = utf8.AppendRune(b, r)
			i += size
			continue
		default:
			b = append(b, c)
		}
		i++
	}
	return append(b, '"')
}

// class is the kind of a finding as its group uses it. A test that panics today and
// fails an assertion tomorrow is one test.
func (f *Finding) class() string {
	switch {
	case f.Kind == TestFailure, f.Kind == Panic && f.ID != "":
		return "test"
	case f.Kind == Diagnostic, f.Kind == BuildError, f.Kind == Vulnerability:
		return "diagnostic"
	}
	return string(f.Kind)
}

// isIdentity says that s looks like a fingerprint or a group.
func isIdentity(s string) bool {
	return len(s) == shownHex && strings.Trim(s, "0123456789abcdef") == ""
}
