//go:build unix

package capture

import (
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"cairn/manifest"
	"cairn/result"
)

func TestPut(t *testing.T) {
	for _, tt := range []struct {
		name string
		o    PutOptions
		data string
		want result.Status
		tool string
	}{
		{"nothing known", PutOptions{}, "hello\n", result.Unknown, "unknown"},
		{"empty", PutOptions{Argv: []string{"true"}, Exit: result.Exit{Observed: true}}, "", result.OK, "true"},
		{"failed", PutOptions{Argv: []string{"make"}, Exit: result.Exit{Observed: true, Code: 2}}, "oh no\n", result.Failed, "make"},
		{"killed", PutOptions{Argv: []string{"make"}, Exit: result.Exit{Signal: "SIGKILL"}}, "oh\n", result.Error, "make"},
		{"binary", PutOptions{Argv: []string{"make"}, Exit: result.Exit{Observed: true}}, "a\x00b\xff\xfe", result.OK, "make"},
		{"by tool", PutOptions{Tool: "go-test", Exit: result.Exit{Observed: true, Code: 1}},
			"--- FAIL: TestA (0.00s)\n    a_test.go:7: no\nFAIL\nFAIL\tmod\t0.1s\nFAIL\n", result.Failed, "go-test"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := nowhere(t)
			s := site(t, dir)
			before := time.Now().Add(-time.Millisecond)
			tt.o.Data = strings.NewReader(tt.data)
			out, err := Put(t.Context(), s, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			out.CatchUp(t.Context())
			all := records(t, s)
			if len(all) != 1 || all[0].Time.Before(before.Truncate(time.Microsecond)) || all[0].Time.After(time.Now()) || all[0].Partial {
				t.Fatalf("%s", mustJSON(all))
			}
			r, err := all[0].Result()
			if err != nil || r.Status != tt.want || r.Tool != tt.tool || (all[0].Exit != nil) != tt.o.Exit.Observed {
				t.Errorf("%s %v", mustJSON(all), err)
			}
			if stdout, stderr, _ := kept(t, s, all[0]); stdout != tt.data || stderr != "" {
				t.Errorf("%q %q", stdout, stderr)
			}
		})
	}
}

// TestParseAgain: what the caller named decides when the output is read again.
func TestParseAgain(t *testing.T) {
	s := site(t, nowhere(t))
	out, err := Put(t.Context(), s, PutOptions{
		Tool: "mypy", Argv: []string{"./types"}, Exit: result.Exit{Observed: true, Code: 1}, Data: strings.NewReader("a.py:3: error: Bad  [misc]\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	out.CatchUp(t.Context())
	again, err := Parse(s, records(t, s)[0])
	if err != nil || again.Tool != "mypy" || len(again.Findings) != 1 || again.Findings[0].Fingerprint != out.Result.Findings[0].Fingerprint {
		t.Errorf("%s, then %s %v", mustJSON(out.Result), mustJSON(again), err)
	}
}

// The name of a tool comes from a flag, as all that By holds does.
func TestPutNamesToolSafely(t *testing.T) {
	s := site(t, nowhere(t))
	secret := secretFor("H3")
	out, err := Put(t.Context(), s, PutOptions{Tool: "x\n" + secret, Data: strings.NewReader("hello\n")})
	if err != nil {
		t.Fatal(err)
	}
	out.CatchUp(t.Context())
	rec := records(t, s)[0]
	if line, err := rec.Encode(); err != nil || strings.Contains(string(line), secret) || rec.ParseAs != "x [redacted:github-pat]" {
		t.Errorf("%s %v", line, err)
	}
}

// zeros is n bytes of nothing, and then an error or the end.
type zeros struct {
	n   int64
	err error
}

func (z *zeros) Read(p []byte) (int, error) {
	if z.n <= 0 {
		return 0, z.err
	}
	n := min(int64(len(p)), z.n)
	clear(p[:n])
	z.n -= n
	return int(n), nil
}

func TestPutHuge(t *testing.T) {
	s := site(t, nowhere(t))
	out, err := Put(t.Context(), s, PutOptions{Data: &zeros{64 << 20, io.EOF}})
	if err != nil || out.Record.Raw.Size != 64<<20 || !out.Result.Raw.Binary || out.Raw != nil {
		t.Errorf("%v %v", out, err)
	}
}

// Output that cannot be read to its end is not kept as if it had.
func TestPutReadFails(t *testing.T) {
	s := site(t, nowhere(t))
	_, err := Put(t.Context(), s, PutOptions{Data: &zeros{1 << 20, syscall.EIO}})
	if !errors.Is(err, syscall.EIO) {
		t.Error(err)
	}
	if all := records(t, s); len(all) != 0 {
		t.Errorf("%s", mustJSON(all))
	}
}

// A record that already has the fingerprint of one rule counts on.
func TestAddRedacted(t *testing.T) {
	c := &capture{}
	c.red.String("token " + "gh" + "p_aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5")
	fired := addRedacted(nil, &c.red)
	if len(fired) != 1 || fired[0].Count != 1 {
		t.Fatalf("%+v", fired)
	}
	list := addRedacted([]manifest.Redaction{{Rule: "zzz", Count: 1}, {Rule: fired[0].Rule, Count: 2}}, &c.red)
	if len(list) != 2 || list[0] != (manifest.Redaction{Rule: fired[0].Rule, Count: 3}) {
		t.Errorf("%+v", list)
	}
}

// TestImportIsOnce: the same bytes are one record, also where several import them at once; of another
// kind they are another.
func TestImportIsOnce(t *testing.T) {
	s := site(t, nowhere(t))
	const junit = `<testsuites><testsuite name="s" tests="1" failures="1"><testcase name="b"><failure message="no"/></testcase></testsuite></testsuites>`
	put := func(kind string) (*Outcome, error) {
		return Put(t.Context(), s, PutOptions{Data: strings.NewReader(junit), From: kind})
	}
	const imports = 4
	ids := make(chan string, imports)
	for range imports {
		go func() {
			out, err := put("junit")
			if err != nil {
				t.Error(err)
				ids <- ""
				return
			}
			ids <- out.Record.ID
		}()
	}
	first := <-ids
	for range imports - 1 {
		if id := <-ids; id != first {
			t.Errorf("records %s and %s of one file", first, id)
		}
	}
	again, err := put("junit")
	if err != nil || !again.Known || again.Record.ID != first || again.Record.From != "junit" || again.Result.Counts["failed"] != 1 || again.Record.Git != nil {
		t.Errorf("again: %+v, %v", again, err)
	}
	if other, err := put("gitlab-log"); err != nil || other.Known || other.Record.ID == first {
		t.Errorf("of another kind: %+v, %v", other, err)
	}
	if _, err := put("sarif"); err == nil {
		t.Error("XML was taken for SARIF")
	}
}
