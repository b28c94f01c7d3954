package agents

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"cairn/recall/filter"
)

// Command runs a command line of cairn ("recall", "objects", …) in this
// process, as if it had been started in dir, and gives what it printed and its
// status. The ways in ask their questions by it, so that there is one
// implementation of each.
type Command func(ctx context.Context, dir string, args []string) (stdout, stderr string, status int)

// StatusNothing is the status of a question that nothing matches.
const StatusNothing = 3

// Question is a question of an agent about the record, as the tool "recall" and the
// method of that name take it.
type Question struct {
	Op     string `json:"op"`
	ID     string `json:"id,omitempty" about:"run id, sha256:…, fingerprint, or its beginning; outcomes: a test; last: the command line"`
	To     string `json:"to,omitempty"`
	Lines  string `json:"lines,omitempty" about:"A:B"`
	Stream string `json:"stream,omitempty" about:"stdout or stderr"`
	filter.Filters
}

// QuestionSchema is the JSON Schema of a Question: its own fields and the filters, as
// package filter declares them.
func QuestionSchema() json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{` + strings.Join(QuestionProperties(), ",\n") + `},"required":["op"],"additionalProperties":false}`)
}

// QuestionProperties are the properties of QuestionSchema.
func QuestionProperties() []string {
	properties := []string{`"op":{"enum":["` + strings.ReplaceAll(opNames(), ", ", `","`) + `"]}`}
	add := func(name, is, about string) {
		if about == "" {
			properties = append(properties, fmt.Sprintf(`%q:{"type":%s}`, name, encoded(is)))
			return
		}
		properties = append(properties, fmt.Sprintf(`%q:{"type":%s,"description":%s}`, name, encoded(is), encoded(about)))
	}
	t := reflect.TypeFor[Question]()
	for i := range t.NumField() {
		if f := t.Field(i); !f.Anonymous && f.Name != "Op" {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			add(name, "string", f.Tag.Get("about"))
		}
	}
	for _, f := range filter.All() {
		switch about := f.About; {
		case f.Type.Kind() == reflect.Int:
			add(f.Name, "integer", about)
		case f.Name == "grep":
			add(f.Name, "string", about+"; op output: a regular expression")
		default:
			add(f.Name, "string", about)
		}
	}
	return properties
}

func encoded(s string) []byte {
	text, _ := json.Marshal(s) // of a text
	return text
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
	{"tests", []string{"tests"}, mayID},
	{"tests_gone", []string{"tests", "--gone"}, mayID},
	{"tests_new", []string{"tests", "--new"}, mayID},
	{"tests_slowest", []string{"tests", "--slowest"}, mayID},
	{"tests_flaky", []string{"tests", "--flaky"}, mayID},
	{"tests_skipped", []string{"tests", "--skipped-since"}, mayID},
	{"outcomes", []string{"test"}, needsID},
	{"last", []string{"last"}, needsID},
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
	if q.Op == "last" { // its id is a line for a shell
		return append(args, "--shell="+q.ID), nil
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
	flags := []flag{{"lines", q.Lines}}
	for _, f := range filter.All() {
		flags = append(flags, flag{f.Name, q.Value(f)})
	}
	return flags
}
