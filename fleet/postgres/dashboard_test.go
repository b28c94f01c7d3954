package postgres_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// macros are what Grafana writes into a query before the database sees it (its manual of the PostgreSQL data source).
var macros = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`\$__timeFilter\((([^()]|\(\))+)\)`), "$1 between '2020-01-01T00:00:00Z' and '2100-01-01T00:00:00Z'"},
	{regexp.MustCompile(`\$\{repository:sqlstring\}`), "'example.com/team/app','example.com/team/lib'"},
}

// dashboard: each query of docs/grafana.json is answered by the database, for somebody who may only read, and each view is looked at.
// A plot over time has the columns that Grafana plots.
func dashboard(t *testing.T, address string) {
	text, err := os.ReadFile("../../docs/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Templating struct {
			List []struct{ Type, Query string }
		}
		Panels []struct {
			Title, Type string
			Targets     []struct{ RawSQL, Format string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "set role cairn_reader"); err != nil {
		t.Fatal(err)
	}
	rowsOf := func(title, query string) (columns []string, rows int) {
		for _, m := range macros {
			query = m.from.ReplaceAllString(query, m.to)
		}
		if strings.Contains(query, "$") {
			t.Errorf("%s: something is left that Grafana would replace: %s", title, query)
		}
		got, err := conn.Query(t.Context(), query)
		if err != nil {
			t.Fatalf("%s: %v", title, err)
		}
		for _, f := range got.FieldDescriptions() {
			columns = append(columns, f.Name)
		}
		for got.Next() {
			rows++
		}
		if err := got.Err(); err != nil {
			t.Errorf("%s: %v\n%s", title, err, query)
		}
		return columns, rows
	}
	for _, v := range board.Templating.List {
		if v.Type == "query" {
			if _, rows := rowsOf(v.Query, v.Query); rows < 2 {
				t.Errorf("%d repositories to choose from", rows)
			}
		}
	}
	asked := ""
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			asked += target.RawSQL + "\n"
			columns, rows := rowsOf(p.Title, target.RawSQL)
			if rows == 0 && p.Title == "Runs" {
				t.Errorf("%s: no row", p.Title)
			}
			if target.Format == "time_series" && (!slices.Contains(columns, "time") || !slices.Contains(columns, "metric")) {
				t.Errorf("%s: columns %v are no plot", p.Title, columns)
			}
		}
	}
	for _, view := range []string{"flaky", "newest", "failing_since", "new_today", "slowest", "regressions", "proven", "unproven", "tokens"} {
		if !strings.Contains(asked, "from "+view+" ") {
			t.Errorf("no panel looks at %s", view)
		}
	}
}
