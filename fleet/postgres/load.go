package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"cairn/fleet"
)

// BatchRuns and batchRows bound a transaction, to about ten megabytes of memory.
const (
	BatchRuns = 2_000
	batchRows = 100_000
)

// Report counts the runs of a load.
type Report struct {
	Runs      int  // runs that were written
	NoLists   int  // of these, runs whose list of tests was stored, but is not in the clone
	Unchanged bool // the record was unchanged since the last load, and was not read
}

// Load writes the captures of a clone that the database does not have.
func (d *Database) Load(ctx context.Context, c *fleet.Clone) (r Report, err error) {
	state, err := c.State(ctx)
	if err != nil {
		return r, err
	}
	host, _ := os.Hostname()
	clone := host + ":" + c.Dir
	var was string
	err = d.conn.QueryRow(ctx, `select state from loads where clone = $1 and repository = $2`, clone, c.Repository).Scan(&was)
	switch {
	case err == nil && was == state:
		return Report{Unchanged: true}, nil
	case err != nil && !errors.Is(err, pgx.ErrNoRows):
		return r, fmt.Errorf("reading what %s has of %s: %w", d.Name, c.Repository, err)
	}
	known, err := d.known(ctx, c.Repository)
	if err != nil {
		return r, fmt.Errorf("reading what %s has of %s: %w", d.Name, c.Repository, err)
	}
	var batch []*fleet.Rows
	size := 0
	flush := func() error {
		n, err := d.Write(ctx, batch)
		r.Runs, batch, size = r.Runs+n, batch[:0], 0
		return err
	}
	for rows, err := range c.Rows(ctx, func(run string) fleet.Known { return known[run] }) {
		if err != nil {
			return r, err
		}
		if rows.Run.OutcomesMiss {
			r.NoLists++
		}
		batch, size = append(batch, rows), size+1+len(rows.Findings)+len(rows.Outcomes)+len(rows.Stages)
		if len(batch) >= BatchRuns || size >= batchRows {
			if err := flush(); err != nil {
				return r, err
			}
		}
	}
	if err := flush(); err != nil || c.Unread() { // records that cannot be read are tried again by the next load
		return r, err
	}
	_, err = d.conn.Exec(ctx, `insert into loads (clone, repository, state, runs) values ($1, $2, $3, $4)
		on conflict (clone) do update set repository = excluded.repository, state = excluded.state, loaded = now(), runs = loads.runs + excluded.runs`, clone, c.Repository, state, r.Runs)
	return r, err
}

func (d *Database) known(ctx context.Context, repository string) (map[string]fleet.Known, error) {
	rows, err := d.conn.Query(ctx, `select run_id, outcomes_missing or findings_missing from runs where repository = $1`, repository)
	if err != nil {
		return nil, err
	}
	known, id, lacks := map[string]fleet.Known{}, "", false
	_, err = pgx.ForEachRow(rows, []any{&id, &lacks}, func() error {
		if known[id] = fleet.Whole; lacks {
			known[id] = fleet.InPart
		}
		return nil
	})
	return known, err
}

// tries is how often a batch is restarted because another loader has written the same runs.
const tries = 20

// Write writes runs with their rows, and returns how many it wrote. A run that exists stays as it is, unless it lacks a
// list of tests or findings that the new one has.
func (d *Database) Write(ctx context.Context, batch []*fleet.Rows) (n int, err error) {
	if len(batch) == 0 {
		return 0, nil
	}
	batch = slices.Clone(batch)
	slices.SortFunc(batch, func(a, b *fleet.Rows) int { return strings.Compare(a.Run.RunID, b.Run.RunID) }) // the same order for all loaders prevents deadlocks
	if err := d.makePartitions(ctx, batch); err != nil {
		return 0, fmt.Errorf("making a partition in %s: %w", d.Name, err)
	}
	for range tries {
		n, err = d.writeOnce(ctx, batch)
		var known *pgconn.PgError
		if err == nil || !errors.As(err, &known) || !slices.Contains([]string{"23505", "40P01", "40001"}, known.Code) {
			break
		}
	}
	if err != nil {
		return 0, fmt.Errorf("writing %d runs of %s to %s: %w; what was written stays, and the same command goes on", len(batch), batch[0].Run.Repository, d.Name, err)
	}
	return n, nil
}

func (d *Database) writeOnce(ctx context.Context, batch []*fleet.Rows) (n int, err error) {
	err = pgx.BeginFunc(ctx, d.conn, func(tx pgx.Tx) error {
		if err := lockRepositories(ctx, tx, batch); err != nil {
			return err
		}
		fresh, better, err := without(ctx, tx, batch)
		if err != nil || len(fresh) == 0 {
			return err
		}
		if err := remove(ctx, tx, better); err != nil {
			return err
		}
		n = len(fresh)
		err = errors.Join(copyRows(ctx, tx, "runs", fresh, func(r *fleet.Rows) []fleet.Run { return []fleet.Run{r.Run} }),
			copyRows(ctx, tx, "findings", fresh, func(r *fleet.Rows) []fleet.Finding { return r.Findings }),
			copyRows(ctx, tx, "outcomes", fresh, func(r *fleet.Rows) []fleet.Outcome { return r.Outcomes }),
			copyRows(ctx, tx, "stages", fresh, func(r *fleet.Rows) []fleet.Stage { return r.Stages }))
		if err != nil {
			return err
		}
		return noteFlaky(ctx, tx, fresh)
	})
	return n, err
}

// lockRepositories makes loaders of one repository take turns: one that waits then sees the other's rows. Repositories
// are mapped to 1024 locks, since a server has room for only some thousands.
func lockRepositories(ctx context.Context, tx pgx.Tx, batch []*fleet.Rows) error {
	names := map[string]bool{}
	for _, r := range batch {
		names[r.Run.Repository] = true
	}
	_, err := tx.Exec(ctx, `select pg_advisory_xact_lock($1, k) from (select distinct hashtext(n) & 1023 as k from unnest($2::text[]) n order by k) locks`, int32(lockClass), slices.Collect(maps.Keys(names)))
	return err
}

// lockClass is the first half of the advisory locks' keys.
const lockClass = 0x63616972

// noteFlaky updates the summary of flaky tests for the runs just written.
func noteFlaky(ctx context.Context, tx pgx.Tx, fresh []*fleet.Rows) error {
	var repositories, keys, trees []string
	for _, r := range fresh {
		if r.Run.EvidenceTree != "" {
			repositories, keys, trees = append(repositories, r.Run.Repository), append(keys, r.Run.CommandKey), append(trees, r.Run.EvidenceTree)
		}
	}
	_, err := tx.Exec(ctx, `select note_flaky($1, $2, $3)`, repositories, keys, trees)
	return err
}

// without returns the runs that the database does not have, and those of which it has less.
func without(ctx context.Context, tx pgx.Tx, batch []*fleet.Rows) (fresh, better []*fleet.Rows, err error) {
	ids, times := make([]string, len(batch)), make([]time.Time, len(batch))
	for i, r := range batch {
		ids[i], times[i] = r.Run.RunID, r.Run.Time
	}
	// One by one by the primary key: a list of ids would be compared with every run of that time, as would a join
	// without the limit.
	rows, err := tx.Query(ctx, `select r.* from unnest($1::text[], $2::timestamptz[]) as b(id, at)
		cross join lateral (select run_id, outcomes_missing, findings_missing from runs where run_id = b.id and time = b.at limit 1) r`, ids, times)
	if err != nil {
		return nil, nil, err
	}
	type lacks struct{ outcomes, findings bool }
	there, id, l := map[string]lacks{}, "", lacks{}
	_, err = pgx.ForEachRow(rows, []any{&id, &l.outcomes, &l.findings}, func() error {
		there[id] = l
		return nil
	})
	for _, r := range batch {
		was, known := there[r.Run.RunID]
		now := lacks{r.Run.OutcomesMiss, r.Run.FindingsMiss}
		worse := now.outcomes && !was.outcomes || now.findings && !was.findings
		if known && (now == was || worse) {
			continue
		}
		there[r.Run.RunID] = now // a batch may have a run twice
		if fresh = append(fresh, r); known {
			better = append(better, r)
		}
	}
	return fresh, better, err
}

// span is the ids of a batch's runs, and their first and last time.
func span(batch []*fleet.Rows) (ids []string, first, last time.Time) {
	for i, r := range batch {
		ids = append(ids, r.Run.RunID)
		if i == 0 || r.Run.Time.Before(first) {
			first = r.Run.Time
		}
		if r.Run.Time.After(last) {
			last = r.Run.Time
		}
	}
	return ids, first, last
}

// remove deletes the rows of runs.
func remove(ctx context.Context, tx pgx.Tx, runs []*fleet.Rows) error {
	ids, first, last := span(runs)
	for _, table := range fleet.Tables() {
		if len(ids) == 0 {
			break
		}
		if _, err := tx.Exec(ctx, fmt.Sprintf(`delete from %s where run_id = any($1) and time between $2 and $3`, table.Name), ids, first, last); err != nil {
			return err
		}
	}
	return nil
}

// copyRows sends the rows of one table. After an error, the other tables fail as well, so the first error is the one to
// report.
func copyRows[R any](ctx context.Context, tx pgx.Tx, table string, batch []*fleet.Rows, of func(*fleet.Rows) []R) error {
	var names []string
	for _, c := range fleet.ColumnsOf[R]() {
		names = append(names, c.Name)
	}
	var all []R
	for _, r := range batch {
		all = append(all, of(r)...)
	}
	if len(all) == 0 {
		return nil
	}
	values := make([]any, len(names))
	_, err := tx.CopyFrom(ctx, pgx.Identifier{table}, names, pgx.CopyFromSlice(len(all), func(i int) ([]any, error) { return fleet.Values(&all[i], values), nil }))
	return err
}

// makePartitions creates the partitions that a batch needs.
func (d *Database) makePartitions(ctx context.Context, batch []*fleet.Rows) error {
	for _, r := range batch {
		at := r.Run.Time.UTC()
		month := at.Format("2006_01")
		if d.months[month] {
			continue
		}
		from := time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
		err := pgx.BeginFunc(ctx, d.conn, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `select pg_advisory_xact_lock($1)`, int64(lockID))
			for _, table := range fleet.Tables() {
				if err == nil {
					_, err = tx.Exec(ctx, fmt.Sprintf(`create table if not exists %s_%s partition of %s for values from ('%s') to ('%s')`,
						table.Name, month, table.Name, from.Format(time.RFC3339), from.AddDate(0, 1, 0).Format(time.RFC3339)))
				}
			}
			return err
		})
		if err != nil {
			return err
		}
		d.months[month] = true
	}
	return nil
}
