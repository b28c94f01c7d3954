package rust

import (
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// ownFrames are the frames outside the standard library. Their paths, relative to the package, are made relative to the
// directory that the panic's path is relative to. If that is not known they keep their "./": see placeFrames.
func (p *rustPanic) ownFrames() (own []result.Location) {
	dir, above := p.packageDir()
	for _, fr := range p.frames {
		if frame.IsRustLibrary(fr.Path) || !strings.HasSuffix(fr.Path, ".rs") || len(own) >= result.MaxFrames {
			continue
		}
		if rest, ok := strings.CutPrefix(fr.Path, "./"); ok {
			fr.Path = dir + strings.TrimPrefix(rest, above)
		}
		own = append(own, fr)
	}
	return own
}

// packageDir is the directory of the package that the frames' paths are relative to, "./" if it is not known. With --manifest-path
// they may be relative to a directory above the panic's: above is what they begin with.
func (p *rustPanic) packageDir() (dir, above string) {
	for _, fr := range p.frames {
		path, relative := strings.CutPrefix(fr.Path, "./")
		switch {
		case !relative || p.at == nil || fr.Line != p.at.Line:
		case p.at.Path == path, strings.HasSuffix(p.at.Path, "/"+path):
			return strings.TrimSuffix(p.at.Path, path), ""
		case strings.HasSuffix(path, "/"+p.at.Path):
			return "", strings.TrimSuffix(path, p.at.Path)
		}
	}
	return "./", ""
}

// placeFrames adds the directory of the package to paths that begin with "./", if another failure of the package has
// it.
func placeFrames(all []result.Finding) {
	dirs := map[string]string{}
	for i := range all {
		if f := &all[i]; f.At != nil && !isDocTest(f.Name) && !result.IsAbsolute(f.At.Path) && !strings.HasPrefix(f.At.Path, "./") {
			if dir, ok := cutPackageDir(f.At.Path); ok {
				dirs[crateOf(f)] = dir
			}
		}
	}
	for i := range all {
		dir := dirs[crateOf(&all[i])]
		if at := all[i].At; at != nil {
			at.Path = addPackageDir(dir, at.Path)
			if isDocTest(all[i].Name) && strings.HasPrefix(at.Path, "src/") { // until about 1.70 relative to the package
				at.Path = dir + at.Path
			}
		}
		for j := range all[i].Frames {
			all[i].Frames[j].Path = addPackageDir(dir, all[i].Frames[j].Path)
		}
	}
}

func addPackageDir(dir, path string) string {
	if rest, ok := strings.CutPrefix(path, "./"); ok {
		return dir + rest
	}
	return path
}

// cutPackageDir returns the part of a path before "src/lib.rs" or "tests/it.rs".
func cutPackageDir(path string) (dir string, ok bool) {
	for _, sub := range []string{"src/", "tests/", "benches/", "examples/"} {
		if strings.HasPrefix(path, sub) {
			return "", true
		}
		if i := strings.Index(path, "/"+sub); i >= 0 {
			return path[:i+1], true
		}
	}
	return "", false
}

// crateOf is the crate or package in the name of the finding's target.
func crateOf(f *result.Finding) string {
	if len(f.Suite) == 0 {
		return ""
	}
	name, _, _ := strings.Cut(f.Suite[0], "::")
	return strings.ReplaceAll(name, "-", "_")
}

// maxRustValue bounds a value in a message, in bytes.
const maxRustValue = 200

// fillRustValues reads "left:" and "right:" of assert_eq! and similar macros. By convention the right value is the
// expected one. Both are part of the message: failures with different values are different.
func fillRustValues(f *result.Finding, text []string) {
	left, right := -1, -1
	for i, l := range text {
		switch t := strings.TrimLeft(l, " "); {
		case i > 0 && left < 0 && strings.HasPrefix(t, "left: ") && strings.HasPrefix(l, " "):
			left = i
		case left >= 0 && right < 0 && strings.HasPrefix(t, "right: ") && strings.HasPrefix(l, " "):
			right = i
		}
	}
	if right < 0 {
		return
	}
	l, r := rustValue(text[left:right], "left: "), rustValue(openValue(text[right:]), "right: ")
	if strings.HasPrefix(l, "`") { // before 1.73: "`1`," and "`2`: custom message"
		l, _ = cutOldValue(l)
		var said string
		if r, said = cutOldValue(r); said != "" {
			f.Message += ": " + said
		}
	}
	f.Actual, f.Expected = l, r
	if strings.Contains(f.Message, "left != right") || strings.Contains(f.Message, "(left != right)") {
		f.Operator, f.Expected = "!=", "not "+r
	}
	if len(l)+len(r) <= maxRustValue && !strings.ContainsAny(l+r, "\n") {
		f.Message += " (left: " + l + ", right: " + r + ")"
	}
}

// openValue are the lines of a value whose end is not marked: the first, and further ones while a bracket is open.
// Later lines may have been printed by the next test.
func openValue(lines []string) []string {
	depth := 0
	for i, l := range lines {
		depth += strings.Count(l, "(") + strings.Count(l, "[") + strings.Count(l, "{") - strings.Count(l, ")") - strings.Count(l, "]") - strings.Count(l, "}")
		if depth <= 0 {
			return lines[:i+1]
		}
	}
	return lines[:1]
}

func rustValue(lines []string, label string) string {
	lines = lex.TrimBlankLines(lines)
	first := strings.TrimPrefix(strings.TrimLeft(lines[0], " "), label)
	return strings.Join(append([]string{first}, lines[1:]...), "\n")
}

// cutOldValue reads "`value`," and "`value`: message".
func cutOldValue(s string) (value, said string) {
	s = strings.TrimSuffix(strings.TrimPrefix(s, "`"), ",")
	if i := strings.LastIndex(s, "`"); i >= 0 {
		return s[:i], strings.TrimPrefix(s[i+1:], ": ")
	}
	return s, ""
}

// rustHook begins a panic as the crate color-eyre prints it once installed, for every thread and without the
// thread's name:
//
//	The application panicked (crashed).
//	Message:  called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }
//	Location: src/lib.rs:80
//
//	  ━━━━━━━━━━━━━━━━━━━━━━━━━━━ BACKTRACE ━━━━━━━━━━━━━━━━━━━━━━━━━━━━
//	                    ⋮ 6 frames hidden ⋮
//	   7: shop::tests::parses::h643674c240a67acb
//	      at /src/shop/src/lib.rs:80
const rustHook = "The application panicked (crashed)."

// who begins the note about this panic in a finding for another one.
func (p *rustPanic) who() string {
	if p.hook {
		return "panicked: "
	}
	return "thread '" + p.thread + "' panicked: "
}

// hookLine takes a line after the first.
func (p *rustPanic) hookLine(s string) bool {
	heading, isHeading := cutHookHeading(s)
	switch {
	case p.at == nil:
		p.hookMessage(s)
	case isHeading:
		p.stack = strings.Contains(heading, "BACKTRACE")
		p.spans = !p.stack
	case isHookAside(s), p.spans && strings.HasPrefix(s, " "):
	case p.stack && strings.HasPrefix(s, " "):
		p.frame(s)
	default:
		p.closed = true
		return false
	}
	return true
}

func (p *rustPanic) hookMessage(s string) {
	if spot, ok := strings.CutPrefix(s, "Location: "); ok {
		if at, ok := frame.Rust(spot); ok {
			p.at = &at
			return
		}
	}
	p.message = append(p.message, strings.TrimPrefix(s, "Message:  "))
	p.closed = len(p.message) >= maxPanicLines
}

// cutHookHeading reads the heading of a list of frames or of spans: "━━━ BACKTRACE ━━━".
func cutHookHeading(s string) (heading string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(s, " "), "━━━")
	return strings.Trim(rest, "━ "), ok && strings.HasPrefix(s, "  ") && strings.HasSuffix(s, "━━━")
}

// isHookAside says whether a line stands between the parts: blank, or advice on how to see more.
func isHookAside(s string) bool {
	return s == "" || strings.HasPrefix(s, "Backtrace omitted.") || strings.HasPrefix(s, "Run with ") && strings.Contains(s, "=") || strings.Contains(s, "⋮ ")
}

// cutSymbolHash cuts off "::h643674c240a67acb", which differs in every build.
func cutSymbolHash(fn string) string {
	if i := strings.LastIndex(fn, "::h"); i >= 0 && len(fn)-i == len("::h")+16 && strings.Trim(fn[i+3:], "0123456789abcdef") == "" {
		return fn[:i]
	}
	return fn
}
