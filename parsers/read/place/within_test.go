package place

import (
	"testing"

	"cairn/result"
)

func TestWithin(t *testing.T) {
	for text, want := range map[string]result.Location{
		"unresolved dependency 'b' in s.py: line 1, column 16": {Path: "s.py", Line: 1, Column: 16},
		"could not parse conf/app.yaml:3:7: bad indent":        {Path: "conf/app.yaml", Line: 3, Column: 7},
		`invalid syntax ("a.py", line 3)`:                      {Path: "a.py", Line: 3},
		"expected a value in /srv/a.json on line 3":            {Path: "/srv/a.json", Line: 3},
		"at src/a.ts:9": {Path: "src/a.ts", Line: 9},
	} {
		if at := Within(text); at == nil || *at != want {
			t.Errorf("%q: got %v, want %v", text, at, want)
		}
	}
	for _, text := range []string{
		"connect to db.example.com failed at 10:20:30", "127.0.0.1:5432 refused", "db.example.com:5432: connection refused", "no route to a.b.svc:80", "version 1.2.3: line up", "see a.py:1 and b.py:2", "no place", "a.py: no line", "v1.go:x",
	} {
		if at := Within(text); at != nil {
			t.Errorf("%q: got %v, want none", text, *at)
		}
	}
}
