package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
)

// edit adds something to a file, and removes it again.
type edit interface {
	// put returns the file with the addition. before is nil if the file does not exist.
	put(before []byte) (after []byte, err error)
	// drop returns the file without the addition; nil if that leaves it empty.
	drop(now []byte) (rest []byte, err error)
	// in says whether the file has the addition, as put writes it.
	in(now []byte) bool
}

// errTaken says that the setting has been made by someone else.
var errTaken = errors.New("set already")

// file is a whole file that belongs to cairn.
type file struct{ content string }

func (f file) put(before []byte) ([]byte, error) { return []byte(f.content), nil }
func (f file) drop([]byte) ([]byte, error)       { return nil, nil }
func (f file) in(now []byte) bool                { return string(now) == f.content }

// member is one member of a JSON or JSONC document.
type member struct {
	path  []string
	value any
}

func (m member) put(before []byte) ([]byte, error) {
	doc, obj, err := document(before, "{}\n")
	if err == nil && obj == nil {
		err = errors.New("it is not a JSON object")
	}
	if err != nil {
		return nil, err
	}
	step := indentOf(obj)
	for i, name := range m.path {
		at := find(obj, name)
		last := i == len(m.path)-1
		switch {
		case at < 0:
			insert(obj, name, nested(m.path[i+1:], m.value), i, step)
			return doc.Pack(), nil
		case last:
			return nil, fmt.Errorf("%s is %w, to %s", strings.Join(m.path, "."), errTaken, obj.Members[at].Value.Value)
		}
		if obj, _ = obj.Members[at].Value.Value.(*hujson.Object); obj == nil {
			return nil, fmt.Errorf("%s is no object", strings.Join(m.path[:i+1], "."))
		}
	}
	return before, nil
}

// document reads a JSON or JSONC document; empty replaces an empty one. root is nil if the document is no object.
func document(text []byte, empty string) (doc hujson.Value, root *hujson.Object, err error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte(empty)
	}
	doc, err = hujson.Parse(text)
	root, _ = doc.Value.(*hujson.Object)
	return doc, root, err
}

// drop removes the member if it is cairn's, and then objects that became empty by that.
func (m member) drop(now []byte) ([]byte, error) {
	doc, root, err := document(now, "")
	if err != nil || root == nil {
		return now, err
	}
	if take(root, m.path) && len(root.Members) == 0 && len(bytes.TrimSpace(root.AfterExtra)) == 0 {
		return nil, nil
	}
	return doc.Pack(), nil
}

func (m member) in(now []byte) bool {
	doc, err := hujson.Parse(now)
	if err != nil {
		return false
	}
	value := doc.Value
	for _, name := range m.path {
		obj, ok := value.(*hujson.Object)
		if !ok {
			return false
		}
		at := find(obj, name)
		if at < 0 {
			return false
		}
		value = obj.Members[at].Value.Value
	}
	there := hujson.Value{Value: value}
	there.Standardize()
	var got, want any
	text, err := json.Marshal(m.value)
	return err == nil && json.Unmarshal(there.Pack(), &got) == nil && json.Unmarshal(text, &want) == nil && reflect.DeepEqual(got, want)
}

func take(obj *hujson.Object, path []string) bool {
	at := find(obj, path[0])
	if at < 0 {
		return false
	}
	if v := obj.Members[at].Value; len(path) > 1 {
		inner, ok := v.Value.(*hujson.Object)
		if !ok || !take(inner, path[1:]) {
			return false
		}
		if len(inner.Members) > 0 {
			return true
		}
	} else if !strings.Contains(v.String(), "cairn") {
		return false
	}
	obj.Members = append(obj.Members[:at], obj.Members[at+1:]...)
	return true
}

func find(obj *hujson.Object, name string) int {
	for i, m := range obj.Members {
		if lit, ok := m.Name.Value.(hujson.Literal); ok && lit.String() == name {
			return i
		}
	}
	return -1
}

// nested wraps value in objects with these names.
func nested(path []string, value any) any {
	for i := len(path) - 1; i >= 0; i-- {
		value = map[string]any{path[i]: value}
	}
	return value
}

// inline is the indentation of a document on one line.
const inline = ""

// indentOf is the indentation of one level; inline for a document on one line.
func indentOf(root *hujson.Object) string {
	if len(root.Members) == 0 {
		return "  "
	}
	before := string(root.Members[0].Name.BeforeExtra)
	i := strings.LastIndexByte(before, '\n')
	if i < 0 {
		return ""
	}
	return before[i+1:]
}

// insert puts a member first, so that the commas and comments of the others stay as they are. Its layout is that of
// obj's members: on their line, or on a line of its own with their indentation; in an empty object, that of the
// document.
func insert(obj *hujson.Object, name string, value any, depth int, step string) {
	indent := strings.Repeat(step, depth+1)
	var first *hujson.Value
	if len(obj.Members) > 0 {
		first = &obj.Members[0].Name
		if i := bytes.LastIndexByte(first.BeforeExtra, '\n'); i < 0 {
			step = inline
		} else {
			indent = string(first.BeforeExtra[i+1:])
		}
	}
	m := hujson.ObjectMember{Name: hujson.Value{Value: hujson.String(name)}}
	if step == inline {
		blanks := first == nil || len(obj.Members[0].Value.BeforeExtra) > 0
		m.Value = oneLine(value, blanks)
		if first != nil {
			m.Name.BeforeExtra = bytes.Clone(first.BeforeExtra)
			if blanks && len(first.BeforeExtra) == 0 {
				first.BeforeExtra = []byte(" ")
			}
		}
	} else {
		text, _ := json.MarshalIndent(value, indent, step)
		parsed, _ := hujson.Parse(text) // JSON written by package json always parses
		m.Name.BeforeExtra = []byte("\n" + indent)
		m.Value = hujson.Value{BeforeExtra: []byte(" "), Value: parsed.Value}
		if first == nil && !bytes.Contains(obj.AfterExtra, []byte("\n")) {
			obj.AfterExtra = append(obj.AfterExtra, "\n"+strings.Repeat(step, depth)...)
		}
	}
	obj.Members = append([]hujson.ObjectMember{m}, obj.Members...)
}

// oneLine is value on one line, with or without blanks after ":" and ",".
func oneLine(value any, blanks bool) hujson.Value {
	text, _ := json.Marshal(value)
	parsed, _ := hujson.Parse(text)
	if !blanks {
		return parsed
	}
	var space func(v *hujson.Value)
	space = func(v *hujson.Value) {
		switch v := v.Value.(type) {
		case *hujson.Object:
			for i := range v.Members {
				if i > 0 {
					v.Members[i].Name.BeforeExtra = []byte(" ")
				}
				v.Members[i].Value.BeforeExtra = []byte(" ")
				space(&v.Members[i].Value)
			}
		case *hujson.Array:
			for i := range v.Elements {
				if i > 0 {
					v.Elements[i].BeforeExtra = []byte(" ")
				}
				space(&v.Elements[i])
			}
		}
	}
	space(&parsed)
	parsed.BeforeExtra = []byte(" ")
	return parsed
}

// block is text between two marker lines, at the end of a file.
type block struct {
	begin, end string
	text       string
	check      func(whole []byte) error // checks the file with the block
}

func (b block) put(before []byte) ([]byte, error) {
	if b.check != nil {
		if err := b.check(before); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	out.Write(before)
	if len(before) > 0 {
		if !bytes.HasSuffix(before, []byte("\n")) {
			out.WriteByte('\n')
		}
		out.WriteByte('\n')
	}
	out.WriteString(b.begin + "\n" + b.text + b.end + "\n")
	if b.check != nil {
		if err := b.check(out.Bytes()); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

func (b block) drop(now []byte) ([]byte, error) {
	text := string(now)
	from := strings.Index(text, b.begin+"\n")
	if from < 0 {
		return now, nil
	}
	to := strings.Index(text[from:], b.end+"\n")
	if to < 0 {
		return nil, fmt.Errorf("the line %q has no line %q after it", b.begin, b.end)
	}
	head, tail := text[:from], text[from+to+len(b.end)+1:]
	if head = strings.TrimSuffix(head, "\n"); head != "" && !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	if head+tail == "" {
		return nil, nil
	}
	return []byte(head + tail), nil
}

func (b block) in(now []byte) bool {
	return bytes.Contains(now, []byte(b.begin+"\n"+b.text+b.end+"\n"))
}

// tomlTable adds a table at the end of a TOML document.
func tomlTable(path []string, text string) edit {
	key := strings.Join(path, ".")
	return tableEdit{path, block{begin: "# cairn: begin (cairn init)", end: "# cairn: end", text: "[" + key + "]\n" + text, check: checkTOML}}
}

type tableEdit struct {
	path []string
	block
}

func (t tableEdit) put(before []byte) ([]byte, error) {
	var doc map[string]any
	if err := toml.Unmarshal(before, &doc); err != nil {
		return nil, err
	}
	var at any = doc
	for _, name := range t.path {
		table, ok := at.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s is no table", strings.Join(t.path, "."))
		}
		if at, ok = table[name]; !ok {
			return t.block.put(before)
		}
	}
	return nil, fmt.Errorf("%s is %w", strings.Join(t.path, "."), errTaken)
}

func checkTOML(whole []byte) error {
	var doc map[string]any
	return toml.Unmarshal(whole, &doc)
}

// uncommitted makes git ignore a file of the project that names paths of this home.
func uncommitted(gitDir, pattern string) piece {
	return piece{what: "exclude", path: filepath.Join(gitDir, "info", "exclude"),
		edit: block{begin: "# cairn: begin (cairn init)", end: "# cairn: end", text: pattern + "\n"}}
}

// paragraph adds a marked paragraph to a Markdown document.
func paragraph(text string) edit {
	return block{begin: "<!-- cairn: begin (cairn init) -->", end: "<!-- cairn: end -->", text: text}
}
