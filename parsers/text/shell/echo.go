package shell

import (
	"bytes"
	"slices"
	"strings"
)

// EchoMarks stand before a command that a runner shows: npm and pnpm, yarn and just, "set -x", go-task, nox, and
// the logs of continuous integration. After pre-commit's "- hook id: " comes the name of a hook, most often that of
// its program.
var EchoMarks = []string{"$ ", "+ ", "> ", "task: [", "nox > ", "##[group]Run ", "##[command]", "[command]", "- hook id: "}

// ShowsCommand reports whether a line begins like one that shows a command.
func ShowsCommand(text []byte) bool {
	return isStep(text) || slices.ContainsFunc(EchoMarks, func(mark string) bool { return bytes.HasPrefix(text, []byte(mark)) })
}

// StepMark follows the name of the environment in a line of tox that shows a command: "lint: commands[0]> flake8
// src".
const StepMark = ": commands["

func isStep(text []byte) bool {
	head := text[:min(len(text), 96)]
	i := bytes.IndexByte(head, '[')
	return i >= len(StepMark) && string(head[i+1-len(StepMark):i+1]) == StepMark
}

// CutEcho returns the command in a line that shows one, without the runner's mark.
func CutEcho(line string) string {
	if _, rest, ok := strings.Cut(line, StepMark); ok {
		if _, command, shown := strings.Cut(rest, "> "); shown {
			return command
		}
	}
	for _, mark := range EchoMarks {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			switch {
			case mark == "task: [":
				_, rest, _ = strings.Cut(rest, "] ")
			case strings.HasSuffix(rest, " binary not found."): // nox without uv
				return line
			}
			return rest
		}
	}
	return line
}

// CutEnded returns the command in the line that tox prints after it, with its exit: "lint: exit 1 (2.05 seconds)
// /src> flake8 src pid=29733".
func CutEnded(text []byte) string {
	const mark, longest = " pid=", len(" pid=") + 20
	tail := max(len(text)-longest, 0)
	i := bytes.LastIndex(text[tail:], []byte(mark))
	if i < 0 {
		return ""
	}
	head, command, shown := bytes.Cut(text[:tail+i], []byte("> "))
	if !shown || !bytes.Contains(head, []byte(": exit ")) || !bytes.Contains(head, []byte(" seconds) ")) {
		return ""
	}
	return string(command)
}

// Starters are programs that run another program.
var Starters = []string{"python", "python3", "npx", "uv", "poetry", "bundle", "env", "pnpm", "yarn", "node", "sudo", "time", "timeout"}

// StartsCommand reports whether word is one of the Starters.
func StartsCommand(word string) bool { return slices.Contains(Starters, word) }
