package report

import (
	"bytes"
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// axeRuns runs axe on each view and leaves what it found in the title.
const axeRuns = `<script src="axe.min.js"></script><script>
addEventListener("load", async () => {
  const found = [];
  for (const view of VIEWS_OF_TEST) {
    location.hash = view;
    await new Promise((done) => setTimeout(done, 0));
    const { violations, passes } = await axe.run(document, { resultTypes: ["violations"] });
    found.push({ view, passes: passes.length, violations: violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html.slice(0, 200)).slice(0, 3).join(" ; ")) });
  }
  document.title = JSON.stringify(found);
});
</script>`

// TestPageAccessible: axe-core finds no violation in any view. CAIRN_AXE is its axe.min.js.
func TestPageAccessible(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	axe := os.Getenv("CAIRN_AXE")
	if err != nil || axe == "" {
		t.Skip("chromium or axe-core (CAIRN_AXE) is missing")
	}
	t.Parallel()
	h := historyOf(t, 4, 1, "tests/test_cart.py::test_total_")
	h.Flaky = []historyFlaky{{"tests/test_cart.py::test_total_0", 2, 5, 1, h.Runs[0].ID, h.Runs[1].ID}}
	var page bytes.Buffer
	if err := h.Page(&page, "n"); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script, err := os.ReadFile(axe)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "axe.min.js"), script, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		scheme string // of colours
		views  []string
	}{
		{"light", []string{"now", "runs", "run/" + h.Runs[0].ID, "tests", "test/0", "flaky", "trends", "compare"}},
		{"dark", []string{"now", "run/" + h.Runs[0].ID, "test/0"}}, // here, all that has colours of its own
	} {
		t.Run(tc.scheme, func(t *testing.T) {
			t.Parallel()
			views, err := json.Marshal(tc.views)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.Replace(page.String(), "</html>", strings.Replace(axeRuns, "VIEWS_OF_TEST", string(views), 1)+"</html>", 1)
			file := filepath.Join(dir, tc.scheme+".html")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			preferred := map[string]string{"dark": "0", "light": "1"}[tc.scheme]
			out, err := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=60000", "--blink-settings=preferredColorScheme="+preferred,
				"--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+file).Output()
			if err != nil {
				t.Fatalf("%s: %v", browser, err)
			}
			_, title, _ := strings.Cut(string(out), "<title>")
			title, _, _ = strings.Cut(title, "</title>")
			var found []struct {
				View       string
				Passes     int
				Violations []string
			}
			if err := json.Unmarshal([]byte(html.UnescapeString(title)), &found); err != nil || len(found) != len(tc.views) {
				t.Fatalf("axe did not run: %v: %.300s", err, title)
			}
			for _, v := range found {
				if len(v.Violations) > 0 || v.Passes == 0 {
					t.Errorf("%s: %d rules hold; %s", v.View, v.Passes, strings.Join(v.Violations, "\n\t"))
				}
			}
		})
	}
}
