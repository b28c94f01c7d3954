package manifest

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestUnknownFieldsSurvive(t *testing.T) {
	lines := []string{
		`{"v":2,"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","time":"2026-11-20T12:00:00.123456Z","mood":"<good>","argv":["x"],"exit":0,"weather":{"b":1,"a":[1.50]}}`,
		`{ "time" : "2026-11-20T13:00:00.5+01:00", "id":"01ARZ3NDEKTSV4RRFFQ69G5FAV", "v":1 }`,
		`{"v":3,"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","time":"2026-11-20T12:00:00.123456789Z","type":"vote","target":"x"}`,
	}
	for _, line := range lines {
		r, err := Decode([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.Encode(); err != nil || string(got) != line {
			t.Errorf("got %s, %v\nwant %s", got, err, line)
		}
	}
}

func TestEncodeDecodeRoundTrip(t *testing.T) {
	exit, dirty := 2, true
	want := &Record{
		V: 1, ID: "01ARZ3NDEKTSV4RRFFQ69G5FAV", Time: noon, Type: TypeCorrection, Target: "01ARZ3NDEKTSV4RRFFQ69G5FAW", Reason: "parsed anew",
		Argv: []string{"sh", "-c", "a<b"}, Shell: "a<b", Dir: "x/y", Key: "k", Exit: &exit, Signal: "SIGTERM", TimedOut: true, Partial: true,
		DurationMS: 9, Git: &Git{Commit: "c", Tree: "t", Branch: "b", Dirty: &dirty}, By: &By{Agent: "a", Session: "s"},
		Raw: &Raw{OID: "o", Size: 1, Lines: 2, Order: "p"}, Artifacts: []Artifact{{Path: "p", OID: "o", Size: 3, Role: "r"}},
		RawResult: []byte(`{"tool":"x"}`), ResultOID: "q", Redacted: []Redaction{{Rule: "r", Count: 1}},
	}
	line, err := want.Encode()
	if err != nil {
		t.Fatal(err)
	}
	const golden = `{"v":1,"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","time":"2026-11-20T12:00:00.123456Z","type":"correction","target":"01ARZ3NDEKTSV4RRFFQ69G5FAW","reason":"parsed anew",` +
		`"exit":2,"signal":"SIGTERM","timed_out":true,"partial":true,"argv":["sh","-c","a<b"],"shell":"a<b","dir":"x/y","key":"k","duration_ms":9,` +
		`"git":{"commit":"c","tree":"t","branch":"b","dirty":true},"by":{"agent":"a","session":"s"},"raw":{"oid":"o","size":1,"lines":2,"order":"p"},` +
		`"artifacts":[{"path":"p","oid":"o","size":3,"role":"r"}],"result":{"tool":"x"},"result_oid":"q","redacted":[{"rule":"r","count":1}]}`
	if string(line) != golden {
		t.Errorf("got  %s\nwant %s", line, golden)
	}
	got, err := Decode(line)
	if err != nil {
		t.Fatal(err)
	}
	got.line = nil
	if again, err := got.Encode(); err != nil || !bytes.Equal(again, line) {
		t.Errorf("got  %s\nwant %s", again, line)
	}
}

func TestResultIsDecodedOnRequest(t *testing.T) {
	r := capture(1)
	tr, err := r.Result()
	if err != nil || tr.Tool != "pytest" || *tr.ExitCode != 1 || tr.Findings[0].Message != "a < b && c > d" {
		t.Errorf("got %+v, %v", tr, err)
	}
	if tr, err := new(Record).Result(); tr != nil || err != nil {
		t.Errorf("no result: got %v, %v", tr, err)
	}
	if _, err := (&Record{RawResult: []byte("[]")}).Result(); err == nil {
		t.Error("an array passed as a result")
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, line := range []string{
		"", "{", "null", "[]", "{}", `{"id":"x"}`, `{"id":"","time":"2026-11-20T12:00:00Z"}`, `{"v":1,"id":"x","time":"yesterday"}`, "\x00\x00",
		`{"v":1,"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","time":"2026-11-20T12:00:00.123456Z","id":"01ARZ3NDEKTSV4RRFFQ69G5FAW"}`,
		`{"v":1,"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","time":"2026-11-20T12:00:00.123456Z","Time":"2025-11-20T12:00:00.123456Z"}`,
	} {
		if _, err := Decode([]byte(line)); err == nil {
			t.Errorf("%q is a record", line)
		}
	}
}

func TestIDsSortByTime(t *testing.T) {
	a, _ := NewID(noon)
	b, _ := NewID(noon.Add(time.Millisecond))
	c, _ := NewID(noon)
	if a >= b || c >= b || a == c {
		t.Errorf("%s %s %s", a, b, c)
	}
	if _, err := NewID(time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC)); err == nil {
		t.Error("the year 12000 has an id")
	}
}

func TestLiteralIsHowALineSaysIt(t *testing.T) {
	for _, value := range []string{"plain", `quo"te`, "a<b>&c", "naïve", "tab\t", "\x01", "line\u2028"} {
		r := &Record{V: 1, ID: "x", Time: noon, Reason: value}
		line, err := r.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if lit := Literal("reason", value); !bytes.Contains(line, lit) {
			t.Errorf("%s is not in %s", lit, line)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"v":1,"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","time":"2026-11-20T12:00:00.123456Z","argv":["x"],"exit":0}`))
	f.Add([]byte(`{"time":"2026-11-20T12:00:00+01:00","id":"x"}` + "\r"))
	f.Add([]byte("\x00\n{"))
	f.Fuzz(func(t *testing.T, line []byte) {
		in := strings.TrimRight(string(line), "\r")
		id, at := identity([]byte(in))
		r, err := Decode(line)
		if err != nil {
			return
		}
		if got, err := r.Encode(); err != nil || string(got) != in {
			t.Fatalf("encoded %q, %v", got, err)
		}
		if id != r.ID {
			t.Fatalf("identity says %q, the record %q", id, r.ID)
		}
		if y := r.Time.Year(); y > 0 && y < 10000 && at != r.Time.Format(TimeLayout) {
			t.Fatalf("identity says %q, the record %s", at, r.Time)
		}
	})
}
