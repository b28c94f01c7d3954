package agents

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Command runs a command line of cairn ("recall", "objects", …) in this
// process, as if it had been started in dir, and gives what it printed and its
// status. The ways in ask their questions by it, so that there is one
// implementation of each.
type Command func(ctx context.Context, dir string, args []string) (stdout, stderr string, status int)

// StatusNothing is the status of a question that nothing matches.
const StatusNothing = 3

// Question is a question of an agent about the record, as the tool "recall"
// takes it. All but the first six fields are the filters of the command line, by the
// names of its flags.
type Question struct {
	Op     string `json:"op"`
	ID     string `json:"id,omitempty"`
	To     string `json:"to,omitempty"`
	Lines  string `json:"lines,omitempty"`
	Stream string `json:"stream,omitempty"`
	Grep   string `json:"grep,omitempty"` // of "output" a regular expression, else text

	Status string `json:"status,omitempty"`
	Tool   string `json:"tool,omitempty"`
	Kind   string `json:"kind,omitempty"`
	Rule   string `json:"rule,omitempty"`
	File   string `json:"file,omitempty"`
	Branch string `json:"branch,omitempty"`
	Commit string `json:"commit,omitempty"`
	Since  string `json:"since,omitempty"`
	Until  string `json:"until,omitempty"`
	Limit  int    `json:"limit,omitempty"`
}

// op is one kind of question.
type op struct {
	name  string
	words []string // of the command line
	id    need     // of an id
}

type need int

const (
	noID need = iota
	mayID
	needsID
)

var ops = []op{
	{"list", []string{"objects"}, noID},
	{"search", []string{"objects"}, noID},
	{"output", []string{"object"}, needsID},
	{"result", []string{"object", "--result"}, needsID},
	{"finding", []string{"finding"}, needsID},
	{"test", []string{"finding"}, needsID},
	{"blame", []string{"blame"}, needsID},
	{"diff", []string{"diff"}, mayID},
	{"flaky", []string{"flaky"}, noID},
	{"stats", []string{"stats"}, noID},
}

// Args are the arguments of cairn that ask the question. What a command does not take
// is not left out: the command refuses it.
func (q Question) Args() ([]string, error) {
	i := slices.IndexFunc(ops, func(o op) bool { return o.name == q.Op })
	if i < 0 {
		return nil, fmt.Errorf("op %q is not one of %s", q.Op, opNames())
	}
	o := ops[i]
	switch {
	case o.id == needsID && q.ID == "":
		return nil, fmt.Errorf("op %q needs an id", q.Op)
	case o.id == noID && q.ID != "":
		return nil, fmt.Errorf("op %q takes no id: op result, output or finding tells of one", q.Op)
	case q.To != "" && (q.Op != "diff" || q.ID == ""):
		return nil, errors.New("to is the second run of a diff, whose first is id")
	case q.Op == "search" && q.Grep == "":
		return nil, errors.New("a search needs the text to look for, as grep")
	case q.Stream != "" && q.Stream != "stdout" && q.Stream != "stderr":
		return nil, fmt.Errorf("stream %q is neither stdout nor stderr", q.Stream)
	}
	args := append([]string{"recall"}, o.words...)
	for _, f := range q.flags() {
		if f.value != "" {
			args = append(args, "--"+f.name+"="+f.value) // in one word, so that no value is taken for a flag
		}
	}
	if q.Stream != "" {
		args = append(args, "--"+q.Stream)
	}
	if q.ID != "" || o.id == mayID {
		args = append(args, "--")
	}
	for _, id := range []string{q.ID, q.To} {
		if id != "" {
			args = append(args, id)
		}
	}
	return args, nil
}

func opNames() string {
	names := make([]string, len(ops))
	for i, o := range ops {
		names[i] = o.name
	}
	return strings.Join(names, ", ")
}

// flag is a flag of the command line, and its value.
type flag struct{ name, value string }

func (q Question) flags() []flag {
	flags := []flag{
		{"lines", q.Lines}, {"grep", q.Grep}, {"status", q.Status}, {"tool", q.Tool}, {"kind", q.Kind}, {"rule", q.Rule},
		{"file", q.File}, {"branch", q.Branch}, {"commit", q.Commit}, {"since", q.Since}, {"until", q.Until},
	}
	if q.Limit != 0 {
		name := "limit"
		if q.Op == "stats" {
			name = "top"
		}
		flags = append(flags, flag{name, strconv.Itoa(q.Limit)})
	}
	return flags
}
