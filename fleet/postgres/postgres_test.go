package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"cairn/fleet"
	"cairn/fleet/fleettest"
	"cairn/fleet/postgres"
	"cairn/recall"
	"cairn/recall/filter"
)

func connect(t *testing.T, address string, readOnly bool) *postgres.Database {
	t.Helper()
	d, err := postgres.Open(t.Context(), address, readOnly)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// one asks for one value.
func one[T any](t *testing.T, address, sql string) (v T) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if err := conn.QueryRow(t.Context(), sql).Scan(&v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

func load(t *testing.T, d *postgres.Database, dir string) postgres.Report {
	t.Helper()
	c, err := fleet.Open(t.Context(), dir, func(w string) { t.Error(w) })
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, err := d.Load(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPostgres: one server for all that is asked of it.
func TestPostgres(t *testing.T) {
	address := fleettest.Postgres(t, "../..")
	app, lib := fleettest.Repo(t, "app", 120), fleettest.Repo(t, "lib", 90)
	d := connect(t, address, false)
	t.Run("migrations", func(t *testing.T) { migrations(t, d, address) })
	t.Run("loaders", func(t *testing.T) { loaders(t, address, app, lib) })
	t.Run("incremental", func(t *testing.T) { incremental(t, d, address, app) })
	t.Run("flaky", func(t *testing.T) { flaky(t, connect(t, address, true), app, lib) })
	t.Run("questions", func(t *testing.T) { questions(t, connect(t, address, true)) })
	t.Run("reader", func(t *testing.T) { reader(t, address) })
	t.Run("views", func(t *testing.T) { views(t, connect(t, address, false), address) })
	t.Run("dashboard", func(t *testing.T) { dashboard(t, address) })
	t.Run("completed", func(t *testing.T) { completed(t, d, address) })
	t.Run("summary", func(t *testing.T) { summary(t, d, address) })
}

// migrations: the tables have the columns of package fleet, and each step is undone.
func migrations(t *testing.T, d *postgres.Database, address string) {
	const shape = `select coalesce(string_agg(table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable, e'\n' order by table_name, ordinal_position), '') from information_schema.columns where table_schema = 'public' and table_name <> 'cairn_version'`
	var shapes []string
	for v := 0; v <= postgres.Newest(); v++ {
		if from, err := d.Migrate(t.Context(), v); err != nil || from != max(0, v-1) {
			t.Fatalf("to version %d: from %d, %v", v, from, err)
		}
		shapes = append(shapes, one[string](t, address, shape))
	}
	for v := postgres.Newest(); v >= 0; v-- {
		if _, err := d.Migrate(t.Context(), v); err != nil {
			t.Fatal(err)
		}
		if got := one[string](t, address, shape); got != shapes[v] {
			t.Errorf("back at version %d the tables are\n%s\nand were\n%s", v, got, shapes[v])
		}
	}
	if _, err := d.Migrate(t.Context(), 99); err == nil || !strings.Contains(err.Error(), "no version 99") {
		t.Error(err)
	}
	if _, err := d.Migrate(t.Context(), -1); err != nil {
		t.Fatal(err)
	}
	types := map[string]string{"timestamp": "timestamp with time zone"}
	for _, table := range fleet.Tables() {
		var want []string
		for _, c := range table.Columns {
			null := "NO"
			if c.Null {
				null = "YES"
			}
			kind := c.Type
			if types[kind] != "" {
				kind = types[kind]
			}
			want = append(want, fmt.Sprintf("%s.%s %s %s", table.Name, c.Name, kind, null))
		}
		if got := shapes[postgres.Newest()]; !strings.Contains(got+"\n", strings.Join(want, "\n")+"\n") {
			t.Errorf("the database has\n%s\nand the rows have\n%s", got, strings.Join(want, "\n"))
		}
	}
}

// loaders: four at once, of which two load the same clone, write each run once.
func loaders(t *testing.T, address, app, lib string) {
	var wg sync.WaitGroup
	for i := range 4 {
		dir := []string{app, lib}[i%2]
		d := connect(t, address, false)
		wg.Go(func() { load(t, d, dir) })
	}
	wg.Wait()
	if n := one[int](t, address, `select count(*) from runs`); n != 210 {
		t.Errorf("%d runs, want 210", n)
	}
	if n := one[int](t, address, `select count(*) from (select 1 from findings group by run_id, finding_number having count(*) > 1 union all select 1 from outcomes group by run_id, test_number having count(*) > 1 union all select 1 from stages group by run_id, stage_number having count(*) > 1) x`); n != 0 {
		t.Errorf("%d rows are there twice", n)
	}
	if n := one[int](t, address, `select count(*) from runs r where finding_count <> (select count(*) from findings f where f.run_id = r.run_id and f.stage_number = 0) or stage_count <> (select count(*) from stages s where s.run_id = r.run_id)`); n != 0 {
		t.Errorf("%d runs lack what belongs to them", n)
	}
}

func incremental(t *testing.T, d *postgres.Database, address, dir string) {
	if r := load(t, d, dir); !r.Unchanged {
		t.Errorf("an unchanged clone is read again: %+v", r)
	}
	fleettest.Add(t, dir, 120, 130)
	if r := load(t, d, dir); r.Unchanged || r.Runs != 10 {
		t.Errorf("ten more are %+v", r)
	}
	// A loader that is ended has written whole runs or none, and the next one goes on.
	fleettest.Add(t, dir, 130, 140)
	ctx, cancel := context.WithCancel(t.Context())
	c, err := fleet.Open(ctx, dir, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	other := connect(t, address, false)
	cancel()
	if _, err := other.Load(ctx, c); !errors.Is(err, context.Canceled) {
		t.Errorf("a loader that was ended says %v", err)
	}
	if r := load(t, d, dir); r.Runs != 10 {
		t.Errorf("after one that was ended: %+v", r)
	}
}

// flaky: a fleet says of flaky tests what recall says in the clones.
func flaky(t *testing.T, d *postgres.Database, dirs ...string) {
	a, err := d.Ask(t.Context(), postgres.Question{Name: "flaky", Filters: filter.Filters{Since: "2000-01-01"}, Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, row := range a.Rows {
		got = append(got, fmt.Sprint(row[0], row[1], row[2], row[4:7], row[7].(time.Time).UTC(), row[8]))
	}
	for i, dir := range dirs {
		found, err := recall.Flaky(t.Context(), fleettest.Open(t, dir), recall.Filters{})
		if err != nil || len(found.Tests) == 0 {
			t.Fatalf("%v, or nothing is flaky", err)
		}
		for _, f := range found.Tests {
			want = append(want, fmt.Sprint("example.com/team/"+[]string{"app", "lib"}[i], f.Group, f.Finding.ID, []int{f.Failed, f.Runs, f.Trees}, f.Last.UTC(), f.LastFailed))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("flaky are\n%s\nand recall says\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// summary: flaky tests by the table that loads keep up are those of a pass over all runs, which version 2 makes, and of the
// tables that are made when a database comes to versions 3 and 5, or goes back to 4; since any moment.
func summary(t *testing.T, d *postgres.Database, address string) {
	const flaky = `select coalesce(string_agg(f::text, e'\n' order by f), '') from (select time from runs union all select '2000-01-01' order by time limit 40) t, lateral flaky_since(t.time) f`
	kept := one[string](t, address, flaky)
	if strings.Count(kept, "\n") < 40 {
		t.Fatalf("too little is flaky: %s", kept)
	}
	for _, version := range []int{4, 2, 3, 5} {
		if _, err := d.Migrate(t.Context(), version); err != nil {
			t.Fatal(err)
		}
		if got := one[string](t, address, flaky); got != kept {
			t.Errorf("by version %d flaky are\n%s\nand the table that was kept up says\n%s", version, got, kept)
		}
	}
}

// completed: a tree was mixed as long as the findings of one of its two runs were missing.
func completed(t *testing.T, d *postgres.Database, address string) {
	at := time.Now().UTC().Truncate(time.Microsecond)
	run := func(n int, missing bool, tests ...string) *fleet.Rows {
		r := &fleet.Rows{Run: fleet.Run{Repository: "completed", RunID: fmt.Sprintf("01DONE%020d", n), Time: at, Status: "failed", Dir: ".", EvidenceTree: "t1", FindingsMiss: missing, FindingCount: int32(len(tests))}}
		for i, test := range tests {
			r.Findings = append(r.Findings, fleet.Finding{Repository: "completed", RunID: r.Run.RunID, Time: at, Number: int32(i + 1), Fingerprint: test, GroupID: test, Kind: "test_failure", TestID: test, Times: 1})
		}
		return r
	}
	const flaky = `select coalesce(string_agg(group_id || ' ' || failed_count || ' of ' || run_count || ', last ' || right(last_failed_run, 1), '; ' order by group_id), '') from flaky where repository = 'completed'`
	for _, c := range []struct {
		runs []*fleet.Rows
		want string
	}{
		{[]*fleet.Rows{run(1, false, "a", "b")}, ""},
		{[]*fleet.Rows{run(2, true, "b")}, "a 1 of 2, last 1"},
		{[]*fleet.Rows{run(2, false, "b", "a", "c")}, "c 1 of 2, last 2"},
		{[]*fleet.Rows{run(3, false)}, "a 2 of 3, last 2; b 2 of 3, last 2; c 1 of 3, last 2"},
	} {
		if _, err := d.Write(t.Context(), c.runs); err != nil {
			t.Fatal(err)
		}
		if got := one[string](t, address, flaky); got != c.want {
			t.Errorf("flaky are %q, want %q", got, c.want)
		}
	}
}

// questions: how many rows each has, and what is refused with which words.
func questions(t *testing.T, d *postgres.Database) {
	ask := func(name string, f filter.Filters, args ...string) (*postgres.Answer, error) {
		return d.Ask(t.Context(), postgres.Question{Name: name, Args: args, Repos: []string{"example.com/team/app"}, Filters: f, Now: time.Now()})
	}
	newest, err := ask("objects", filter.Filters{Status: "failed", Limit: 2})
	if err != nil || len(newest.Rows) != 2 || !newest.More {
		t.Fatalf("%+v %v", newest, err)
	}
	later, earlier := fmt.Sprint(newest.Rows[0][1]), fmt.Sprint(newest.Rows[1][1])
	for _, c := range []struct {
		name  string
		f     filter.Filters
		args  []string
		rows  int
		error string
	}{
		{"objects", filter.Filters{}, nil, 140, ""},
		{"objects", filter.Filters{Tool: "py*"}, nil, 112, ""},
		{"objects", filter.Filters{Status: "failed,unknown", Branch: "feature/*"}, nil, 12, ""},
		{"objects", filter.Filters{Rule: "E007", File: "src/"}, nil, 14, ""},
		{"objects", filter.Filters{File: "*_7.py"}, nil, 14, ""},
		{"objects", filter.Filters{File: "file_7.py", Dirty: "unknown"}, nil, 14, ""},
		{"objects", filter.Filters{File: "ile_7.py"}, nil, 0, ""},
		{"objects", filter.Filters{Command: "ruff check", Agent: "claude"}, nil, 5, ""},
		{"objects", filter.Filters{Commit: "0000"}, nil, 126, ""},
		{"objects", filter.Filters{Since: "2026-09-21", Until: "2026-09-22"}, nil, 2, ""},
		{"objects", filter.Filters{Commit: "HEAD"}, nil, 0, "beginning of a hash"},
		{"objects", filter.Filters{Grep: "x"}, nil, 0, "outputs are in the clones"},
		{"objects", filter.Filters{Status: "bad"}, nil, 0, "bad"},
		{"finding", filter.Filters{}, []string{"tests/test_a.py::test_1"}, 1, ""},
		{"finding", filter.Filters{}, []string{"674502470DA3"}, 1, ""},
		{"finding", filter.Filters{}, []string{"674502"}, 1, ""},
		{"finding", filter.Filters{}, nil, 0, "give one FINDING"},
		{"stats", filter.Filters{}, nil, 1, ""},
		{"test", filter.Filters{}, []string{"tests/test_a.py::test_5"}, 112, ""},
		{"tests", filter.Filters{}, []string{later[:20]}, 6, ""},
		{"tests", filter.Filters{}, []string{"';drop table runs"}, 0, "no run id"},
		{"diff", filter.Filters{}, []string{earlier, later}, 2, ""},
		{"search", filter.Filters{}, []string{"assert 3 == 1"}, 7, ""},
		{"search", filter.Filters{}, []string{"100%"}, 0, ""},
		{"blame", filter.Filters{}, []string{"x"}, 0, "ask in a clone"},
		{"no such", filter.Filters{}, nil, 0, "failing_since"},
	} {
		a, err := ask(c.name, c.f, c.args...)
		switch {
		case c.error != "" && (err == nil || !strings.Contains(err.Error(), c.error)):
			t.Errorf("%s %v %+v: %v, want an error with %q", c.name, c.args, c.f, err, c.error)
		case c.error == "" && err != nil:
			t.Errorf("%s %v %+v: %v", c.name, c.args, c.f, err)
		case c.error == "" && len(a.Rows) != c.rows:
			t.Errorf("%s %v %+v: %d rows, want %d", c.name, c.args, c.f, len(a.Rows), c.rows)
		}
	}
	for _, view := range postgres.Views() {
		if _, err := ask(view, filter.Filters{}); err != nil {
			t.Errorf("%s: %v", view, err)
		}
	}
}

// reader: who has the role cairn_reader reads every table and view, and writes nothing.
func reader(t *testing.T, address string) {
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), `create user alice; grant cairn_reader to alice; set role alice`); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(postgres.Views(), "runs", "findings", "outcomes", "stages") {
		if _, err := conn.Exec(t.Context(), `select * from `+name+` limit 1`); err != nil {
			t.Errorf("alice reads %s: %v", name, err)
		}
	}
	for _, sql := range []string{`delete from runs`, `insert into loads (clone, repository, state, runs) values ('', '', '', 0)`, `drop table stages`, `update findings set rule = ''`, `select * from loads`} {
		if _, err := conn.Exec(t.Context(), sql); err == nil || !strings.Contains(err.Error(), "permission denied") && !strings.Contains(err.Error(), "must be owner") {
			t.Errorf("alice: %s: %v", sql, err)
		}
	}
	if _, err := connect(t, address, true).Migrate(t.Context(), 0); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("a connection for questions changes tables: %v", err)
	}
}

// views: what the views say of a story of one command on one branch.
func views(t *testing.T, d *postgres.Database, address string) {
	now := time.Now().UTC().Truncate(time.Microsecond)
	code, clean := int32(1), false
	var batch []*fleet.Rows
	for i, found := range [][]string{{}, {"aaaaaaaaaaaa"}, {"aaaaaaaaaaaa", "bbbbbbbbbbbb"}, {}, {"aaaaaaaaaaaa"}} {
		at := now.Add(time.Duration(i-5) * time.Minute)
		r := &fleet.Rows{Run: fleet.Run{Repository: "story", RunID: fmt.Sprintf("01STORY%019d", i), Time: at, Status: "passed", Dir: ".", Command: "make", CommandKey: "k", Branch: "main",
			Commit: fmt.Sprintf("c%d", i), Dirty: &clean, Accounted: true, Agent: "claude", DurationMS: 1000, RawSizeBytes: 4000, ShownSizeBytes: 400}}
		if len(found) > 0 {
			r.Run.Status, r.Run.ExitCode = "failed", &code
		}
		for n, f := range found {
			r.Findings = append(r.Findings, fleet.Finding{Repository: "story", RunID: r.Run.RunID, Time: at, Number: int32(n + 1), Fingerprint: f, Severity: "error", Message: f, Times: 1})
		}
		batch = append(batch, r)
	}
	if n, err := d.Write(t.Context(), append(batch, batch[0])); err != nil || n != 5 {
		t.Fatalf("%d %v", n, err)
	}
	if n, err := d.Write(t.Context(), batch); err != nil || n != 0 {
		t.Fatalf("again: %d %v", n, err)
	}
	day := func(offset int) string { return now.Add(time.Duration(offset-5) * time.Minute).Format("2006-01-02") }
	tokens := map[string]int{}
	for i := range 5 {
		tokens[day(i)] += 1000
	}
	for view, want := range map[string]string{
		`select string_agg(fingerprint || ' ' || run_count || ' ' || right(last_run, 1), ',' order by fingerprint) from failing_since where repository = 'story'`: "aaaaaaaaaaaa 1 4",
		`select string_agg(good_commit || ' ' || bad_commit, ',') from regressions where repository = 'story'`:                                                    "c3 c4",
		`select string_agg(commit || proven::text, ',' order by commit) from proven where repository = 'story'`:                                                   "c0true,c1false,c2false,c3true,c4false",
		`select string_agg(commit, ',' order by commit) from unproven where repository = 'story'`:                                                                 "c1,c2,c4",
		`select command || ' ' || run_count || ' ' || total_ms || ' ' || p95_ms from slowest where repository = 'story'`:                                          "make 5 5000 1000",
		`select sum(raw_tokens_estimate) || ' ' || sum(shown_tokens_estimate) from tokens where repository = 'story'`:                                             "5000 500",
		`select string_agg(day || ' ' || raw_tokens_estimate, ',' order by day) from tokens where repository = 'story'`:                                           joined(tokens),
	} {
		if got := one[string](t, address, view); got != want {
			t.Errorf("%s: %s, want %s", view, got, want)
		}
	}
	// In the first five minutes of a day some of them are of yesterday.
	if got := one[int](t, address, `select count(*) from new_today where repository = 'story' and fingerprint = 'bbbbbbbbbbbb'`); day(2) == day(5) && day(1) == day(5) && got != 1 {
		t.Errorf("new today: %d, want 1", got)
	}
}

func joined(days map[string]int) string {
	var all []string
	for day, n := range days {
		all = append(all, fmt.Sprint(day, " ", n))
	}
	slices.Sort(all)
	return strings.Join(all, ",")
}

// TestPasswords: no error shows the password of an address.
func TestPasswords(t *testing.T) {
	for _, address := range []string{"postgres://u:hunter2@127.0.0.1:1/db?connect_timeout=1", "host=127.0.0.1 port=1 password=hunter2 sslmode=wrong", "postgres://u:hunter2@127.0.0.1:x/db"} {
		if _, err := postgres.Open(t.Context(), address, false); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
