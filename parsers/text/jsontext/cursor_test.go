package jsontext

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// tree reads any JSON as encoding/json does, numbers as whole ones.
func (c *Cursor) tree() any {
	c.blanks()
	if c.rest == "" {
		c.Fail()
		return nil
	}
	switch c.rest[0] {
	case '{':
		m := map[string]any{}
		c.Object(func(key string) { m[Unescape(key)] = c.tree() })
		return m
	case '[':
		a := []any{}
		c.Array(func() { a = append(a, c.tree()) })
		return a
	case '"':
		return c.Text()
	case 't', 'f':
		return c.Truth()
	case 'n':
		c.null()
		return nil
	}
	return float64(c.Number())
}

func TestJSONCursor(t *testing.T) {
	for _, text := range []string{
		`{}`, `[]`, `""`, `null`, `true`, ` { "a" : [ 1 , -2 , { "b" : null } ] , "c" : "x\n\"y\\" } `,
		`{"a":{"b":{"c":[[],[{}]]}},"d":false,"e":"é\u00e9"}`, `[0,12345]`,
	} {
		var want, got any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		if !Read(text, func(c *Cursor) { got = c.tree() }) || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
		if !Read(text, (*Cursor).Skip) {
			t.Errorf("%s: not skipped", text)
		}
	}
	for _, text := range []string{``, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `[1`, `[1,`, `[1 2]`, `{"a" 1}`, `"x`, `"x\"`, `{} {}`, `truthy`, `1.5`, `{"a":[}`} {
		if Read(text, func(c *Cursor) { c.tree() }) {
			t.Errorf("%s: taken for JSON", text)
		}
	}
}

func FuzzJSONCursor(f *testing.F) {
	f.Add(`{"a":[1,{"b":null}],"c":"x\n"}`)
	f.Add(`[[["\\"]]]`)
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.Contains(text, "-0") {
			return // lines are valid
		}
		var got any
		read := Read(text, func(c *Cursor) { got = c.tree() })
		var want any
		if json.Unmarshal([]byte(text), &want) != nil || !read {
			return // it may take what is no JSON, and no other numbers than whole ones
		}
		if a, b := mustJSON(t, got), mustJSON(t, want); a != b && len(a) < 1000 && !hasNumber(want) {
			t.Errorf("%s: %s, want %s", text, a, b)
		}
		if read && !Read(text, (*Cursor).Skip) {
			t.Errorf("%s: read, but not skipped", text)
		}
	})
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// hasNumber: of those beyond 31 bits cursors make nothing.
func hasNumber(v any) bool {
	switch v := v.(type) {
	case float64:
		return v != float64(int32(v))
	case []any:
		for _, item := range v {
			if hasNumber(item) {
				return true
			}
		}
	case map[string]any:
		for _, item := range v {
			if hasNumber(item) {
				return true
			}
		}
	}
	return false
}

func TestMembers(t *testing.T) {
	var text, inside string
	var maybe, null *string
	var n int
	var truth bool
	read := func(c *Cursor) {
		c.Members("text", &text, "maybe", &maybe, "null", &null, "n", &n, "truth", &truth, "deep", func() { c.Members("text", &inside) })
	}
	if !Read(`{"text":"a","other":[{"text":"no"}],"maybe":"b","null":null,"n":3,"truth":true,"deep":{"x":1,"text":"c"}}`, read) {
		t.Fatal("not read")
	}
	if text != "a" || maybe == nil || *maybe != "b" || null != nil || n != 3 || !truth || inside != "c" {
		t.Errorf("%q %v %v %d %v %q", text, maybe, null, n, truth, inside)
	}
	if Read(`{"n":"three"}`, read) {
		t.Error("a text was taken for a number")
	}
}
