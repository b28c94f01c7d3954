package shell

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"cairn/capture"
	"cairn/internal/bash"
	"cairn/internal/guard"
	"cairn/parsers"
	"cairn/render"
	"cairn/result"
)

const (
	// smallOutput, in bytes, is shown unchanged: a compact form would save little, and the reader might doubt it.
	smallOutput = 512
	// largeOutput, in bytes, is where hosts begin to cut (Codex at about 10,000 characters).
	largeOutput = 10 << 10
)

// Show is how output is shown.
type Show string

// The values of Show.
const (
	Auto    Show = "auto"
	Compact Show = "compact"
	Raw     Show = "raw"
)

// ParseShow reads the value of the setting. An unknown value means Auto, since a shell must not refuse to run because
// of a misspelt setting.
func ParseShow(s string) Show {
	switch show := Show(strings.TrimSpace(s)); show {
	case Compact, Raw:
		return show
	}
	return Auto
}

// compactText is the compact form; ok says whether it is to be shown.
func compactText(show Show, out *capture.Outcome, size int64) (text string, ok bool) {
	if out.Result == nil || show == Raw {
		return "", false
	}
	b, err := render.Result(render.FormatCompact, out.Result, out.Raw)
	if err != nil {
		return "", false
	}
	text = string(b) + render.SameTree(out.Result)
	if show == Compact {
		return text, true
	}
	known := out.Result.ParserConfidence != result.Untyped
	return text, known && size > smallOutput && int64(len(b)) <= size
}

// hidden is the text after output that was shown unchanged: how commands of the line ended, if the output does not show
// it.
func hidden(show Show, out *capture.Outcome) string {
	switch why := out.Swallowed(); {
	case show == Raw:
		return ""
	case out.Hidden == "" && why != "":
		return "[" + why + ", and the line 0]\n"
	}
	return out.Hidden
}

// trailer is the line below output that was shown unchanged; usually "". Errors of the record are reported elsewhere,
// by the code that prints the outcome.
func trailer(show Show, out *capture.Outcome, size int64, hidesStatus bool) string {
	large := size > largeOutput && out.Record != nil && out.Record.Raw != nil
	if show == Raw || !large && (!hidesStatus || out.Status == 0) {
		return ""
	}
	var words []string
	if out.Status != 0 || large {
		words = append(words, fmt.Sprintf("exit %d", out.Status))
	}
	if large {
		raw := out.Record.Raw
		words = append(words, fmt.Sprintf("%d bytes, %s; all of it: cairn recall object %s", raw.Size, result.Count(raw.Lines, "line"), render.Short(raw.OID)))
	}
	return "[" + strings.Join(words, "; ") + "]\n"
}

// known says whether a command of the line has a parser: then its output is held until it has ended.
func known(line string) (found bool) {
	if guard.Do("reading the line", func() { found = namesTool(line) }) != nil {
		return false
	}
	return found
}

func namesTool(line string) bool {
	file, err := bash.Parse(line)
	if err != nil {
		return false
	}
	found := false
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			found = found || parsers.OfCommand(literals(call), "") != nil
		}
		return !found
	})
	return found
}
