package result

import "testing"

// A path from the root opens from where the command ran.
func TestLocal(t *testing.T) {
	for _, test := range []struct{ dir, path, want string }{
		{"", "api/cart.py", "api/cart.py"},
		{"api", "api/cart.py", "cart.py"},
		{"api", "api/tests/test_cart.py", "tests/test_cart.py"},
		{"api", "web/cart.ts", "../web/cart.ts"},
		{"api", "cart.py", "../cart.py"},
		{"api", "apis/cart.py", "../apis/cart.py"},
		{"api/v1", "api/v2/x.py", "../v2/x.py"},
		{"api/v1", "x.py", "../../x.py"},
		{"api", "api", "."},
		{"api/v1", "api", ".."},
		{"api", "../outside/x.py", "../../outside/x.py"},
		{"api", "/usr/lib/x.py", "/usr/lib/x.py"},
		{"api", "c:/x.py", "c:/x.py"},
		{"api", "~/x.py", "~/x.py"},
		{"api", "<stdin>", "<stdin>"},
		{"api", "<tmp>/x.py", "<tmp>/x.py"},
		{"api", "-", "-"},
		{"api", "webpack://x.js", "webpack://x.js"},
		{"api", "node:fs", "node:fs"},
	} {
		r := ToolResult{Dir: test.dir}
		if got := r.Local(test.path); got != test.want {
			t.Errorf("from %q, %s is shown as %s, not %s", test.dir, test.path, got, test.want)
		}
	}
}

// A finding that is shown is a copy: what is recorded counts from the root. The
// short name of a library has no directory to count from.
func TestLocalFinding(t *testing.T) {
	r := ToolResult{Findings: []Finding{{
		At:        &Location{Path: "src/cart.py", Line: 3, Column: 7},
		Locations: []Location{{Path: "lib/cart.py", Line: 4}},
		Frames:    []Location{{Path: "site-packages/pytest.py", External: true}, {Path: "../node_modules/x.js", Line: 1}},
		Related:   []Related{{Message: "here", At: &Location{Path: "cart.py", Line: 5}}},
	}}}
	w := Workspace{Root: "/repo", Dir: "/repo/api"}
	Seal(&r, w)
	if r.Dir = w.Rel(); r.Dir != "api" {
		t.Fatalf("dir is %q", r.Dir)
	}
	f := r.LocalFinding(r.Findings[0])
	for _, pair := range [][2]string{
		{f.Location, "src/cart.py:3:7"}, {f.At.Path, "src/cart.py"}, {f.Locations[0].Path, "lib/cart.py"},
		{f.Frames[1].Path, "../node_modules/x.js"}, {f.Related[0].At.Path, "cart.py"},
		{r.Findings[0].Location, "api/src/cart.py:3:7"}, {r.Findings[0].Locations[0].Path, "api/lib/cart.py"},
		{r.Findings[0].Related[0].At.Path, "api/cart.py"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s, want %s", pair[0], pair[1])
		}
	}
	cut := r.LocalFinding(Finding{At: &Location{Path: "site-packages/pytest.py", External: true}})
	if cut.At.Path != "site-packages/pytest.py" {
		t.Errorf("a library is at %s", cut.At.Path)
	}
}
