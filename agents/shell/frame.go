package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Frame is a script that a host gives to its shell, and the user's line in it.
type Frame struct {
	Host string // whose frame it is; "" where the script is the line itself
	Line string // the user's line
	Zsh  bool   // the host meant it for zsh
}

// marks of the frames: a script without them is nobody's frame, and is not
// parsed to find that out.
const (
	claudeSnapshot = "/shell-snapshots/"
	claudeDir      = "pwd -P >| "
	geminiSetup    = "shopt -u promptvars"
	geminiCode     = "__code=$?"
)

// Unframe reads the user's line out of a script. ok is false where the script
// has the marks of a frame but not its form: then nobody knows the line.
func Unframe(script string) (f Frame, ok bool) {
	switch {
	case strings.Contains(script, claudeSnapshot) && strings.Contains(script, claudeDir):
		f = Frame{Host: "claude", Zsh: strings.Contains(script, claudeSnapshot+"snapshot-zsh")}
		f.Line, ok = evaluated(script)
	case strings.HasPrefix(strings.TrimSpace(script), geminiSetup) && strings.Contains(script, geminiCode):
		f = Frame{Host: "gemini"}
		f.Line, ok = grouped(script)
	default:
		return Frame{Line: script}, true
	}
	return f, ok && strings.TrimSpace(f.Line) != ""
}

// IsFrame says whether a script is a frame that is known.
func IsFrame(script string) bool {
	f, ok := Unframe(script)
	return ok && f.Host != ""
}

func parse(script string) (*syntax.File, error) {
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(script), "")
}

// evaluated is the text that a script hands to eval, if the script has one eval and its
// text is written out in full.
func evaluated(script string) (line string, ok bool) {
	file, err := parse(script)
	if err != nil {
		return "", false
	}
	count := 0
	syntax.Walk(file, func(n syntax.Node) bool {
		call, is := n.(*syntax.CallExpr)
		if !is || len(call.Args) < 2 || call.Args[0].Lit() != "eval" {
			return true
		}
		count++
		line, ok = joined(call.Args[1:])
		return false
	})
	return line, ok && count == 1
}

// joined is the words as eval joins them. Older frames hand eval "< /dev/null"
// as words; it is not the user's.
func joined(words []*syntax.Word) (string, bool) {
	texts := make([]string, len(words))
	for i, w := range words {
		text, ok := static(w.Parts)
		if !ok {
			return "", false
		}
		texts[i] = text
	}
	if n := len(texts); n > 2 && texts[n-2] == "<" && texts[n-1] == "/dev/null" {
		texts = texts[:n-2]
	}
	return strings.Join(texts, " "), true
}

// static is the text of a word that expands nothing.
func static(parts []syntax.WordPart) (string, bool) {
	var b strings.Builder
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(unescaped(p.Value, ""))
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", false
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				lit, ok := inner.(*syntax.Lit)
				if !ok || p.Dollar {
					return "", false
				}
				b.WriteString(unescaped(lit.Value, "$`\"\\\n"))
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}

// unescaped takes away the backslashes that quote: all of them outside quotes,
// those before one of special within double quotes.
func unescaped(s, special string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (special == "" || strings.IndexByte(special, s[i+1]) >= 0) {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// grouped is what stands in the group ( … ) or { … } whose status the script
// takes, without the traps that the host sets in it.
func grouped(script string) (string, bool) {
	file, err := parse(script)
	if err != nil {
		return "", false
	}
	for i, stmt := range file.Stmts {
		if i+1 == len(file.Stmts) || !strings.HasPrefix(script[file.Stmts[i+1].Pos().Offset():], geminiCode) {
			continue
		}
		switch g := stmt.Cmd.(type) {
		case *syntax.Subshell:
			return within(script, g.Stmts, g.Lparen, g.Rparen)
		case *syntax.Block:
			return within(script, g.Stmts, g.Lbrace, g.Rbrace)
		}
	}
	return "", false
}

func within(script string, stmts []*syntax.Stmt, opens, closes syntax.Pos) (string, bool) {
	from := int(opens.Offset()) + 1
	if len(stmts) > 1 && strings.HasPrefix(script[stmts[0].Pos().Offset():], "trap ") {
		from = int(stmts[0].End().Offset())
	}
	line := strings.TrimSpace(script[from:closes.Offset()])
	if _, block := script[opens.Offset()], script[opens.Offset()] == '{'; block {
		line = strings.TrimSpace(strings.TrimSuffix(line, ";"))
	}
	return line, true
}
