package jsontext

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// TestUnescapeJSON: the fast way gives what the library gives.
func TestUnescapeJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.String().Draw(t, "text")
		quoted, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var plain string
		if err := json.Unmarshal(quoted, &plain); err != nil {
			t.Fatal(err)
		}
		if got := Unescape(string(quoted[1 : len(quoted)-1])); got != plain {
			t.Fatalf("got %q, want %q", got, plain)
		}
	})
}

func TestFlatObject(t *testing.T) {
	for line, want := range map[string]string{
		`{"a":"x\"}","b":1, "c" : true}`: `a=x\"} b=1 c=true `,
		`{}`:                             "!",
		`{"a":{"b":1}}`:                  "!",
		`{"a":"cut`:                      "!",
		`{"a":"b"} and more`:             "!",
		`{"a":"\\"}`:                     `a=\\ `,
		"text":                           "!",
	} {
		got := ""
		if !Object(line, func(f Field) { got += f.Key + "=" + f.Value + " " }) {
			got = "!"
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}
