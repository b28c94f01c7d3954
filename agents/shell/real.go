package shell

import (
	"cairn/agents"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// job is what is to be run, and how.
type job struct {
	argv  []string // the real shell and its arguments
	frame Frame
	pass  string // why it is passed through; "" captures it
	own   bool   // it is the agent's own line all the same
	// leaves: it puts something in the background.
	leaves bool
}

// plan reads the arguments of "cairn shell". as is the path under which the
// host called the stand-in, "" where no one says.
func plan(args []string, as string, environ []string) job {
	script, called := "", false // called: by "-c", and not with a frame alone
	switch {
	case isLine(args, as):
		script = args[0]
	case len(args) == 2 && args[0] == "-c":
		script, called = args[1], true
	default:
		return job{argv: append([]string{realShell(as, false, environ)}, args...), pass: "it is not one line"}
	}
	frame, ok := Unframe(script)
	j := job{frame: frame, argv: []string{realShell(as, frame.Zsh, environ), "-c", script}}
	switch {
	case agents.Variable(environ, Inside) != "":
		j.pass = "it runs inside a capture"
	case !ok:
		j.pass = "its frame is not known"
	case !called && frame.Host == "", framedOnly(environ) && frame.Host == "":
		j.pass = "it is not the agent's own line"
	default:
		j.pass, j.own, j.leaves = Judge(frame.Line), true, leaves(frame.Line)
	}
	return j
}

// isLine: the one argument is a line, as Claude Code gives it. To a stand-in
// that is called bash it is the name of a script, as "#!/usr/bin/env bash" gives
// it.
func isLine(args []string, as string) bool {
	base := filepath.Base(as)
	return len(args) == 1 && !strings.HasPrefix(args[0], "-") && base != "bash" && base != "zsh"
}

// framedOnly: Gemini puts every line of the agent into its frame, so that what
// comes without one is a hook or a program's own use of bash.
func framedOnly(environ []string) bool { return agents.Variable(environ, "GEMINI_CLI") != "" }

// realShell finds the shell to run: bash, or zsh where the host or the user
// means that. The stand-in, and whatever else stands for it, is passed over.
func realShell(as string, zsh bool, environ []string) string {
	if s := agents.Variable(environ, "CAIRN_SHELL"); filepath.IsAbs(s) && !isStandIn(s) {
		return s
	}
	name := "bash"
	own := agents.Variable(environ, "SHELL")
	switch base := filepath.Base(as); {
	case zsh || base == "zsh":
		name = "zsh"
	case base == "bash":
	case slices.Contains([]string{"bash", "zsh"}, filepath.Base(own)) && executable(own) && !isStandIn(own):
		return own
	}
	for _, dir := range filepath.SplitList(agents.Variable(environ, "PATH")) {
		if path := filepath.Join(dir, name); filepath.IsAbs(path) && executable(path) && !isStandIn(path) {
			return path
		}
	}
	for _, path := range []string{"/bin/" + name, "/usr/bin/" + name, "/bin/bash", "/usr/bin/bash"} {
		if executable(path) {
			return path
		}
	}
	return "/bin/sh"
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// standInMark is in the second line of every stand-in.
const standInMark = "# cairn: stands before the shell"

// isStandIn reads a file's first bytes: a stand-in is a script that says so.
func isStandIn(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 128)
	n, _ := f.Read(head)
	return strings.HasPrefix(string(head[:n]), "#!") && strings.Contains(string(head[:n]), standInMark)
}

// Real is the shell for a line that comes from nowhere else.
func Real(environ []string) string { return realShell("", false, environ) }

// Users is the shell for a line of the user's: the one of CAIRN_SHELL or SHELL, where its language is one that cairn reads
// (bash, zsh, sh, dash, ksh), else /bin/sh. other is the name of the user's shell where it is another, such as fish.
func Users(environ []string) (path, other string) {
	if s := agents.Variable(environ, "CAIRN_SHELL"); filepath.IsAbs(s) && !isStandIn(s) {
		return s, ""
	}
	own := agents.Variable(environ, "SHELL")
	name := filepath.Base(own)
	switch {
	case !filepath.IsAbs(own) || !executable(own):
		return "/bin/sh", ""
	case isStandIn(own):
		return realShell(own, false, environ), ""
	case !slices.Contains([]string{"bash", "zsh", "sh", "dash", "ksh"}, name):
		return "/bin/sh", name
	}
	return own, ""
}
