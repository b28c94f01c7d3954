package wire

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestPath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a.b.") // a directory that ends as the number could begin
	program := filepath.Join(dir, Program)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, want := range []uint64{0, 1, 1<<Bits - 1, 1 << (Bits - 1), 0x123456789a, 0x5555555555} {
		path := Path(program, want)
		if got, ok := Number(path); !ok || got != want {
			t.Errorf("%x: got %x, %v from %s", want, got, ok, path)
		}
		if _, err := os.Stat(path); err != nil || filepath.Clean(path) != program {
			t.Errorf("%x: %s does not name the program: %v", want, path, err)
		}
	}
	for _, path := range []string{program, "/x//" + Program, Program, "", "/" + strings.Repeat("/", Bits-1) + Program} {
		if n, ok := Number(path); ok {
			t.Errorf("%q: got the number %x", path, n)
		}
	}
}

func TestRequest(t *testing.T) {
	for _, want := range []Request{
		{Argv: []string{"pytest"}},
		{Argv: []string{"pytest", "", "a b\n"}, Same: true},
		{Argv: []string{"a", ""}},
	} {
		b := want.Encode()
		if got, ok := Decode(b); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v, want %+v", got, ok, want)
		}
		if _, ok := Decode(b[:len(b)-1]); ok {
			t.Errorf("%+v: a part was read as the whole", want)
		}
	}
	long := Request{Argv: []string{"echo", strings.Repeat("x", MaxRequest)}}
	if got, ok := Decode(long.Encode()); !ok || !got.Cut || len(got.Argv) != 1 {
		t.Errorf("too long: got %d words, %v, cut %v", len(got.Argv), ok, got.Cut)
	}
}
