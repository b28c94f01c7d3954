package rust

import (
	"cairn/parsers/read/frame"
	"strings"
)

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
