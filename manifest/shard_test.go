package manifest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// shardGen draws shards out of few lines, so that versions overlap, collide
// and carry damage.
func shardGen() *rapid.Generator[[]byte] {
	line := rapid.Custom(func(t *rapid.T) string {
		n := rapid.IntRange(0, 9).Draw(t, "id")
		exit := rapid.IntRange(0, 1).Draw(t, "exit")
		return rapid.SampledFrom([]string{
			fmt.Sprintf(`{"v":1,"id":"01ARZ3NDEKTSV4RRFFQ69G5FA%d","time":"2026-11-20T12:00:00.12345%dZ","exit":%d}`, n, n, exit),
			fmt.Sprintf(`{"time":"2026-11-20T12:00:00Z","id":"x%d"}`, n),
			"", "\r", "{", "\x00\x00", "torn\r\r", `{"v":1,"id":"01ARZ3ND`,
		}).Draw(t, "line")
	})
	return rapid.Custom(func(t *rapid.T) []byte {
		all := rapid.SliceOfN(line, 0, 12).Draw(t, "lines")
		end := rapid.SampledFrom([]string{"\n", "", "\r\n"}).Draw(t, "end")
		return []byte(strings.Join(all, rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "sep")) + end)
	})
}

func TestUnionIsAMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := shardGen().Draw(t, "a"), shardGen().Draw(t, "b"), shardGen().Draw(t, "c")
		equal := func(what string, x, y []byte) {
			if !bytes.Equal(x, y) {
				t.Fatalf("not %s:\n%q\n%q", what, x, y)
			}
		}
		equal("commutative", Union(a, b), Union(b, a))
		equal("associative", Union(Union(a, b), c), Union(a, Union(b, c)))
		equal("associative in one go", Union(a, b, c), Union(Union(a, b), c))
		equal("idempotent", Union(Union(a, b), Union(a, b)), Union(a, b))
		equal("absorbing", Union(Union(a, b), a), Union(a, b))
		merged := Union(a, b)
		for _, v := range [][]byte{a, b} {
			for _, line := range lines(v) {
				if !bytes.Contains(append([]byte("\n"), merged...), append(append([]byte("\n"), line...), '\n')) {
					t.Fatalf("lost %q", line)
				}
			}
		}
	})
}

func TestUnionKeepsTheOrderOfAppends(t *testing.T) {
	var shard string
	for i := range 5 {
		shard += makeLine(t, noon.AddDate(0, 0, i), nil) + "\n"
	}
	if got := string(Union([]byte(shard[:len(shard)/2]), []byte(shard), nil)); !strings.Contains(got, shard[:200]) || len(strings.Split(got, "\n")) < 6 {
		t.Errorf("got %q", got)
	}
	if got := string(Union([]byte(shard))); got != shard {
		t.Error("a shard in order was changed")
	}
}

func TestMergeFile(t *testing.T) {
	a, b := []byte(`{"time":"2026-11-20T12:00:00Z","id":"a"}`), []byte(`{"time":"2026-11-20T12:00:00Z","id":"b"}`)
	path := shardPath(dayOf(noon), "w", 1)
	if got, want := string(mergeFile(path, [][]byte{b, a})), string(a)+"\n"+string(b)+"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, order := range [][][]byte{{a, b}, {b, a}} {
		if got := mergeFile("README", order); !bytes.Equal(got, b) {
			t.Errorf("README: got %q", got)
		}
	}
}

func TestPreferIsTheSameEverywhere(t *testing.T) {
	rec := func(line string) *Record {
		r, err := Decode([]byte(`{"id":"a","time":"2026-11-20T12:00:00Z",` + line + "}"))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	tests := []struct{ name, better, worse string }{
		{"finished over partial", `"v":1,"exit":0`, `"v":1,"partial":true,"exit":1`},
		{"newer version", `"v":2,"exit":0`, `"v":1,"exit":1`},
		{"the failure", `"v":1,"exit":1`, `"v":1,"exit":0`},
		{"the signal", `"v":1,"exit":0,"signal":"SIGKILL"`, `"v":1,"exit":0`},
		{"no exit seen", `"v":1`, `"v":1,"exit":0`},
		{"larger bytes", `"v":1,"exit":1,"key":"b"`, `"v":1,"exit":1,"key":"a"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := rec(tt.better), rec(tt.worse)
			if prefer(a, b) != a || prefer(b, a) != a {
				t.Error("the other one was chosen")
			}
		})
	}
}

func TestShardPaths(t *testing.T) {
	good := []string{"manifest/2026/11/20/abc-1.jsonl", "manifest/2026/11/20/Some.Host_x-12.jsonl"}
	bad := []string{
		"", "README", "manifest/2026/11/20/", "manifest/2026/11/20/../x.jsonl", "manifest/2026/11/../x-1.jsonl", "manifest/2026/11/20/.x.jsonl",
		"manifest/2026/11/20/-x.jsonl", "manifest/2026/11/20/a b.jsonl", "manifest/2026/11/20/x.json", "manifest/26/11/20/x.jsonl", "x/2026/11/20/x.jsonl",
		"manifest/2026/11/20/x/y.jsonl", "manifest/2026/11/20/a\\b.jsonl", "/manifest/2026/11/20/a.jsonl", "manifest/2026/11/20/c:.jsonl",
	}
	for _, p := range good {
		if _, _, ok := parseShardPath(p); !ok {
			t.Errorf("%q is refused", p)
		}
	}
	for _, p := range bad {
		if _, _, ok := parseShardPath(p); ok {
			t.Errorf("%q is accepted", p)
		}
	}
	if d, name, _ := parseShardPath(good[0]); d != "2026/11/20" || name != "abc-1.jsonl" {
		t.Error(d, name)
	}
	if !slices.Contains(good, shardPath("2026/11/20", "abc", 1)) {
		t.Error("shardPath")
	}
}
