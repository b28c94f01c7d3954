package agents

import (
	"context"
	"errors"
	"fmt"
	"strconv"
)

// Command runs a command line of cairn ("recall", "objects", …) in this
// process, as if it had been started in dir, and gives what it printed and its
// status. The ways in ask their questions by it, so that there is one
// implementation of each.
type Command func(ctx context.Context, dir string, args []string) (stdout, stderr string, status int)

// StatusNothing is the status of a question that nothing matches.
const StatusNothing = 3

// Question is a question of an agent about the record, as the tool "recall"
// takes it.
type Question struct {
	Op     string `json:"op"` // list, output, result, finding, diff, search
	ID     string `json:"id,omitempty"`
	To     string `json:"to,omitempty"`
	Lines  string `json:"lines,omitempty"`
	Grep   string `json:"grep,omitempty"`
	Stream string `json:"stream,omitempty"`
	Status string `json:"status,omitempty"`
	Tool   string `json:"tool,omitempty"`
	File   string `json:"file,omitempty"`
	Since  string `json:"since,omitempty"`
	Limit  int    `json:"limit,omitempty"`
}

// Args are the arguments of cairn that ask the question.
func (q Question) Args() ([]string, error) {
	switch q.Op {
	case "list":
		return append(append([]string{"recall", "objects"}, q.filters()...), flag("--grep", q.Grep)...), nil
	case "search":
		if q.Grep == "" {
			return nil, errors.New("a search needs the text to look for, as grep")
		}
		return append(append([]string{"recall", "objects"}, q.filters()...), "--grep="+q.Grep), nil
	case "output":
		return q.output()
	case "result":
		return q.about("recall", "object", "--result")
	case "finding":
		return q.about("recall", "finding")
	case "diff":
		args := []string{"recall", "diff", "--"}
		for _, id := range []string{q.ID, q.To} {
			if id != "" {
				args = append(args, id)
			}
		}
		return args, nil
	}
	return nil, fmt.Errorf("op %q is not one of list, output, result, finding, diff, search", q.Op)
}

func (q Question) about(args ...string) ([]string, error) {
	if q.ID == "" {
		return nil, fmt.Errorf("op %q needs an id", q.Op)
	}
	return append(args, "--", q.ID), nil
}

func (q Question) output() ([]string, error) {
	args := []string{"recall", "object"}
	args = append(args, flag("--lines", q.Lines)...)
	args = append(args, flag("--grep", q.Grep)...)
	switch q.Stream {
	case "":
	case "stdout", "stderr":
		args = append(args, "--"+q.Stream)
	default:
		return nil, fmt.Errorf("stream %q is neither stdout nor stderr", q.Stream)
	}
	return q.about(args...)
}

func (q Question) filters() (args []string) {
	for _, f := range []struct{ name, value string }{
		{"--status", q.Status}, {"--tool", q.Tool}, {"--file", q.File}, {"--since", q.Since},
	} {
		args = append(args, flag(f.name, f.value)...)
	}
	if q.Limit > 0 {
		args = append(args, "--limit="+strconv.Itoa(q.Limit))
	}
	return args
}

// flag is "--name=value" in one word, so that no value is taken for a flag.
func flag(name, value string) []string {
	if value == "" {
		return nil
	}
	return []string{name + "=" + value}
}
