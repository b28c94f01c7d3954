package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"cairn/fleet"
	"cairn/fleet/postgres"
	"cairn/internal/fleets"
	"cairn/render"
	"cairn/result"
)

func load(ctx context.Context, r fleets.Request) error {
	db, err := postgres.Open(ctx, r.To, false)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.Migrate(ctx, -1); err != nil {
		return err
	}
	return eachClone(ctx, r, func(c *fleet.Clone) error {
		did, err := db.Load(ctx, c)
		switch {
		case did.Unchanged:
			fmt.Printf("%s: nothing new\n", c.Repository)
		case err == nil || did.Runs > 0:
			fmt.Printf("%s: loaded %s%s\n", c.Repository, result.Count(did.Runs, "run"), lacking(did.NoLists))
		}
		return err
	})
}

func migrate(ctx context.Context, r fleets.Request) error {
	db, err := postgres.Open(ctx, r.To, false)
	if err != nil {
		return err
	}
	defer db.Close()
	to := r.Version
	if to < 0 {
		to = postgres.Newest()
	}
	from, err := db.Migrate(ctx, to)
	if err == nil {
		fmt.Printf("%s: tables of version %d, from %d\n", db.Name, to, from)
	}
	return err
}

func ask(ctx context.Context, r fleets.Request) error {
	db, err := postgres.Open(ctx, r.To, true)
	if err != nil {
		return err
	}
	defer db.Close()
	a, err := db.Ask(ctx, postgres.Question{Name: r.Question, Args: r.Args, Repos: r.Repos, Filters: r.Filters, Now: time.Now()})
	if err != nil {
		return err
	}
	if len(a.Rows) == 0 {
		return errNothing
	}
	return show(a, r.Format)
}

// show prints an answer.
func show(a *postgres.Answer, format string) error {
	out := bufio.NewWriter(os.Stdout)
	if a.More && format != "compact" { // the compact format says so at its end
		fmt.Fprintln(os.Stderr, "cairn: there is more than these rows: --limit 0")
	}
	switch format {
	case "json":
		for _, row := range a.Rows {
			if err := jsonLine(out, a.Columns, row); err != nil {
				return err
			}
		}
	case "csv":
		rows := [][]string{a.Columns}
		for _, row := range a.Rows {
			rows = append(rows, texts(row))
		}
		out.WriteString(render.CSV(rows...))
	default:
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, strings.Join(a.Columns, "\t"))
		for _, row := range a.Rows {
			cells := texts(row)
			for i := range cells {
				cells[i] = short(result.CleanLine(cells[i]))
			}
			fmt.Fprintln(w, strings.Join(cells, "\t"))
		}
		w.Flush()
		if a.More {
			fmt.Fprintln(out, "[… there is more: --limit 0]")
		}
	}
	return out.Flush()
}

// jsonLine writes a row as JSON, with the columns in order.
func jsonLine(out *bufio.Writer, columns []string, row []any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i, v := range row {
		if t, is := v.(time.Time); is {
			v = text(t)
		}
		fmt.Fprintf(&b, ",%q:", columns[i])
		if err := e.Encode(v); err != nil {
			return err
		}
		b.Truncate(b.Len() - 1) // the newline that the encoder added
	}
	_, err := fmt.Fprintf(out, "{%s}\n", b.Bytes()[1:])
	return err
}

func texts(row []any) []string {
	cells := make([]string, len(row))
	for i, v := range row {
		cells[i] = text(v)
	}
	return cells
}

// text is the text of a cell for people.
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case time.Time:
		if v.Equal(v.Truncate(24 * time.Hour)) {
			return v.UTC().Format(time.DateOnly)
		}
		return v.UTC().Format("2006-01-02T15:04:05Z")
	case []any:
		all := make([]string, len(v))
		for i := range v {
			all[i] = text(v[i])
		}
		return strings.Join(all, ", ")
	}
	return fmt.Sprint(v)
}

// short cuts a text so that other columns of the row have room.
func short(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
