package shell

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"cairn/agents"
	"cairn/capture"
	"cairn/capture/stage"
	"cairn/internal/bash"
	"cairn/internal/guard"
	"cairn/parsers"
	"cairn/render"
	"cairn/result"
)

// Judge says why a line is run without a capture; "" means that it is captured.
func Judge(line string) (why string) {
	file, err := bash.Parse(line)
	if err != nil {
		return "" // bash will report the error
	}
	j := &judge{declared: map[string]bool{}}
	syntax.Walk(file, func(n syntax.Node) bool {
		if f, ok := n.(*syntax.FuncDecl); ok {
			j.declared[f.Name.Value] = true
		}
		return true
	})
	syntax.Walk(file, j.visit)
	if j.why == "" && !j.programs {
		return onlyBuiltins
	}
	return j.why
}

// leaves says whether a line puts something in the background.
func leaves(line string) bool {
	file, err := bash.Parse(line)
	return err == nil && stage.Leaves(file)
}

const onlyBuiltins = "it has nothing but shell builtins"

// judge is the state of a walk over a line.
type judge struct {
	declared map[string]bool // functions that the line declares
	programs bool            // the line runs something that is no builtin
	why      string
}

func (j *judge) visit(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.CoprocClause:
		j.why = "it runs in the background"
	case *syntax.CallExpr:
		if len(n.Args) > 0 {
			j.call(literals(n))
		}
	}
	return j.why == ""
}

// literals are the words of a command; a word with an expansion is "".
func literals(call *syntax.CallExpr) []string {
	argv, _ := stage.Words(call.Args)
	return argv
}

func (j *judge) call(argv []string) {
	argv = unwrapped(argv)
	name := path.Base(argv[0])
	switch {
	case argv[0] == "":
		j.programs = true
	case stage.IsBuiltin(argv[0]) || j.declared[argv[0]]:
		return
	case name == "cairn" || name == "cairn.exe":
		j.why = "it runs cairn itself"
	case stage.IsInteractive(name):
		j.why = "it needs a terminal"
	case follows(name, argv[1:]):
		j.why = "it does not end by itself"
	}
	j.programs = true
}

// unwrapped cuts off programs that only start others, so that "sudo vim" counts as an editor.
func unwrapped(argv []string) []string {
	for len(argv) > 1 && slices.Contains(starters, path.Base(argv[0])) {
		rest := argv[1:]
		for len(rest) > 1 && (strings.HasPrefix(rest[0], "-") || strings.Contains(rest[0], "=")) {
			rest = rest[1:]
		}
		argv = rest
	}
	return argv
}

var starters = []string{"sudo", "doas", "env", "nohup", "nice", "ionice", "time", "command", "exec", "stdbuf", "setsid"}

// follows says whether the command prints without end, so that its caller wants to see the output at once.
func follows(name string, args []string) bool {
	has := func(flags ...string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return slices.Contains(flags, a) })
	}
	switch name {
	case "tail":
		return has("-f", "-F", "--follow", "-fn", "-nf")
	case "journalctl", "kubectl", "docker", "podman":
		return has("-f", "--follow")
	}
	return has("--watch", "--watchAll", "--watch-all")
}

// StandIn is the script that a host starts as its shell. It runs cairn, whose absolute path is program, or if cairn was
// uninstalled bash, as the host meant it.
//
// It is written for /bin/sh and starts no process of its own.
func StandIn(program string) string {
	return `#!/bin/sh
` + standInMark + ` that a coding agent starts (see: cairn shell --help)
cairn=` + quote(program) + `
if [ -z "$` + Inside + `" ] && [ -x "$cairn" ]; then exec "$cairn" shell --as "$0" "$@"; fi
real=bash
case "$1" in *'/shell-snapshots/snapshot-zsh'*) real=zsh ;; esac
case "$0" in
bash | */bash) ;;
zsh | */zsh) real=zsh ;;
*) case "$#/$1" in 1/-*) ;; 1/*) set -- -c "$1" ;; esac ;;
esac
for dir in /bin /usr/bin /usr/local/bin /opt/homebrew/bin; do
	if [ -x "$dir/$real" ]; then exec "$dir/$real" "$@"; fi
done
exec /bin/sh "$@"
`
}

// quote is s as one word of a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// runIDs matches the ids in which two notices of the same problem differ.
var runIDs = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9A-HJKMNP-TV-Z]{26}`) })

// notice prints something about the record once per session: an error of the store concerns every command, and an agent
// reads each notice. It returns whether it was printed now. A session is the id that the host gives it, else the
// process that started the shell.
func (o Options) notice(text string) bool {
	session := fmt.Sprint("process ", os.Getppid())
	if by := agents.By(o.Environ, "", ""); by != nil {
		session = cmp.Or(by.Session, session)
	}
	digest := sha256.Sum256([]byte(session + "\x00" + runIDs().ReplaceAllString(text, "")))
	mark := filepath.Join(o.Env.Tmp, fmt.Sprintf("cairn-said-%d-%s", os.Getuid(), hex.EncodeToString(digest[:8])))
	f, err := os.OpenFile(mark, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false
	}
	if err == nil {
		f.Close() // only its existence matters
	}
	fmt.Fprintf(o.Err, "cairn: %s\n", text) // also if the mark could not be written
	return true
}

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

// compactText is the compact form, with what else commands of the line found; ok says whether it is to be shown.
func compactText(show Show, line string, out *capture.Outcome, size int64) (text string, ok bool) {
	if out.Result == nil || show == Raw {
		return "", false
	}
	if all := fuller(out); all != nil {
		text, ok = compactOf(all, show, line, out, strings.SplitAfter(out.Hidden, "\n")[0], size)
	}
	if !ok {
		text, ok = compactOf(out.Result, show, line, out, out.Hidden, size)
	}
	return text, ok
}

// compactOf is the compact form of r with a text beside it; ok says whether it is to be shown, and is not longer than what it replaces.
func compactOf(r *result.ToolResult, show Show, line string, out *capture.Outcome, beside string, size int64) (text string, ok bool) {
	b, err := render.Result(render.FormatCompact, r, out.Raw)
	if err != nil {
		return "", false
	}
	text = string(b) + render.SameTree(r) + beside
	known := r.ParserConfidence != result.Untyped && !parsers.ShowsDocuments(nil, line) && (size > largeOutput || !parsers.AsksForText(nil, line))
	return text, show == Compact || known && size > smallOutput && len(b)+len(beside) <= int(size)+len(out.Hidden)
}

// fuller is the result with the findings of a command before a pipe, if these are the same and more, or tell more: of "rspec | tail -30"
// the names of the failures are shown, and why each failed is above.
func fuller(out *capture.Outcome) *result.ToolResult {
	r := *out.Result
	for _, s := range out.Stages {
		alone := strings.Count("\n"+out.Hidden, "\n[") == 1 // or the failures of another command would be left out
		if !alone || s.Before == "" || s.Result == nil || s.Result.Tool != r.Tool {
			continue
		}
		lacks := func(f result.Finding) bool {
			return !slices.ContainsFunc(s.Result.Findings, func(of result.Finding) bool {
				return of.ID == f.ID && of.Name == f.Name && (f.ID+f.Name != "" || of.Message == f.Message && of.Location == f.Location)
			})
		}
		if len(r.Findings) > 0 && !slices.ContainsFunc(r.Findings, lacks) {
			r.Findings, r.Truncated.FindingsTotal = s.Result.Findings, s.Result.Truncated.FindingsTotal
			return &r
		}
	}
	return nil
}

// hidden is the text after output that was shown unchanged: how commands of the line ended, if the output does not show
// it.
func hidden(show Show, out *capture.Outcome) string {
	switch why := out.Swallowed(); {
	case show == Raw:
		return ""
	case out.Hidden == "" && why != "":
		return "[" + why + ", and the line 0]\n"
	case out.Hidden == "" && failsUnseen(out):
		return "[" + render.Verdict(out.Result) + "]\n"
	}
	return out.Hidden
}

// failsUnseen reports whether a line that exits with 0 failed, as a file that it wrote says, and shows no finding of that:
// "pytest > log; head -5 log". A name alone shows nothing: it may stand there as the test begins.
func failsUnseen(out *capture.Outcome) bool {
	r := out.Result
	if r == nil || r.StatusSource != result.FromFindings || out.Status != 0 || len(out.Raw) == 0 && r.Raw != nil && r.Raw.Bytes > 0 {
		return false // or it is too much to look at
	}
	if slices.ContainsFunc(r.Findings, func(f result.Finding) bool { return f.RawSpan != nil }) { // it stands in the output
		return false
	}
	var above []byte
	for line := range bytes.Lines(out.Raw) {
		if slices.ContainsFunc(r.Findings, func(f result.Finding) bool {
			message, _, _ := strings.Cut(f.Message, "\n")
			says := func(what string) bool { return what != "" && bytes.Contains(line, []byte(what)) }
			return len(message) > 3 && says(message) || says(f.Name) && (failing().Match(line) || failing().Match(above))
		}) {
			return false
		}
		above = line
	}
	return true
}

var failing = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)fail|err|not ok|[✗✘×✖✕❌]|\d+\)`) })

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
