package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// element adds a string to a list that is a member of a JSON or JSONC document.
type element struct{ name, value string }

func (e element) put(before []byte) ([]byte, error) {
	doc, obj, err := document(before, "{}\n")
	if err == nil && obj == nil {
		err = errors.New("it is not a JSON object")
	}
	if err != nil {
		return nil, err
	}
	at := find(obj, e.name)
	if at < 0 {
		return member{[]string{e.name}, []string{e.value}}.put(before)
	}
	list, ok := obj.Members[at].Value.Value.(*hujson.Array)
	switch {
	case !ok:
		return nil, fmt.Errorf("%s is no list", e.name)
	case e.index(list) >= 0:
		return nil, fmt.Errorf("%s in %s is %w", e.value, e.name, errTaken)
	}
	added := hujson.Value{Value: hujson.String(e.value)}
	switch n := len(list.Elements); {
	case n > 0: // laid out like the element before
		added.BeforeExtra = hujson.Extra(" ")
		if space := list.Elements[n-1].BeforeExtra; bytes.Contains(space, []byte("\n")) {
			added.BeforeExtra = bytes.Clone(space[bytes.LastIndexByte(space, '\n'):])
		}
	default:
		added.BeforeExtra, list.AfterExtra = list.AfterExtra, nil
	}
	list.Elements = append(list.Elements, added)
	return doc.Pack(), nil
}

func (e element) drop(now []byte) ([]byte, error) {
	doc, obj, err := document(now, "")
	if err != nil || obj == nil {
		return now, err
	}
	at := find(obj, e.name)
	if at < 0 {
		return now, nil
	}
	list, ok := obj.Members[at].Value.Value.(*hujson.Array)
	if !ok {
		return now, nil
	}
	i := e.index(list)
	if i < 0 {
		return now, nil
	}
	list.Elements = append(list.Elements[:i], list.Elements[i+1:]...)
	if len(list.Elements) == 0 && strings.TrimSpace(string(list.AfterExtra)) == "" {
		obj.Members = append(obj.Members[:at], obj.Members[at+1:]...)
	}
	if len(obj.Members) == 0 && len(bytes.TrimSpace(obj.AfterExtra)) == 0 {
		return nil, nil
	}
	return doc.Pack(), nil
}

func (e element) in(now []byte) bool {
	_, err := e.put(now)
	return errors.Is(err, errTaken)
}

// index is the position of the value in the list, or -1.
func (e element) index(list *hujson.Array) int {
	for i, v := range list.Elements {
		var s string
		if lit, ok := v.Value.(hujson.Literal); ok && json.Unmarshal(lit, &s) == nil && s == e.value {
			return i
		}
	}
	return -1
}
