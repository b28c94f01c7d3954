package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"cairn/capture/stage"
	"cairn/internal/bash"
)

// Frame is the script that a host wraps around the user's line.
type Frame struct {
	Host string // the host; "" if the script is the line itself
	Line string // the user's line
	Zsh  bool   // the host meant it for zsh

	before, after string // the script around the line
	quoted        bool   // the script has the line as one quoted word
}

// With returns the script with another line in place of the user's.
func (f Frame) With(line string) string {
	if f.quoted {
		line = quote(line)
	}
	return f.before + line + f.after
}

// Marks of the hosts' scripts. A script without them is no host's, and is not parsed.
const (
	claudeSnapshot = "/shell-snapshots/"
	claudeDir      = "pwd -P >| "
	geminiSetup    = "shopt -u promptvars"
	geminiCode     = "__code=$?"
)

// Unframe extracts the user's line from a script. ok is false if the script has the marks of a frame but not its
// structure: then the line is not known.
func Unframe(script string) (f Frame, ok bool) {
	switch {
	case strings.Contains(script, claudeSnapshot) && strings.Contains(script, claudeDir):
		f = Frame{Host: "claude", Zsh: strings.Contains(script, claudeSnapshot+"snapshot-zsh"), quoted: true}
		ok = f.evaluated(script)
	case strings.HasPrefix(strings.TrimSpace(script), geminiSetup) && strings.Contains(script, geminiCode):
		f = Frame{Host: "gemini"}
		ok = f.grouped(script)
	default:
		return Frame{Line: script}, true
	}
	return f, ok && strings.TrimSpace(f.Line) != ""
}

// IsFrame says whether a script is a known host's.
func IsFrame(script string) bool {
	f, ok := Unframe(script)
	return ok && f.Host != ""
}

// evaluated finds the text that a script passes to eval, if the script has one eval and the text contains no expansion.
func (f *Frame) evaluated(script string) (ok bool) {
	if strings.Contains(script, "\r\n") {
		return false // the parser reads "\r\n" as "\n", the shell does not
	}
	file, err := bash.Parse(script)
	if err != nil {
		return false
	}
	count := 0
	syntax.Walk(file, func(n syntax.Node) bool {
		call, is := n.(*syntax.CallExpr)
		if !is || len(call.Args) < 2 || call.Args[0].Lit() != "eval" {
			return true
		}
		count++
		var words []*syntax.Word
		if f.Line, words, ok = joined(call.Args[1:]); ok {
			f.before, f.after = script[:words[0].Pos().Offset()], script[words[len(words)-1].End().Offset():]
		}
		return false
	})
	return ok && count == 1
}

// joined returns the words as eval joins them, and the words used. Older scripts pass eval "< /dev/null" as words,
// which are left out.
func joined(words []*syntax.Word) (string, []*syntax.Word, bool) {
	texts := make([]string, len(words))
	for i, w := range words {
		text, ok := stage.Static(w.Parts)
		if !ok {
			return "", nil, false
		}
		texts[i] = text
	}
	if n := len(texts); n > 2 && texts[n-2] == "<" && texts[n-1] == "/dev/null" {
		texts = texts[:n-2]
	}
	return strings.Join(texts, " "), words[:len(texts)], true
}

// grouped finds the text in the group ( … ) or { … } whose status the script reads, without the traps that the host
// sets.
func (f *Frame) grouped(script string) bool {
	file, err := bash.Parse(script)
	if err != nil {
		return false
	}
	for i, stmt := range file.Stmts {
		if i+1 == len(file.Stmts) || !strings.HasPrefix(script[file.Stmts[i+1].Pos().Offset():], geminiCode) {
			continue
		}
		switch g := stmt.Cmd.(type) {
		case *syntax.Subshell:
			f.within(script, g.Stmts, g.Lparen, g.Rparen)
			return true
		case *syntax.Block:
			f.within(script, g.Stmts, g.Lbrace, g.Rbrace)
			return true
		}
	}
	return false
}

func (f *Frame) within(script string, stmts []*syntax.Stmt, opens, closes syntax.Pos) {
	from := int(opens.Offset()) + 1
	if len(stmts) > 1 && strings.HasPrefix(script[stmts[0].Pos().Offset():], "trap ") {
		from = int(stmts[0].End().Offset())
	}
	text := script[from:closes.Offset()]
	line := strings.TrimSpace(text)
	if script[opens.Offset()] == '{' {
		line = strings.TrimSpace(strings.TrimSuffix(line, ";"))
	}
	from += strings.Index(text, line)
	f.Line, f.before, f.after = line, script[:from], script[from+len(line):]
}
