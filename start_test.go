package cairn

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// notLinked are packages that cairn itself is made without, since every process of it
// would pay for them.
var notLinked = []struct{ pkg, why string }{
	{"net/http", "a fifth of the program with TLS; cairn-timeline has it"},
	{"crypto/tls", "cairn uses no network but git's"},
	{"encoding/gob", "a fifth of a millisecond at each start, for nothing"},
	{"html/template", "it keeps the linker from leaving out methods that nobody calls"},
	{"github.com/BurntSushi/toml", "it looks up the time zone before main"},
	{"github.com/go-git/gcfg", "it brings encoding/gob; configuration is read by internal/gitconfig"},
	{"github.com/go-git/go-git/v5", "its root brings TLS and SSH; only packages below plumbing are used"},
	{"github.com/modelcontextprotocol/go-sdk/mcp", "a millisecond of each start; cairn-mcp has it"},
	{"github.com/pkoukk/tiktoken-go", "the vocabulary is megabytes; cairn-tokens has it"},
}

func TestWhatCairnIsMadeWithout(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "./cmd/cairn").Output()
	if err != nil {
		t.Fatalf("go list -deps ./cmd/cairn: %v", err)
	}
	linked := strings.Fields(string(out))
	if !slices.Contains(linked, "cairn/cmd/cairn") {
		t.Fatalf("%d packages, and cairn itself is none of them", len(linked))
	}
	for _, not := range notLinked {
		if slices.Contains(linked, not.pkg) {
			t.Errorf("cairn is linked with %s: %s (find how with: go mod why, or go list -deps)", not.pkg, not.why)
		}
	}
}

// What packages may allocate before main. It stands for the time that they take, which
// a test cannot ask for; `go -C bench run ./run -only startup` measures that.
const (
	initOwn   = 8 << 10 // bytes of each package of cairn: a few small tables
	initWhole = 192 << 10
)

// TestLittleHappensBeforeMain: what one command needs is made by that command.
func TestLittleHappensBeforeMain(t *testing.T) {
	program := filepath.Join(t.TempDir(), "cairn")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./cmd/cairn").CombinedOutput(); err != nil {
		t.Fatalf("building cairn: %v\n%s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), program, "--version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	packages, whole := 0, 0
	for lines := bufio.NewScanner(&trace); lines.Scan(); {
		f := strings.Fields(lines.Text()) // init cairn/render @2.1 ms, 0.004 ms clock, 1024 bytes, 7 allocs
		if len(f) != 11 || f[0] != "init" || f[8] != "bytes," {
			continue
		}
		size, err := strconv.Atoi(f[7])
		if err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		packages, whole = packages+1, whole+size
		if strings.HasPrefix(f[1], "cairn/") && size > initOwn {
			t.Errorf("%s allocates %d bytes before main, of %d: make it when it is first needed (sync.OnceValue, or a function)", f[1], size, initOwn)
		}
	}
	if packages < 20 || whole > initWhole {
		t.Errorf("%d packages allocate %d bytes before main, of %d", packages, whole, initWhole)
	}
	t.Logf("%d packages, %d bytes", packages, whole)
}
