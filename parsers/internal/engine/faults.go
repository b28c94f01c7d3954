package engine

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"cairn/internal/guard"
	"cairn/parsers/text/scan"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// faults are the panics of parsers while one output was read. Parsers run concurrently, so faults come in any
// order.
type faults struct {
	mu   sync.Mutex
	list []string // each text once
}

// add notes a fault; nil is ignored.
func (f *faults) add(err error) {
	if err == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if why := err.Error(); len(f.list) < maxFaults && !slices.Contains(f.list, why) {
		f.list = append(f.list, why)
	}
}

// maxFaults bounds the faults that are reported for one output.
const maxFaults = 8

func (f *faults) any() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.list) > 0
}

// tell adds the faults to a result.
func (f *faults) tell(r *result.ToolResult) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.list) > 0 {
		slices.Sort(f.list)
		result.SetExtra(&r.Extra, "broken", strings.Join(f.list, "; "))
	}
}

// parserOf names a parser in the message that it broke off.
func parserOf(p *tool.Parser) string { return "the " + p.Tool + " parser" }

// untyped is a result that says how the command ended, without anything from its output.
func untyped(program string, stats textStats, exit result.Exit) *result.ToolResult {
	r := &result.ToolResult{
		SchemaVersion:    result.SchemaVersion,
		Tool:             program,
		Kind:             result.Generic,
		Signal:           exit.Signal,
		TimedOut:         exit.TimedOut,
		ParserConfidence: result.Untyped,
		Findings:         []result.Finding{},
		Raw:              &result.Raw{Bytes: stats.bytes, Lines: stats.lines, Binary: stats.binary},
	}
	if exit.Observed {
		r.ExitCode = &exit.Code
	}
	return r
}

// Unread is the result of an output whose reading broke off for the reason why. It uses as little code as possible,
// since it is unknown which part is broken.
func Unread(in tool.Input, exit result.Exit, why error) *result.ToolResult {
	var text string
	r := untyped(cmp.Or(in.Tool, Program(in.Argv, in.Shell)), textStats{}, exit)
	result.SetExtra(&r.Extra, "broken", why.Error())
	r.Truncated.Raw = in.Truncated
	r.Status, r.StatusSource = result.Derive(exit, r.Kind, "", r.ParserConfidence, false, nil)
	again := guard.Do("reading the output as text", func() { *r.Raw, text = skimmed(in.Source) })
	again = cmp.Or(again, guard.Do("shortening the output", func() { r.Body, r.Truncated.BodyBytesOmitted = shortened(in.Source, failing(exit)) }))
	if again != nil {
		r.Body, r.Truncated.BodyBytesOmitted = text, max(0, int(r.Raw.Bytes)-len(text))
	}
	if err := guard.Do("making the result", func() { seal(r, in) }); err != nil {
		r.Body, r.Extra = "", map[string]any{"broken": "making the result broke off"} // only this text is known to hold no secrets
	}
	return r
}

// Program is the name of a command that is not parsed any further.
func Program(argv []string, line string) string {
	if line != "" || len(argv) == 0 {
		return "sh"
	}
	return path.Base(strings.ReplaceAll(argv[0], `\`, "/"))
}

// seal removes secrets from a result, and adds the summary.
func seal(r *result.ToolResult, in tool.Input) {
	if in.Redact != nil {
		result.SealRedacted(r, in.Workspace, in.Redact)
	} else {
		result.Seal(r, in.Workspace)
	}
	r.Summary = result.Summarise(r)
}

// maxTail is how many bytes of the end of an output are shown if shortening it fails.
const maxTail = 4 << 10

// skimmed counts an output, and returns its end.
func skimmed(source tool.Source) (raw result.Raw, end string) {
	var tail []byte
	for c := range source.Chunks() {
		raw.Bytes += int64(len(c.Data))
		raw.Lines += int64(bytes.Count(c.Data, []byte{'\n'}))
		raw.Binary = raw.Binary || bytes.IndexByte(c.Data, 0) >= 0
		tail = append(tail, c.Data[max(0, len(c.Data)-maxTail):]...)
		tail = tail[max(0, len(tail)-maxTail):]
	}
	if len(tail) > 0 && tail[len(tail)-1] != '\n' {
		raw.Lines++
	}
	return raw, strings.ToValidUTF8(string(tail), "\ufffd")
}

// shortened is the text shown for an output that no parser knows.
func shortened(source tool.Source, failing bool) (text string, omitted int) {
	all, eye := newReducer(), scan.NewScanner()
	term.RawLines(source, term.Both, func(l term.RawLine) bool {
		eye.Look(&l)
		all.see(&l)
		return true
	})
	return all.body(failing)
}
