package place

import "testing"

func TestInSentence(t *testing.T) {
	for text, want := range map[string]string{
		"config : [haproxy.cfg:12] : invalid port":                     "haproxy.cfg:12",
		"Option<UNUM>: at unc.cfg:3: Expected number":                  "unc.cfg:3",
		"error in conf/a.ini:3:7: no such key":                         "conf/a.ini:3:7",
		"possible bashism in b.sh line 2 (echo -e):":                   "b.sh:2",
		"bad option at line 2 of dns.conf":                             "dns.conf:2",
		"Invalid directive at line 2 in file /etc/a.conf":              "/etc/a.conf:2",
		"At: ('/tmp/def.vcl' Line 5 Pos 9) -- (Pos 16)":                "/tmp/def.vcl:5:9",
		"e - line 5 of \"e.y\", a token appears":                       "e.y:5",
		"I was expecting a `,' or a `}'---line 2 of file b.bib":        "b.bib:2",
		"error during parsing file /e/rs.conf, on or before line 5: x": "/e/rs.conf:5",
		"source: lt.conf line: 4 pos: 6 use =>":                        "lt.conf:4:6",
		"ERROR 1064 at line 1: You have an error":                      "",
		"Connection to example.com:443: refused":                       "",
		"dial tcp 127.0.0.1:9: connection refused":                     "",
		"at 10:20:30 it failed, version 1.2:3":                         "",
		"E1122 10:00:00 reflector.go:147] failed":                      "",
		"see https://x.y/a.html:3: no":                                 "",
		"the last line of input":                                       "",
	} {
		got := ""
		if at, ok := InSentence(text); ok {
			got = at.String()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
