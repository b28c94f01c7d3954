package shell

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// The shells match no command: a script's output is read by the parsers of the tools in it, and a shell's error must
// not take their place.
var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("sh", result.Generic, 1, "bash, dash, zsh and ksh: errors of syntax, commands that are not found, and what else they say of a line of a script")
	p.Family = "shell"
	p.Reads(tool.Format{Name: "errors", Starts: shellStarts(), Sniff: isShellError, Parse: read.Text{Line: shellLine}.Parse})
})

// A shell names what a signal ended, and goes on: a failure, unless what ended had said why.
var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("shell", result.Generic, 1, "bash, find and xargs: commands that a signal ended")
	p.Family, p.Runner = "shell", true
	scripts := slices.DeleteFunc(shellStarts(), func(s string) bool { return !strings.HasSuffix(s, "….sh: line ") })
	starts := append(scripts, "bash: line ", "/…/bash: line ", ".…bash: line ", "F…bash: line ", "s…bash: line ", "find: ", "xargs: ") // behind progress
	p.Reads(tool.Format{Name: "signals", Starts: starts, Sniff: func(line string) bool { return signalForm().MatchString(line) }, Parse: read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		said := signalForm().FindStringSubmatch(l.Text)
		return said != nil && s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevError, Message: strings.Trim(said[1]+": "+said[2]+said[3], ": ")})
	}}.Parse})
})

// signalForm matches "bash: line 1: 24809 Segmentation fault      ./app" and "xargs: ./app: terminated by signal 11". By
// SIGTERM a script ends a server of its own.
var signalForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\S+: line \d+: +\d+ (Killed|Segmentation fault|Aborted|Bus error|Illegal instruction|Floating point exception|Trace/breakpoint trap)(?: \(core dumped\))? +(.+)|` +
		`^\.*(?:find|xargs): (\S.* terminated by signal (?:[4-9]|11))$`)
})

// shellStarts returns the beginnings of shells' errors: the shell's name, or the path of the script.
func shellStarts() []string {
	starts := []string{"bash: ", "sh: ", "zsh: ", "zsh:", "dash: ", "/bin/sh: ", "/bin/bash: ", "-bash: ", "ksh: "}
	for c := byte('.'); c <= 'z'; c++ {
		if c == '.' || c == '/' || lex.Letter(c) != 0 || c >= '0' && c <= '9' || c == '_' {
			starts = append(starts, string(c)+"….sh: line ", string(c)+"….sh: ", string(c)+"….sh:", string(c)+"….sh[")
		}
	}
	return starts
}

func isShellError(line string) bool {
	_, ok := cutShellError(line)
	return ok
}

func shellLine(s *read.Sink, l tool.Line) bool {
	f, ok := cutShellError(l.Text)
	if !ok {
		return false
	}
	if n := len(s.Findings); n > 0 && s.Findings[n-1].At != nil && *s.Findings[n-1].At == *f.At && strings.HasPrefix(f.Message, "`") { // bash prints the source line of a syntax error
		return s.More(l)
	}
	if strings.HasSuffix(f.Message, ": unbound variable") {
		s.Meaning = result.MeansFindings // bash -c exits with 127 then, as for a missing command
	} else if strings.HasSuffix(f.Message, "not found") {
		s.Meaning = ""
	}
	return s.Find(l, f)
}

// cutShellError reads an error of a shell, in the forms of bash, dash, zsh and ksh:
//
//	bin/x.sh: line 3: frobnicate: command not found
//	bin/x.sh: 5: Syntax error: Unterminated quoted string
//	bin/x.sh:5: unmatched "
//	bin/x.sh[5]: frobnicate: not found
//	bash: nothere.sh: No such file or directory
//	bin/x.sh: Zeile 3: frobnicate: Kommando nicht gefunden.
//	bin/x.sh:cd:3: no such file or directory: /nope
func cutShellError(text string) (f result.Finding, ok bool) {
	name, rest, ok := strings.Cut(text, ":")
	if script, line, is := strings.Cut(name, "["); ok && is && strings.HasSuffix(line, "]") { // ksh: "x.sh[5]: text"
		name, rest = script, line[:len(line)-1]+":"+rest
	}
	if !ok || strings.ContainsAny(name, " \t") || len(name) > 400 {
		return f, false
	}
	rest, foreign := withoutLineWord(strings.TrimPrefix(rest, " "))
	if builtin, behind, is := strings.Cut(rest, ":"); is && lex.IsOneOf(builtin, "cd read source eval export typeset local") && behind != "" && lex.IsDigits(behind[:1]) {
		rest = behind // zsh
	}
	number, message, numbered := strings.Cut(rest, ":")
	message = strings.TrimPrefix(message, " ")
	if numbered = numbered && lex.IsDigits(number) && len(number) < 8; !numbered {
		message = rest
	}
	base := name[strings.LastIndexByte(name, '/')+1:]
	own := strings.HasPrefix(name, "-") || !strings.Contains(base, ".")
	if column, _, ok := strings.Cut(message, ":"); ok && numbered && lex.IsDigits(column) {
		return f, false // a linter's line: no shell prints columns
	}
	if message == "" || !own && !numbered || !saysShell(message) && (!foreign || !numbered) {
		return f, false
	}
	f = result.Finding{Kind: result.Diagnostic, Message: message, At: &result.Location{Path: name}}
	if numbered {
		f.At.Line = lex.Atoi(number)
	}
	if own { // a command line has no file
		f.At = &result.Location{}
	}
	if strings.HasPrefix(message, "warning: ") {
		f.Severity, f.Message = result.SevWarning, strings.TrimPrefix(message, "warning: ")
	}
	return f, true
}

// withoutLineWord cuts "line " off "line 3: text", and bash's word for it in other languages: "Zeile 3: text",
// "ligne 3 : text", "3 行: text".
func withoutLineWord(rest string) (bare string, foreign bool) {
	if bare, is := strings.CutPrefix(rest, "line "); is {
		return bare, false
	}
	const words = "Zeile ligne línea riga linha regel linje rad rivi linia redak řádek satır строка рядок ред γραμμή 行 줄 列 第"
	where, message, ok := strings.Cut(strings.Replace(rest, "：", ":", 1), ":")
	fields := strings.Fields(where)
	switch {
	case !ok || len(fields) < 2 || len(fields) > 3:
	case lex.IsDigits(fields[1]) && lex.IsOneOf(fields[0], words):
		return fields[1] + ":" + message, true
	case lex.IsDigits(fields[0]) && lex.IsOneOf(fields[1], words):
		return fields[0] + ":" + message, true
	}
	return rest, false
}

// saysShell reports whether a message has words that shells use, and that other programs which print a path and a
// number do not use.
func saysShell(message string) bool {
	for _, words := range [...]string{
		"command not found", ": not found", "syntax error", "Syntax error", "unbound variable", "parameter not set", "parse error near", "unexpected EOF while looking for",
		"No such file or directory", "no such file or directory", "Permission denied", "permission denied", "bad substitution", "Bad substitution", "unmatched ",
		"not a valid identifier", "readonly variable", "division by 0", "division by zero", "here-document at line", "bad interpreter", "Is a directory", "too many arguments", "ambiguous redirect",
		"integer expression expected", "unary operator expected", "binary operator expected", "cannot execute", "can't open ", "cannot open ", "numeric argument required", "no matches found", "event not found", "illegal option", "Illegal option", "invalid option", "can't cd to ",
	} {
		if strings.Contains(message, words) {
			return true
		}
	}
	return false
}

var _ = Room.Add("fish", func(p *tool.Parser) {
	p.Is("fish", result.Generic, 1, "fish 3 and 4: errors of syntax (-n), commands that are not found, what its builtins say")
	p.Fails = []string{"called on line ", "in command substitution", "(Type 'help "}
	p.Reads(tool.Format{Name: "errors", Starts: []string{"fish: Unknown command: "}, Named: true, Parse: read.IfFound(read.Lines((*fish).line))})
})

// fish reads errors with their place on the next line or in front:
//
//	fish: Unknown command: nosuch
//	r.fish (line 2):
//	nosuch x
//	^~~~~^
//	s.fish (line 4): Missing end to balance this if statement
//
// A place without a message belongs to the line above. A failure in a command substitution is printed again for the
// command around it.
type fish struct {
	said tool.Line // the last line that is not empty
}

func (p *fish) line(s *read.Sink, l tool.Line) bool {
	above, f := p.said, s.Last()
	if l.Text != "" {
		p.said = l
	}
	if strings.HasPrefix(l.Text, "warning: Error while reading file ") { // exit 127 means a syntax error here, and no missing command
		s.Meaning = result.MeansFindings
		return s.Break()
	}
	if strings.HasPrefix(l.Text, "error: Error reading script file ") {
		return s.Misuse(l, strings.TrimPrefix(l.Text, "error: "))
	}
	if why, ok := strings.CutPrefix(l.Text, "error: "); ok && s.Meaning == result.MeansUsage && f != nil {
		f.Message += " " + why
		return s.More(l)
	}
	if message, ok := strings.CutPrefix(l.Text, "fish: "); ok && message != "" {
		return s.Find(l, result.Finding{Message: message})
	}
	if at, message, ok := cutFishPlace(l.Text); ok {
		switch {
		case f != nil && (message == "" && f.At == nil || message == "Unknown command"):
			f.At = &at
			return s.More(l)
		case message == "":
			s.Find(above, result.Finding{Message: above.Text, At: &at})
			return s.More(l)
		}
		return s.Find(l, result.Finding{Message: message, At: &at})
	}
	return f != nil && f.At != nil && isFishSource(f.Detail, l.Text) && s.More(l)
}

// cutFishPlace reads "r.fish (line 2): text".
func cutFishPlace(text string) (at result.Location, message string, ok bool) {
	path, rest, ok := strings.Cut(text, " (line ")
	number, message, placed := strings.Cut(rest, "):")
	ok = ok && placed && lex.IsDigits(number) && !strings.ContainsAny(path, " ")
	return result.Location{Path: path, Line: lex.Atoi(number)}, strings.TrimSpace(message), ok
}

// isFishSource reports whether a line belongs to the finding above: source, the marks below it, or the functions that
// were called.
func isFishSource(detail, text string) bool {
	return strings.Count(detail, "\n") < 3 && (!strings.Contains(detail, "^") || lex.HasAnyPrefix(text, "in ", "\tcalled on "))
}
