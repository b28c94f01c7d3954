package shell

import (
	"path"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// Step is one simple command of a command line.
type Step struct {
	Env       []string // NAME=VALUE before it
	Argv      []string
	Dir       string // that it runs in, relative to the start
	Redirects []word // each followed by its target
	Opaque    bool   // what it is cannot be read

	unheard  bool // see unheardAt
	cutShort bool // see cutShort
	endShown bool
}

// CommandsOf are the simple commands of a command line, wrappers still on. A
// line that only the shell can read is one step that is opaque.
func CommandsOf(argv []string, shellText string) []Step {
	if shellText == "" {
		if line, ok := innerLine(argv); ok {
			shellText = line
		} else {
			return []Step{{Argv: argv}}
		}
	}
	words, ok := ShellWords(shellText)
	if !ok {
		return []Step{{Opaque: true}}
	}
	return stepsOf(words)
}

// innerLine finds the line in "timeout 60 sh -c LINE".
func innerLine(argv []string) (string, bool) {
	argv = Named(argv)
	for range maxWrappers {
		if len(argv) == 0 {
			return "", false
		}
		if line, ok := ShellLine(argv); ok {
			return line, true
		}
		if line, _ := scripted(argv); line != "" {
			return line, true
		}
		rest, _, ok := unwrapOne(argv)
		if !ok {
			return "", false
		}
		argv = Named(rest)
	}
	return "", false
}

// stepsOf splits a line at its operators. "cd DIR" leads to DIR what follows
// it, up to the end of its parentheses.
func stepsOf(words []word) (steps []Step) {
	var dirs []string // around the open parentheses
	current := Step{}
	i := 0
	end := func() {
		switch argv := current.Argv; {
		case len(argv) == 0, isReserved(argv[0]):
		case len(argv) == 2 && argv[0] == "cd":
			if !Expanded(argv[1]) {
				current.Dir = Below(current.Dir, argv[1])
			}
		default:
			current.unheard = current.unheard || unheardAt(words, i)
			current.cutShort, current.endShown = cutShort(words, i)
			steps = append(steps, current)
		}
		current = Step{Dir: current.Dir}
	}
	for ; i < len(words); i++ {
		switch w := words[i]; {
		case strings.HasPrefix(w.operator, ">"), strings.HasPrefix(w.operator, "<"), strings.HasPrefix(w.operator, "&>"):
			if i++; i < len(words) {
				current.Redirects = append(current.Redirects, w, words[i])
			}
		case w.operator == "(":
			end()
			dirs = append(dirs, current.Dir)
		case w.operator == ")":
			end()
			if n := len(dirs) - 1; n >= 0 {
				current.Dir, dirs = dirs[n], dirs[:n]
			}
		case w.operator != "":
			end()
		case len(current.Argv) == 0 && lex.IsAssignment(w.Text):
			current.Env = append(current.Env, w.Text)
		case len(current.Argv) == 0 && lex.IsOneOf(w.Text, "! { } if then elif else fi while until do done"):
			current.unheard = current.unheard || lex.IsOneOf(w.Text, "! if elif while until")
		default:
			current.Opaque = current.Opaque || w.expands && len(current.Argv) == 0
			current.Argv = append(current.Argv, w.Text)
		}
	}
	end()
	return steps
}

// Expanded: what the shell makes of it is not known.
func Expanded(name string) bool { return strings.ContainsAny(name, "$`") }

// Below is a path as seen from where the command line starts.
func Below(dir, name string) string {
	if dir == "" || result.IsAbsolute(name) {
		return name
	}
	return path.Join(dir, name)
}
