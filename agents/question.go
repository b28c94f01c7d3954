package agents

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
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
	ID     string `json:"id,omitempty" about:"run id, sha256:…, fingerprint, or its beginning"`
	To     string `json:"to,omitempty"`
	Lines  string `json:"lines,omitempty" about:"A:B"`
	Stream string `json:"stream,omitempty" about:"stdout or stderr"`
	Grep   string `json:"grep,omitempty" about:"output: regular expression; else text"`
	Filters
}

// Filters are those of the command line, by the names of its flags: "cairn recall objects"
// has each of them, which a test holds.
type Filters struct {
	Status      string `json:"status,omitempty" about:"failed, passed, error, …"`
	Tool        string `json:"tool,omitempty"`
	Kind        string `json:"kind,omitempty" about:"test, lint, typecheck, build, …"`
	Fingerprint string `json:"fingerprint,omitempty"`
	Rule        string `json:"rule,omitempty"`
	File        string `json:"file,omitempty"`
	Branch      string `json:"branch,omitempty"`
	Commit      string `json:"commit,omitempty"`
	Since       string `json:"since,omitempty" about:"2h, 3d or a date"`
	Until       string `json:"until,omitempty"`
	Limit       int    `json:"limit,omitempty"`
}

// QuestionSchema is the JSON Schema of a Question.
func QuestionSchema() json.RawMessage {
	properties := []string{`"op":{"enum":["` + strings.ReplaceAll(opNames(), ", ", `","`) + `"]}`}
	for _, t := range []reflect.Type{reflect.TypeFor[Question](), reflect.TypeFor[Filters]()} {
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Anonymous || f.Name == "Op" {
				continue
			}
			is := map[string]string{"type": map[reflect.Kind]string{reflect.String: "string", reflect.Int: "integer", reflect.Bool: "boolean"}[f.Type.Kind()]}
			if about := f.Tag.Get("about"); about != "" {
				is["description"] = about
			}
			text, _ := json.Marshal(is) // of two strings
			properties = append(properties, fmt.Sprintf("%q:%s", keyOf(f), text))
		}
	}
	return json.RawMessage(`{"type":"object","properties":{` + strings.Join(properties, ",\n") + `},"required":["op"],"additionalProperties":false}`)
}

// keyOf is the name of a field in JSON.
func keyOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
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
	flags := []flag{{"lines", q.Lines}, {"grep", q.Grep}}
	filters := reflect.ValueOf(q.Filters)
	for i := range filters.NumField() {
		if v := filters.Field(i); !v.IsZero() {
			flags = append(flags, flag{keyOf(filters.Type().Field(i)), fmt.Sprint(v.Interface())})
		}
	}
	for i := range flags {
		if q.Op == "stats" && flags[i].name == "limit" {
			flags[i].name = "top"
		}
	}
	return flags
}
