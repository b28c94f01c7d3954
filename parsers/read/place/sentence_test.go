package place

import (
	"testing"

	"cairn/result"
)

func TestInSentence(t *testing.T) {
	for text, want := range map[string]string{
		"config : [haproxy.cfg:12] : invalid port":      "haproxy.cfg:12",
		"Option<UNUM>: at unc.cfg:3: Expected number":   "unc.cfg:3",
		"error in conf/a.ini:3:7: no such key":          "conf/a.ini:3:7",
		"could not parse conf/app.yaml:3:7: bad indent": "conf/app.yaml:3:7",
		"at src/a.ts:9":                                                "src/a.ts:9",
		"it failed in app.component.spec.ts:12":                        "app.component.spec.ts:12",
		`no such symbol at C:\src\a.c(3,7)`:                            `C:\src\a.c:3:7`,
		"possible bashism in b.sh line 2 (echo -e):":                   "b.sh:2",
		"bad option at line 2 of dns.conf":                             "dns.conf:2",
		"Invalid directive at line 2 in file /etc/a.conf":              "/etc/a.conf:2",
		"At: ('/tmp/def.vcl' Line 5 Pos 9) -- (Pos 16)":                "/tmp/def.vcl:5:9",
		"e - line 5 of \"e.y\", a token appears":                       "e.y:5",
		"I was expecting a `,' or a `}'---line 2 of file b.bib":        "b.bib:2",
		"error during parsing file /e/rs.conf, on or before line 5: x": "/e/rs.conf:5",
		"source: lt.conf line: 4 pos: 6 use =>":                        "lt.conf:4:6",
		"unresolved dependency 'b' in s.py: line 1, column 16":         "s.py:1:16",
		"it ends too early in s.py at line 3:7":                        "s.py:3:7",
		`invalid syntax ("a.py", line 3)`:                              "a.py:3",
		"expected a value in /srv/a.json on line 3":                    "/srv/a.json:3",
		"main.go:7: bad option at line 2 of dns.conf":                  "dns.conf:2",
		"a.c:3: defined again, see a.c:3":                              "a.c:3",
		"see a.py:1 and b.py:2":                                        "",
		"b.sh line 2 reads what c.sh line 9 has written to d.sh:4":     "",
		"ERROR 1064 at line 1: You have an error":                      "",
		"Connection to example.com:443: refused":                       "",
		"connect to db.example.com failed at 10:20:30":                 "",
		"dial tcp 127.0.0.1:9: connection refused":                     "",
		"db.example.com:5432: connection refused":                      "",
		"no route to a.b.svc:80":                                       "",
		"no route to node1.eu.acme.de:22":                              "",
		"at 10:20:30 it failed, version 1.2:3":                         "",
		"version 1.2.3: line up":                                       "",
		"E1122 10:00:00 reflector.go:147] failed":                      "",
		"see https://x.y/a.html:3: no":                                 "",
		"the last line of input":                                       "",
		"a.py: no line":                                                "",
		"v1.go:x":                                                      "",
		"no place":                                                     "",
	} {
		got := ""
		if at := InSentence(text); at != nil {
			got = at.String()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestIsHost: a host and its port look like a file and a line. A column behind them
// says that they are not.
func TestIsHost(t *testing.T) {
	for path, want := range map[string]bool{
		"db.example.com": true, "DB.Example.COM": true, "localhost": true, "127.0.0.1": true, "a.b.c.de": true,
		"Makefile": false, "a.c": false, "app.component.spec.ts": false, "src/example.com": false, "a.b.c.json": false,
	} {
		if got := IsHost(result.Location{Path: path, Line: 80}); got != want {
			t.Errorf("%s:80: %v, want %v", path, got, want)
		}
		if IsHost(result.Location{Path: path, Line: 80, Column: 1}) {
			t.Errorf("%s:80:1 is a host", path)
		}
	}
}
