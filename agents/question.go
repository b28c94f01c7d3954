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

// Command runs a command line of cairn ("recall", "objects", …) in this process, as if it had been started in dir. It
// returns the output and the exit status. MCP, rpc and others ask their questions through it, so that each question has
// one implementation.
type Command func(ctx context.Context, dir string, args []string) (stdout, stderr string, status int)

// StatusNothing is the exit status of a question without results.
const StatusNothing = 3

// Question is an agent's question about the record: the parameters of the tool "recall" and of the method of that name.
type Question struct {
	Op     string `json:"op"`
	ID     string `json:"id,omitempty" about:"run id, sha256:…, fingerprint, or its beginning; outcomes: a test; last: the command line"`
	To     string `json:"to,omitempty"`
	Lines  string `json:"lines,omitempty" about:"A:B"`
	Stream string `json:"stream,omitempty" about:"stdout or stderr"`
	filter.Filters
}

// QuestionSchema is the JSON Schema of a Question: its own fields and the filters declared in package filter.
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
	text, _ := json.Marshal(s) // a text can always be encoded
	return text
}

// op is one kind of question.
type op struct {
	name  string
	words []string // words of the command line
	id    need     // whether the question takes an id
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

// Args are the arguments of cairn that ask the question. Fields that the command does not take are not left out, so
// that the command refuses them.
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
			args = append(args, "--"+f.name+"="+f.value) // one argument, so that a value is not mistaken for a flag
		}
	}
	if q.Stream != "" {
		args = append(args, "--"+q.Stream)
	}
	if q.Op == "last" { // the id is a command line for a shell
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
