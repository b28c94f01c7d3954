// Package postgres stores the tables of package fleet in a PostgreSQL database, and queries them.
//
// The tables and views are specified by package fleet and by the files in migrations. Each migration
// has a number, and a second file that undoes it. They are tested with PostgreSQL 15 and need no extension.
//
// # Loading
//
// A run and its rows are written in one transaction, by COPY, and the primary key of runs keeps a run from being stored
// twice: if two loaders bring it at the same time, one restarts its batch without it. So any number of loaders may run
// at once, an interrupted loader has written only whole runs, and repeating a load changes nothing. The tables are
// partitioned by month; a partition is created when the month's first run is loaded.
//
// A clone whose record is unchanged since its last load is not read. Loading never changes or removes rows.
//
// # Reading
//
// Queries run in read-only transactions, so a user who has only been granted cairn_reader can ask them.
//
// What may go in: SQL, and the code that loads rows. Rows are defined by package fleet.
package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
)

//go:embed migrations
var migrations embed.FS

// Database is a connection.
type Database struct {
	conn   *pgx.Conn
	Name   string          // name of the database and its host, without a password
	months map[string]bool // months that have partitions
}

// Open connects to an address, which is a URL or "key=value" words as in libpq. Missing parameters come from the
// environment (PGPASSWORD, …) and from libpq's files.
func Open(ctx context.Context, address string, readOnly bool) (*Database, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, err // the library's message does not contain the password
	}
	config.RuntimeParams["application_name"] = "cairn"
	config.RuntimeParams["timezone"] = "UTC"
	// A crash of the server may lose the newest transactions, with the clone's state, so the next load brings them
	// again.
	config.RuntimeParams["synchronous_commit"] = "off"
	if readOnly {
		config.RuntimeParams["default_transaction_read_only"] = "on"
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("%w; the address, the user and ~/.pgpass or PGPASSWORD decide", err)
	}
	return &Database{conn: conn, Name: config.Host + "/" + config.Database, months: map[string]bool{}}, nil
}

// Close ends the connection.
func (d *Database) Close() { d.conn.Close(context.WithoutCancel(context.Background())) }

// Tidy updates the planner's statistics and the visibility map after a load. The server would do so some minutes later.
func (d *Database) Tidy(ctx context.Context) error {
	_, err := d.conn.Exec(ctx, `vacuum (analyze)`)
	return err
}

// Size is the size of the tables and their indexes, in bytes.
func (d *Database) Size(ctx context.Context) (bytes int64, err error) {
	err = d.conn.QueryRow(ctx, `select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint from pg_inherits
		where inhparent in ('runs'::regclass, 'findings'::regclass, 'outcomes'::regclass, 'stages'::regclass)`).Scan(&bytes)
	return bytes, err
}

// step is one migration.
type step struct{ name, up, down string }

// included matches a line by which psql includes another file: views that a step replaced are restored by earlier
// steps.
var included = regexp.MustCompile(`(?m)^\\i \S+`)

func steps() (all []step) {
	names, err := fs.Glob(migrations, "migrations/*.up.sql")
	for _, name := range names {
		up, upErr := migrations.ReadFile(name)
		down, downErr := migrations.ReadFile(strings.TrimSuffix(name, ".up.sql") + ".down.sql")
		down = included.ReplaceAllFunc(down, func(line []byte) []byte {
			text, readErr := migrations.ReadFile("migrations/" + string(line[len(`\i `):]))
			downErr = errors.Join(downErr, readErr)
			return text
		})
		err = errors.Join(err, upErr, downErr)
		all = append(all, step{strings.TrimSuffix(strings.TrimPrefix(name, "migrations/"), ".up.sql"), string(up), string(down)})
	}
	if err != nil {
		panic(err) // the files are part of the program
	}
	return all
}

// Newest is the version of the tables that this package writes.
func Newest() int { return len(steps()) }

// lockID is the advisory lock that is held while the schema changes.
const lockID = 0x636169726e

// Migrate changes the tables to a version, up or down, all or nothing; below 0 means the newest. Version 0 has no
// tables and no rows.
func (d *Database) Migrate(ctx context.Context, to int) (from int, err error) {
	all := steps()
	if to < 0 {
		to = len(all)
	}
	if to > len(all) {
		return 0, fmt.Errorf("there is no version %d of the tables; the newest that this cairn-fleet knows is %d", to, len(all))
	}
	err = pgx.BeginFunc(ctx, d.conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `select pg_advisory_xact_lock($1)`, int64(lockID))
		if err == nil {
			_, err = tx.Exec(ctx, `create table if not exists cairn_version (version integer primary key, name text not null, since timestamptz not null default now())`)
		}
		if err == nil {
			err = tx.QueryRow(ctx, `select coalesce(max(version), 0) from cairn_version`).Scan(&from)
		}
		if err == nil && from > len(all) {
			err = fmt.Errorf("its tables are of version %d, and this cairn-fleet knows %d: install a newer one", from, len(all))
		}
		for at := from; err == nil && at != to; {
			if at < to {
				at++
				if _, err = tx.Exec(ctx, all[at-1].up); err == nil {
					_, err = tx.Exec(ctx, `insert into cairn_version (version, name) values ($1, $2)`, at, all[at-1].name)
				}
			} else {
				if _, err = tx.Exec(ctx, all[at-1].down); err == nil {
					_, err = tx.Exec(ctx, `delete from cairn_version where version = $1`, at)
				}
				at--
			}
		}
		return err
	})
	if err != nil {
		return from, fmt.Errorf("bringing the tables of %s from version %d to %d: %w", d.Name, from, to, err)
	}
	return from, nil
}
