package jstest

import (
	"regexp"
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

// again returns a Filter.Again: the command of the run with the test's file, if the id has one, and with an
// expression behind flag that matches only the full name of the test. A full name joins titles by blanks, an id by
// joint; a title may itself contain joint. project is the flag for the project with which an id may begin.
func again(flag, joint, project string) func(id string, own []string) []string {
	return func(id string, own []string) []string {
		words, titles := without(without(own, flag), project), strings.Split(id, joint)
		var in []string
		if name := titles[0]; len(titles) > 1 && strings.HasPrefix(name, "[") && strings.HasSuffix(name, "]") {
			if titles = titles[1:]; project != "" {
				in = []string{project, name[1 : len(name)-1]}
			}
		}
		if len(titles) > 1 && jserror.IsScript(titles[0]) {
			words, titles = append(words, read.Pattern(titles[0])), titles[1:]
		}
		words = append(words, in...) // jest takes everything up to the next flag for projects
		for i := range titles {
			titles[i] = regexp.QuoteMeta(titles[i])
		}
		return append(words, flag, "^"+strings.Join(titles, "("+strings.TrimRight(joint, " ")+")? ")+"$")
	}
}

// avaAgain selects by the title alone, in which a star matches anything. If ava ran several files, the id begins
// with a shortened name of the file.
func avaAgain(id string, own []string) []string {
	if strings.Contains(id, titleJoint) || strings.HasPrefix(id, "!") {
		return nil
	}
	return append(without(own, "--match"), "--match", id)
}

// cucumberAgain selects a scenario of a feature by its name, and replaces the folders and features of the command.
func cucumberAgain(id string, own []string) []string {
	file, name, ok := strings.Cut(id, titleJoint)
	if !ok {
		return nil
	}
	words := slices.DeleteFunc(without(own, "--name"), func(a string) bool {
		path, _, _ := strings.Cut(a, ":")
		return strings.HasSuffix(path, ".feature") || strings.HasPrefix(file, strings.TrimSuffix(a, "/")+"/")
	})
	return append(words, file, "--name", "^"+regexp.QuoteMeta(name)+"$")
}

// mochaAgain selects, for a failed hook, the test for which the hook ran.
func mochaAgain(id string, own []string) []string {
	if suite, rest, ok := strings.Cut(id, `" hook for "`); ok && strings.HasSuffix(rest, `"`) {
		if i := strings.LastIndexByte(suite, '"'); i >= 0 {
			id = suite[:i] + rest[:len(rest)-1]
		}
	}
	return again("-g", titleJoint, "")(id, own)
}

// without removes a flag and its value from a command.
func without(own []string, flag string) []string {
	words := slices.Clone(own)
	for i := slices.Index(words, flag); i > 0 && i+1 < len(words); i = slices.Index(words, flag) {
		words = slices.Delete(words, i, i+2)
	}
	return words
}

// playwrightAgain selects by the end of the full name; the name begins with the project and the file.
func playwrightAgain(id string, own []string) []string {
	words := again("-g", titleJoint, "--project")(id, own)
	words[len(words)-1] = strings.TrimPrefix(words[len(words)-1], "^")
	return words
}
