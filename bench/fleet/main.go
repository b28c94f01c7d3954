// Command fleet measures the tables of many repositories: how fast records are loaded into PostgreSQL and written as
// Parquet, and how long three questions take in each. It generates the records: 2,000 repositories, a few of which have
// most of the runs, in 60 days.
//
//	go -C bench run ./fleet -n 100000
//	go -C bench run ./fleet -n 10000000 -dir /var/tmp/ten    repeat until everything is loaded: 15 GB
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"iter"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"cairn/fleet"
	"cairn/fleet/export"
	"cairn/fleet/postgres"
	"cairn/recall/filter"
)

func main() {
	n := flag.Int("n", 100_000, "how many records")
	repositories := flag.Int("repositories", 2_000, "of how many repositories")
	loaders := flag.Int("loaders", 2, "how many connections load")
	dsn := flag.String("dsn", "", "an empty database; without it one is started and removed")
	dir := flag.String("dir", "", "keep the database and the files in this directory, and go on with what is there")
	only := flag.String("only", "", "postgres or parquet, and not the other")
	python := flag.String("python", "python3", "that has duckdb")
	flag.Parse()
	if err := run(context.Background(), *n, *repositories, *loaders, *dsn, *dir, *only, *python); err != nil {
		fmt.Fprintln(os.Stderr, "fleet:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, n, repositories, loaders int, dsn, dir, only, python string) error {
	m := newMaker(n, repositories)
	if only != "parquet" {
		if err := inPostgres(ctx, m, dsn, dir, loaders); err != nil || only == "postgres" {
			return err
		}
	}
	if dir == "" {
		made, err := os.MkdirTemp("", "cairn-fleet-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(made)
		dir = made
	}
	return inParquet(m, dir, python)
}

// serve starts bench/servers/postgres with the settings of a small server, and with synchronous writes as in
// production.
func serve(dir string) (address string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	server := exec.Command("servers/postgres", fmt.Sprint(port))
	server.Env = append(os.Environ(), "CAIRN_POSTGRES_FSYNC=on", "CAIRN_POSTGRES_OPTIONS=-c shared_buffers=1GB -c max_wal_size=8GB -c wal_compression=lz4 -c random_page_cost=1.1 -c work_mem=64MB")
	if dir != "" {
		server.Env = append(server.Env, "CAIRN_POSTGRES_DIR="+filepath.Join(dir, "postgres"))
	}
	server.Stderr = os.Stderr
	if err := server.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		server.Process.Signal(syscall.SIGTERM)
		server.Wait()
	}
	address = fmt.Sprintf("postgres://cairn@127.0.0.1:%d/cairn", port)
	for range 600 {
		if db, err := postgres.Open(context.Background(), address, true); err == nil {
			db.Close()
			return address, stop, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	stop()
	return "", nil, fmt.Errorf("PostgreSQL does not answer at %s", address)
}

func inPostgres(ctx context.Context, m *maker, dsn, dir string, loaders int) error {
	if dsn == "" {
		address, stop, err := serve(dir)
		if err != nil {
			return err
		}
		defer stop()
		dsn = address
	}
	db, err := postgres.Open(ctx, dsn, false)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.Migrate(ctx, -1); err != nil {
		return err
	}
	there, err := loaded(ctx, db)
	if err != nil {
		return err
	}
	begun, before := time.Now(), usedBelow(os.Getpid())
	written, err := load(ctx, m, dsn, loaders, there)
	if err != nil {
		return err
	}
	took := time.Since(begun)
	fmt.Printf("postgres: %d records loaded in %.1f s by %d loaders: %.0f a second; %.0f µs of processor a record by the loaders, %.0f by the server\n",
		written, took.Seconds(), loaders, float64(written)/took.Seconds(), used().Seconds()*1e6/float64(written), (usedBelow(os.Getpid())-before).Seconds()*1e6/float64(written))
	if err := db.Tidy(ctx); err != nil {
		return err
	}
	size, err := db.Size(ctx)
	if err != nil {
		return err
	}
	all := 0
	for _, n := range m.shares {
		all += n
	}
	fmt.Printf("postgres: %d records, %.0f bytes each with its rows and indexes\n", all, float64(size)/float64(all))
	for _, q := range []postgres.Question{
		{Name: "objects", Filters: filter.Filters{Status: "failed", Limit: 20}},
		{Name: "finding", Args: []string{m.needle}},
		{Name: "flaky", Filters: filter.Filters{Since: m.end.AddDate(0, 0, -30).Format(time.DateOnly), Limit: 20}},
	} {
		q.Now = m.end
		rows := 0
		took, err := median(func() error {
			a, err := db.Ask(ctx, q)
			if err == nil {
				rows = len(a.Rows)
			}
			return err
		})
		if err != nil {
			return err
		}
		fmt.Printf("postgres: %-8s %8.1f ms, %d rows\n", q.Name, ms(took), rows)
	}
	return nil
}

// usedBelow returns the CPU time of all processes that pid started, including ended ones. It is zero without /proc.
func usedBelow(pid int) (sum time.Duration) {
	const tick = time.Second / 100
	all, _ := filepath.Glob("/proc/[0-9]*/stat")
	below := map[string]bool{fmt.Sprint(pid): true}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) }) // parents usually come first
	for _, name := range all {
		text, _ := os.ReadFile(name) // the process may have ended
		_, rest, _ := strings.Cut(string(text), ") ")
		f := strings.Fields(rest)
		if len(f) < 15 || !below[f[1]] {
			continue
		}
		below[filepath.Base(filepath.Dir(name))] = true
		for _, ticks := range f[11:15] {
			n, _ := strconv.Atoi(ticks)
			sum += time.Duration(n) * tick
		}
	}
	return sum
}

// loaded returns the number of runs of each repository that an earlier process loaded.
func loaded(ctx context.Context, db *postgres.Database) (map[string]int64, error) {
	a, err := db.Ask(ctx, postgres.Question{Name: "stats", Now: time.Now()})
	if err != nil {
		return nil, err
	}
	there := map[string]int64{}
	for _, row := range a.Rows {
		there[row[0].(string)] = row[1].(int64)
	}
	return there, nil
}

// load has several loaders load one repository after another, except complete ones.
func load(ctx context.Context, m *maker, dsn string, loaders int, there map[string]int64) (int64, error) {
	var written, next atomic.Int64
	errs := make([]error, loaders)
	var wg sync.WaitGroup
	for i := range loaders {
		wg.Go(func() {
			db, err := postgres.Open(ctx, dsn, false)
			if err != nil {
				errs[i] = err
				return
			}
			defer db.Close()
			var batch []*fleet.Rows
			write := func() bool {
				n, err := db.Write(ctx, batch)
				written.Add(int64(n))
				batch, errs[i] = batch[:0], err
				return err == nil
			}
			for k := int(next.Add(1)) - 1; k < len(m.shares); k = int(next.Add(1)) - 1 {
				if there[m.name(k)] >= int64(m.shares[k]) {
					continue
				}
				for rows := range m.repository(k) {
					if batch = append(batch, rows); len(batch) == postgres.BatchRuns && !write() {
						return
					}
				}
				if !write() { // rows are written in batches, as when a clone is loaded
					return
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	return written.Load(), nil
}

func inParquet(m *maker, place, python string) error {
	dir, noted := filepath.Join(place, "parquet"), filepath.Join(place, "written")
	text, _ := os.ReadFile(noted) // the file does not exist for the first process
	done := strings.Fields(string(text))
	note, err := os.OpenFile(noted, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer note.Close()
	e, err := export.Open(dir, "parquet")
	if err != nil {
		return err
	}
	defer e.Close()
	var r export.Report
	begun := time.Now()
	for k := range m.shares {
		if slices.Contains(done, fmt.Sprint(k)) {
			continue
		}
		if err := e.Put(m.name(k), withErrors(m.repository(k)), &r); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(note, k); err != nil {
			return err
		}
	}
	took := time.Since(begun)
	size, parts := int64(0), 0
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if filepath.Ext(path) == ".parquet" {
				parts++
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			size += info.Size()
		}
		return err
	})
	if err != nil {
		return err
	}
	fmt.Printf("parquet:  %d records written in %.1f s: %.0f a second; %d bytes in %d files\n", r.Runs, took.Seconds(), float64(r.Runs)/took.Seconds(), size, parts)
	cmd := exec.Command(python, "fleet/questions.py", dir, m.needle, m.end.AddDate(0, 0, -30).Format(time.DateOnly))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("DuckDB, by %s (-python names one that has it): %w", python, err)
	}
	return nil
}

func withErrors(rows iter.Seq[*fleet.Rows]) iter.Seq2[*fleet.Rows, error] {
	return func(yield func(*fleet.Rows, error) bool) {
		for r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// median returns the median time of seven runs, after one to warm up.
func median(run func() error) (time.Duration, error) {
	var all []time.Duration
	for range 8 {
		begun := time.Now()
		if err := run(); err != nil {
			return 0, err
		}
		all = append(all, time.Since(begun))
	}
	all = all[1:]
	slices.Sort(all)
	return all[len(all)/2], nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// used returns the CPU time of this program so far.
func used() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
