package result

import (
	"testing"

	"pgregory.net/rapid"
)

func TestPath(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
		external       bool
	}{
		{"relative to the directory", "a.go", "sub/a.go", false},
		{"dotted", "./x/../a.go", "sub/a.go", false},
		{"up within the root", "../lib/a.go", "lib/a.go", false},
		{"up out of the root", "../../other/a.go", "../other/a.go", true},
		{"absolute", "/home/ann/My Code/proj/sub//a.go", "sub/a.go", false},
		{"the root", "/mnt/proj/", ".", false},
		{"backslashes", `C:\Users\Ann Lee\proj\sub\a.go`, "sub/a.go", false},
		{"long Windows path", `\\?\c:\Users\Ann Lee\proj\sub\a.go`, "sub/a.go", false},
		{"another drive", `D:\x\a.go`, "d:/x/a.go", true},
		{"URL", "file:///home/ann/My%20Code/proj/a%2Bb.ts", "a+b.ts", false},
		{"URL with a host", "file://localhost/mnt/proj/a.ts", "a.ts", false},
		{"URL of a drive", "file:///C:/Users/Ann%20Lee/proj/a.ts", "a.ts", false},
		{"URL with one slash", "file:/mnt/proj/A.java", "A.java", false},
		{"broken escape", "file:///mnt/proj/a%zz%4", "a%zz%4", false},
		{"decomposed", "/mnt/proj/cafe\u0301.py", "café.py", false},
		{"pseudo file", "<string>", "<string>", false},
		{"standard input", "-", "-", false},
		{"empty", "", "", false},
		{"module of node", "node:internal/modules/run_main", "node:internal/modules/run_main", true},
		{"bundler", "webpack:///src/a.js", "webpack:///src/a.js", true},

		{"node_modules elsewhere", "/usr/lib/node_modules/x/y.js", "node_modules/x/y.js", true},
		{"node_modules here", "/mnt/proj/node_modules/x/y.js", "node_modules/x/y.js", true},
		{"virtual environment here", "/mnt/proj/.venv/lib/python3.12/site-packages/x.py", ".venv/lib/python3.12/site-packages/x.py", true},
		{"site-packages", "/usr/lib/python3/site-packages/x.py", "site-packages/x.py", true},
		{"dist-packages", "/usr/lib/python3/dist-packages/x.py", "dist-packages/x.py", true},
		{"rustc", "/rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/core/src/panicking.rs", "rustc/library/core/src/panicking.rs", true},
		{"rust-src", "/home/ann/.rustup/toolchains/stable/lib/rustlib/src/rust/library/core/src/panicking.rs", "rustc/library/core/src/panicking.rs", true},
		{"cargo registry", "/home/ann/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/serde-1.0.1/src/lib.rs", "registry/src/serde-1.0.1/src/lib.rs", true},
		{"GOROOT", "/usr/local/go/src/testing/testing.go", "go/src/testing/testing.go", true},
		{"GOROOT with a version", "/home/ann/src/sdk/go1.26.1/src/testing/testing.go", "go/src/testing/testing.go", true},
		{"GOROOT of a package", "/usr/lib/go-1.26/src/testing/testing.go", "go/src/testing/testing.go", true},
		{"GOROOT of a tool cache", "/opt/hostedtoolcache/go/1.26.1/x64/src/fmt/print.go", "go/src/fmt/print.go", true},
		{"GOROOT of a toolchain", "/home/ann/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.26.1.linux-amd64/src/fmt/print.go", "go/src/fmt/print.go", true},
		{"no GOROOT", "/srv/gopher/src/a.go", "/srv/gopher/src/a.go", true},
		{"module cache", "/home/ann/go/pkg/mod/github.com/x/y@v1.2.3/a.go", "pkg/mod/github.com/x/y@v1.2.3/a.go", true},
		{"temp", "/tmp/xyz/a.py", "<tmp>/a.py", true},
		{"own temp", "/scratch/xyz/a.py", "<tmp>/a.py", true},
		{"temp of macOS", "/private/var/folders/zz/abc/T/a.py", "<tmp>/a.py", true},
		{"temp of Windows", `C:\Users\bob\AppData\Local\Temp\x\a.py`, "<tmp>/a.py", true},
		{"go build directory", "/var/cache/go-build3377/b001/_testmain.go", "<tmp>/_testmain.go", true},
		{"home", "/home/ann/.bashrc", "~/.bashrc", true},
		{"tilde", "~/.bashrc", "~/.bashrc", true},
		{"tilde into the root", "~/My Code/proj/a.go", "a.go", false},
		{"elsewhere", "/etc/../etc/passwd", "/etc/passwd", true},
		{"same start as the root", "/mnt/project/a.go", "/mnt/project/a.go", true},
		{"escapes", "\x1b[1ma.go\x1b[0m", "sub/a.go", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, external := here.Path(tt.in)
			if got != tt.want || external != tt.external {
				t.Errorf("Path(%q) = %q, external %t; want %q, %t", tt.in, got, external, tt.want, tt.external)
			}
		})
	}
}

func TestPathWithoutWorkspace(t *testing.T) {
	for in, want := range map[string]string{"./a/b.go": "a/b.go", "/x/y.go": "/x/y.go", "../a.go": "../a.go", "/tmp/x/a.go": "<tmp>/a.go"} {
		if got, _ := (Workspace{}).Path(in); got != want {
			t.Errorf("Path(%q) = %q, want %q", in, got, want)
		}
	}
	if got, _ := (Workspace{Root: "/"}).Path("/etc/passwd"); got != "/etc/passwd" {
		t.Errorf("a root of / swallowed the path: %q", got)
	}
	if got, _ := (Workspace{Root: "/repo", Dir: "/elsewhere/x"}).Path("a.go"); got != "/elsewhere/x/a.go" {
		t.Errorf("outside the root: %q", got)
	}
}

// A path that the root knows does not change: seen from the root it stays.
func TestPathIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		elem := rapid.SampledFrom([]string{"a", "b c", "é", "node_modules", "site-packages", "x.go", "go", "src", "..", ".", "tmp", "pkg", "mod", "go-build12"})
		start := rapid.SampledFrom([]string{"", "/", "/mnt/proj/", "/tmp/", "/home/ann/", "file:///mnt/proj/", "C:/"}).Draw(t, "start")
		p := start
		for _, e := range rapid.SliceOfN(elem, 1, 6).Draw(t, "elems") {
			p += e + "/"
		}
		w := Workspace{Root: "/mnt/proj", Home: "/home/ann"}
		once, _ := w.Path(p)
		if again, _ := w.Path(once); again != once {
			t.Fatalf("%q: %q, then %q", p, once, again)
		}
	})
}
