// Package postgres keeps the tables of package fleet in a database that speaks PostgreSQL's protocol, and asks it.
//
// The tables and views are those of the files in migrations, which are the specification beside package fleet. Each
// has a number and is undone by its second file. They are tried with PostgreSQL 15; nothing in them is an extension.
//
// # Loading
//
// A run and the rows that belong to it are written in one transaction, by COPY, and the primary key of runs keeps a run
// from being there twice: of two loaders that bring it at the same time one begins its batch again without it. So any number of
// loaders may work at once, a loader that dies has written whole runs, and the same load twice changes nothing. The
// tables are partitioned by month; a partition is made when the first run of the month comes.
//
// A clone whose record is as it was at its last load is not read. What was loaded is not changed or removed by loading.
//
// # Reading
//
// Questions are asked in transactions that may only read, so a user who was granted cairn_reader and nothing else is enough.
//
// What may go in: SQL, and what puts rows into it. What a row is, package fleet says.
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
	Name   string          // of the database and its host, without a password
	months map[string]bool // that have partitions
}

// Open connects to an address, which is a URL or "key=value" words as of libpq. What it lacks is in the environment
// (PGPASSWORD, …) and in the files of libpq.
func Open(ctx context.Context, address string, readOnly bool) (*Database, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, err // the library leaves out the password
	}
	config.RuntimeParams["application_name"] = "cairn"
	config.RuntimeParams["timezone"] = "UTC"
	// What a crash of the server takes is newest, so the state of the clone goes with it, and the next load brings both again.
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

// Tidy tells the planner how large the tables are, and makes visible to indexes what was loaded. The server does it by itself some minutes later.
func (d *Database) Tidy(ctx context.Context) error {
	_, err := d.conn.Exec(ctx, `vacuum (analyze)`)
	return err
}

// Size is how many bytes the tables and their indexes take.
func (d *Database) Size(ctx context.Context) (bytes int64, err error) {
	err = d.conn.QueryRow(ctx, `select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint from pg_inherits
		where inhparent in ('runs'::regclass, 'findings'::regclass, 'outcomes'::regclass, 'stages'::regclass)`).Scan(&bytes)
	return bytes, err
}

// step is one migration.
type step struct{ name, up, down string }

// included is a line by which psql, too, takes in another file: what a step has replaced is made again by the steps before it.
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

// lockID is the advisory lock under which the shape of the database changes.
const lockID = 0x636169726e

// Migrate brings the tables to a version, forwards or back; below zero it is the newest. All of it happens or none.
// Version 0 has no tables, and no rows.
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
