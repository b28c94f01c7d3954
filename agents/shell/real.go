package shell

import (
	"cairn/agents"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// job is what to run, and how.
type job struct {
	argv  []string // the real shell and its arguments
	frame Frame
	pass  string // why it is passed through; "" captures it
	own   bool   // it is the agent's own line, although it is passed through
	// leaves: the line puts something in the background.
	leaves bool
}

// plan reads the arguments of "cairn shell". as is the path by which the host called the stand-in, "" if not known.
func plan(args []string, as string, environ []string) job {
	script, called := "", false // called by "-c", and not by a host that only sends frames
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

// isLine says whether the only argument is a line, as Claude Code passes it. For a stand-in called bash, a single
// argument is the name of a script, as from "#!/usr/bin/env bash".
func isLine(args []string, as string) bool {
	base := filepath.Base(as)
	return len(args) == 1 && !strings.HasPrefix(args[0], "-") && base != "bash" && base != "zsh"
}

// framedOnly says whether the host wraps every line of the agent, as Gemini does, so that a script without a frame is a
// hook's or a program's own use of bash.
func framedOnly(environ []string) bool { return agents.Variable(environ, "GEMINI_CLI") != "" }

// realShell finds the shell to run: bash, or zsh if the host or the user means zsh. Stand-ins are skipped.
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

// isStandIn reads a file's first bytes, where a stand-in has standInMark.
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

// Real is the shell for a line that does not come from a host.
func Real(environ []string) string { return realShell("", false, environ) }

// Users is the shell for a line of the user: that of CAIRN_SHELL or SHELL, if cairn reads its language
// (bash, zsh, sh, dash, ksh), else /bin/sh. Then other is the name of the user's shell, such as fish.
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
