package export_test

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"cairn/fleet"
	"cairn/fleet/export"
	"cairn/fleet/fleettest"
	"cairn/recall"
)

// write exports clones and gives what was reported of the last one.
func write(t *testing.T, form, to string, dirs ...string) (r export.Report) {
	t.Helper()
	e, err := export.Open(to, form)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, dir := range dirs {
		c, err := fleet.Open(t.Context(), dir, func(w string) { t.Error(w) })
		if err != nil {
			t.Fatal(err)
		}
		if r, err = e.Export(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		c.Close()
	}
	return r
}

// files are the files of an export with what they hold.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path[len(dir)+1:]] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestIncremental(t *testing.T) {
	repo, to := fleettest.Repo(t, "app", 120), t.TempDir()
	if r := write(t, "parquet", to, repo); r.Runs != 120 || r.Known != 0 || r.Findings == 0 || r.Outcomes == 0 {
		t.Fatalf("first: %+v", r)
	}
	first := files(t, to)
	if r := write(t, "parquet", to, repo); r.Runs != 0 || r.Known != 120 || !maps.Equal(first, files(t, to)) {
		t.Fatalf("again: %+v, or files changed", r)
	}
	// What an export that died has left: a part of which the last file is missing, and a file of which it has begun to write.
	for path := range first {
		if strings.HasPrefix(path, "_cairn/repo=") {
			os.Remove(filepath.Join(to, path))
			os.WriteFile(filepath.Join(filepath.Dir(filepath.Join(to, path)), "_1.tmp"), []byte("01"), 0o600)
			break
		}
	}
	fleettest.Add(t, repo, 120, 130)
	if r := write(t, "parquet", to, repo); r.Runs <= 10 || r.Runs+r.Known != 130 {
		t.Fatalf("after a death: %+v", r)
	}
	rows := map[string]int{}
	for path := range files(t, to) {
		if strings.Contains(path, ".tmp") {
			t.Error(path, "is left")
		}
		if strings.HasPrefix(path, "runs/") {
			read, err := parquet.ReadFile[fleet.Run](filepath.Join(to, path))
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range read {
				rows[r.RunID]++
				if month := "month=" + r.Time.Format("2006-01"); !strings.Contains(path, month) {
					t.Errorf("%s of %s is in %s", r.RunID, month, path)
				}
			}
		}
	}
	if len(rows) != 130 || slices.Max(slices.Collect(maps.Values(rows))) != 1 {
		t.Errorf("%d runs, some of them several times: %v", len(rows), rows)
	}
}

func TestRefused(t *testing.T) {
	to := t.TempDir()
	if _, err := export.Open(to, "xlsx"); err == nil || !strings.Contains(err.Error(), "parquet, csv or jsonl") {
		t.Error(err)
	}
	e, err := export.Open(to, "csv")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := export.Open(to, "csv"); err == nil || !strings.Contains(err.Error(), "another export") {
		t.Error(err)
	}
	e.Close()
	if _, err := export.Open(to, "jsonl"); err == nil || !strings.Contains(err.Error(), "as csv") {
		t.Error(err)
	}
}

// TestForms: each form holds the same rows, cell by cell.
func TestForms(t *testing.T) {
	repo := fleettest.Repo(t, "app", 60)
	in := map[string]string{}
	for _, form := range export.Forms {
		in[form] = t.TempDir()
		write(t, form, in[form], repo)
	}
	for _, table := range fleet.Tables() {
		var want [][]string
		switch table.Name {
		case "runs":
			want = cells[fleet.Run](t, in["parquet"], table.Name)
		case "findings":
			want = cells[fleet.Finding](t, in["parquet"], table.Name)
		case "outcomes":
			want = cells[fleet.Outcome](t, in["parquet"], table.Name)
		case "stages":
			want = cells[fleet.Stage](t, in["parquet"], table.Name)
		}
		if len(want) < 6 {
			t.Fatalf("%s has %d rows", table.Name, len(want))
		}
		for form, got := range map[string][][]string{"csv": fromCSV(t, in["csv"], table), "jsonl": fromJSONL(t, in["jsonl"], table)} {
			if !slices.EqualFunc(want, got, slices.Equal) {
				t.Errorf("%s as %s has other cells than as parquet: %d rows and %d", table.Name, form, len(got), len(want))
			}
		}
	}
}

func sorted(rows [][]string) [][]string {
	slices.SortFunc(rows, slices.Compare)
	return rows
}

func cells[R any](t *testing.T, dir, table string) (all [][]string) {
	for path := range files(t, filepath.Join(dir, table)) {
		rows, err := parquet.ReadFile[R](filepath.Join(dir, table, path))
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			var line []string
			for _, v := range fleet.Values(&row, make([]any, len(fleet.ColumnsOf[R]()))) {
				if at, is := v.(time.Time); is {
					v = at.UTC().Format("2006-01-02T15:04:05.000000Z")
				}
				if v == nil {
					v = ""
				}
				line = append(line, fmt.Sprint(v))
			}
			all = append(all, line)
		}
	}
	return sorted(all)
}

func fromCSV(t *testing.T, dir string, table fleet.Table) (all [][]string) {
	for path, text := range files(t, filepath.Join(dir, table.Name)) {
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for i, c := range table.Columns {
			if rows[0][i] != c.Name {
				t.Errorf("column %d of %s is %s, want %s", i, table.Name, rows[0][i], c.Name)
			}
		}
		all = append(all, rows[1:]...)
	}
	return sorted(all)
}

func fromJSONL(t *testing.T, dir string, table fleet.Table) (all [][]string) {
	for path, text := range files(t, filepath.Join(dir, table.Name)) {
		for line := range strings.Lines(text) {
			var row map[string]any
			dec := json.NewDecoder(strings.NewReader(line))
			dec.UseNumber()
			if err := dec.Decode(&row); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			var cells []string
			for _, c := range table.Columns {
				v, there := row[c.Name]
				if !there || v == nil && !c.Null {
					t.Fatalf("%s: %s is missing: %s", path, c.Name, line)
				}
				if v == nil {
					v = ""
				}
				cells = append(cells, fmt.Sprint(v))
			}
			all = append(all, cells)
		}
	}
	return sorted(all)
}

// engines are what reads the tables, each a module of Python, and which form it reads. That the forms are the same cell by
// cell is TestForms.
var engines = []struct{ module, form string }{{"duckdb", "parquet"}, {"duckdb", "csv"}, {"duckdb", "jsonl"}, {"chdb", "parquet"}, {"pyspark", "parquet"}}

// TestEngines: each engine answers eight questions from each form with the same rows, which are those of the first, and
// to the question about flaky tests with those of recall.
func TestEngines(t *testing.T) {
	a, b := fleettest.Repo(t, "app", 120), fleettest.Repo(t, "lib", 90)
	in := map[string]string{}
	for _, form := range export.Forms {
		in[form] = t.TempDir()
		write(t, form, in[form], a, b)
	}
	want := ""
	for _, e := range engines {
		t.Run(e.module+"/"+e.form, func(t *testing.T) {
			python := cmp.Or(os.Getenv("CAIRN_TEST_PYTHON"), "python3")
			// A package that was removed may leave its folder, which Python imports as an empty namespace: only a file is a module.
			if err := exec.Command(python, "-c", "import "+e.module+" as m; m.__file__.strip()").Run(); err != nil {
				t.Skipf("%s is not to be had by %s (pip install %s)", e.module, python, e.module)
			}
			cmd := exec.Command(python, "testdata/questions.py", e.module, e.form, in[e.form])
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if want == "" {
				want = string(out)
				flakyAsRecall(t, want, a, b)
			}
			if string(out) != want || strings.Count("\n"+want, "\n== ") != 8 {
				t.Errorf("%s answers\n%s\nand not\n%s", e.module, out, want)
			}
		})
	}
}

// flakyAsRecall holds the answers of an engine against those of recall in the clones.
func flakyAsRecall(t *testing.T, answers string, dirs ...string) {
	t.Helper()
	var want []string
	for _, dir := range dirs {
		found, err := recall.Flaky(t.Context(), fleettest.Open(t, dir), recall.Filters{})
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Tests) == 0 {
			t.Fatal("there is nothing flaky")
		}
		for _, f := range found.Tests {
			want = append(want, fmt.Sprintf(`["example.com/team/%s","%s",%d,%d,%d]`, filepath.Base(dir), f.Group, f.Failed, f.Runs, f.Trees))
		}
	}
	slices.Sort(want)
	_, after, _ := strings.Cut(answers, "\n== flaky\n")
	got, _, _ := strings.Cut(after, "\n== ")
	if strings.TrimSpace(got) != strings.Join(want, "\n") {
		t.Errorf("flaky are\n%s\nand recall says\n%s", got, strings.Join(want, "\n"))
	}
}
