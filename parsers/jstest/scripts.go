package jstest

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/tool"
	"cairn/result"
)

// ts-node and zx run one script in node. They print an uncaught error themselves, so node's closing line is missing.
// One reader serves both.

var _ = Room.Add("ts-node ts-node-esm ts-node-script ts-node-transpile-only ts-node-dev", func(p *tool.Parser) {
	script(p, "ts-node", "ts-node 8 to 10: errors that nobody caught")
})
var _ = Room.Add("zx", func(p *tool.Parser) {
	script(p, "zx", "zx 4 to 8: commands that failed, errors that nobody caught")
})

func script(p *tool.Parser, name, about string) {
	p.Is(name, result.Generic, 1, about)
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Parse: uncaught})
}

// uncaught reads the last error with a stack on stderr:
//
//	/src/throws.ts:3
//	  throw new TypeError("no shelf " + name);
//	        ^
//	TypeError: no shelf top
//	    at open (/src/throws.ts:3:9)
//
// Type errors are left to the compiler's parser.
func uncaught(in *tool.Input) *tool.Report {
	var text jserror.Text
	types := false
	rep := read.Text{
		Line: func(s *read.Sink, l tool.Line) bool {
			class, _ := jserror.CutClass(l.Text)
			types = types || class == "TSError"
			switch {
			case l.Stream == tool.Stdout:
				return false
			case class != "" || strings.HasPrefix(l.Text, "Error: "):
				text = jserror.Text{}
				s.Findings = s.Findings[:0]
				s.Find(l, result.Finding{Kind: result.Panic, Message: "an error was not caught"})
			case s.Last() == nil:
				return false
			}
			text.Add(l.Text)
			return s.More(l)
		},
		End: func(s *read.Sink) {
			if f := s.Last(); f != nil {
				jserror.Explain(f, text.Lines)
				if i := slices.IndexFunc(text.Lines, isExitCode); i >= 0 && f.Message == "Error:" { // of a command that printed nothing
					f.Message = strings.TrimSpace(text.Lines[i])
				}
				f.Detail, s.Meaning = "", result.MeansCrashed
			}
		},
	}.Parse(in)
	if rep == nil || types || rep.Findings[0].At == nil {
		return nil
	}
	return rep
}

// isExitCode reports whether a line has a command's exit code, which zx prints below the stack.
func isExitCode(line string) bool { return strings.HasPrefix(line, "    exit code: ") }

// underDir returns the root of a run relative to the working directory, "web/". It returns "" if the two are the
// same, or the root is not below the working directory.
func underDir(ws result.Workspace, root string) string {
	at, external := ws.Path(root)
	at, below := strings.CutPrefix(at, ws.Rel())
	if external || !below || at == "" || at == "." {
		return ""
	}
	return strings.TrimPrefix(at, "/") + "/"
}
