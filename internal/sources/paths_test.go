package sources

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"cairn/result"
)

// TestDirIsGone: the directory in which a command ran may be removed by the time.
func TestDirIsGone(t *testing.T) {
	root := t.TempDir()
	w := result.Workspace{Root: root, Dir: filepath.Join(root, "gone")}
	r := &result.ToolResult{Tool: "junit", Kind: result.Test, Findings: []result.Finding{{Kind: result.TestFailure, ID: "com.acme.CartTest.adds", Message: "no", At: &result.Location{Path: "CartTest.java", Line: 3}}}}
	if SeePaths(r, w); r.Findings[0].At.Path != "CartTest.java" {
		t.Errorf("%+v", r.Findings[0].At)
	}
}

// TestOpenable: a file that is named by its package is found where exactly one fits, and what identifies a finding stays.
func TestOpenable(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{
		"src/test/java/com/acme/CartTest.java", "src/main/java/com/acme/Cart.java", "target/copy/com/acme/Cart.java", "a/src/com/acme/Both.java",
		"b/src/com/acme/Both.java", "here/Main.java", "x/here/Main.java", "src/test/kotlin/Plain.kt", "src/test/java/org/other/CartTest.java",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ dir, path, id, want string }{
		{"", "com/acme/CartTest.java", "com.acme.CartTest.adds", "src/test/java/com/acme/CartTest.java"},
		{"", "com/acme/Cart.java", "", "src/main/java/com/acme/Cart.java"},
		{"", "CartTest.java", "com.acme.CartTest.adds", "src/test/java/com/acme/CartTest.java"},
		{"", "CartTest.java", "com.acme.CartTest", "src/test/java/com/acme/CartTest.java"},
		{"", "CartTest.java", "some test", "CartTest.java"},           // two fit
		{"", "CartTest.java", "com.none.CartTest.a", "CartTest.java"}, // none of the package
		{"", "com/acme/Both.java", "", "com/acme/Both.java"},
		{"a", "a/com/acme/Both.java", "", "a/src/com/acme/Both.java"},
		{"a", "a/com/acme/Cart.java", "", "src/main/java/com/acme/Cart.java"},
		{"", "here/Main.java", "", "here/Main.java"}, // is there
		{"", "Plain.kt", "PlainTest", "src/test/kotlin/Plain.kt"},
		{"", "acme/CartTest.py", "", "acme/CartTest.py"},
		{"", "me/Cart.java", "", "me/Cart.java"},
	} {
		w := result.Workspace{Root: root, Dir: filepath.Join(root, c.dir)}
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: c.id, Message: "no", At: &result.Location{Path: filepath.Join(root, c.path), Line: 3}}
		f.Frames = []result.Location{{Path: filepath.Join(root, c.path), Line: 9}}
		r := &result.ToolResult{Tool: "junit", Kind: result.Test, Findings: []result.Finding{f}}
		result.Seal(r, w)
		before := r.Findings[0]
		SeePaths(r, w)
		got := r.Findings[0]
		if got.At.Path != c.want || got.Location != c.want+":3" || got.Frames[0].Path != c.want {
			t.Errorf("%s of %q in %q: %s, %s, %s; want %s", c.path, c.id, c.dir, got.At.Path, got.Location, got.Frames[0].Path, c.want)
		}
		if got.Fingerprint != before.Fingerprint || got.Group != before.Group {
			t.Errorf("%s: the identity changed", c.path)
		}
	}
}

// TestGoModules: a file that go test names by its package is found by the module's name, whatever its folder is called.
func TestGoModules(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/cart\n", "cart/cart_test.go": "", "sub/go.mod": "module shop // as cmd/go allows\n", "sub/till/till_test.go": "",
		"sub/shop_test.go": "", "two/a/go.mod": "module twice\n", "two/b/go.mod": "module twice\n", "two/a/x_test.go": "", "two/b/y_test.go": "",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ path, id, want string }{
		{"example.com/cart/cart/cart_test.go", "example.com/cart/cart.TestA", "cart/cart_test.go"},
		{"sub/example.com/cart/cart/cart_test.go", "", "cart/cart_test.go"},
		{"till_test.go", "shop/till.TestA/b.Test", "sub/till/till_test.go"},
		{"shop_test.go", "shop.TestA", "sub/shop_test.go"},
		{"cart/cart_test.go", "example.com/cart/cart.TestA", "cart/cart_test.go"},
		{"example.com/cart/gone/gone_test.go", "", "example.com/cart/gone/gone_test.go"},
		{"till_test.go", "", "till_test.go"}, // has no line 3
		{"till_test.go", "other/till.TestA", "till_test.go"},
	} {
		r := &result.ToolResult{Tool: "go-test", Findings: []result.Finding{{Kind: result.TestFailure, ID: c.id, At: &result.Location{Path: c.path, Line: 3}}}}
		if SeePaths(r, result.Workspace{Root: root, Dir: root}); r.Findings[0].At.Path != c.want {
			t.Errorf("%s of %q: %s, want %s", c.path, c.id, r.Findings[0].At.Path, c.want)
		}
	}
}

// TestFromBuild: what a test in a directory of the build names relative to there is found in the workspace.
func TestFromBuild(t *testing.T) {
	outer := t.TempDir()
	root := filepath.Join(outer, "bank")
	for _, name := range []string{"bank/tests/bank_test.cpp", "bank/lib/both.c", "lib/both.c"} {
		path := filepath.Join(outer, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"../tests/bank_test.cpp": "tests/bank_test.cpp:5", "../../tests/bank_test.cpp": "tests/bank_test.cpp:5",
		"../lib/both.c": "", // it is there
		"../gone.c":     "", "/usr/tests/bank_test.cpp": "",
	} {
		r := &result.ToolResult{Tool: "googletest", Findings: []result.Finding{{Kind: result.TestFailure, ID: "Bank.Pays", Frames: []result.Location{{Path: path, Line: 5, External: true}}}}}
		if SeePaths(r, result.Workspace{Root: root, Dir: root}); r.Findings[0].Location != want {
			t.Errorf("%s: %q, want %q", path, r.Findings[0].Location, want)
		}
	}
}

// TestElsewhere: a file that a script's tool named from the directory it had changed to is the only one that ends so and
// has the line.
func TestElsewhere(t *testing.T) {
	root := t.TempDir()
	for name, lines := range map[string]int{"infra/prod/main.tf": 9, "infra/dev/vars.tf": 9, "infra/prod/vars.tf": 9, "tests/unit/test_a.py": 5, "node_modules/x/only.js": 9, "here.py": 1} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytes.Repeat([]byte("x\n"), lines), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		path string
		line int
		want string
	}{
		{"main.tf", 4, "infra/prod/main.tf"}, {"prod/main.tf", 4, "infra/prod/main.tf"}, {"vars.tf", 4, "vars.tf"}, {"dev/vars.tf", 4, "infra/dev/vars.tf"},
		{"test_a.py", 5, "tests/unit/test_a.py"}, {"test_a.py", 50, "test_a.py"}, {"test_a.py", 0, "test_a.py"}, {"a.py", 1, "a.py"}, {"only.js", 1, "only.js"},
		{"here.py", 30, "here.py"}, {"other/test_a.py", 1, "other/test_a.py"},
	} {
		r := &result.ToolResult{Tool: "pytest", Findings: []result.Finding{{Kind: result.TestFailure, ID: "x", At: &result.Location{Path: c.path, Line: c.line}}}}
		if SeePaths(r, result.Workspace{Root: root, Dir: root}); r.Findings[0].At.Path != c.want {
			t.Errorf("%s:%d: %s, want %s", c.path, c.line, r.Findings[0].At.Path, c.want)
		}
	}
}
