package wire

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	for raw, want := range map[string]string{
		`{"a":{"on":true}}`: `"on" takes string, and was given bool`,
		`{"n":"2"}`:         `"n" takes int, and was given string`,
		`{"b":1}`:           `unknown field "b"`,
		`{"n":2}`:           "",
		"":                  "",
	} {
		var to struct {
			A struct {
				On string `json:"on"`
			} `json:"a"`
			N int `json:"n"`
		}
		if err := Decode(json.RawMessage(raw), &to); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", raw, err)
		}
	}
}
