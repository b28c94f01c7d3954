// Package export writes the tables of package fleet as files.
//
// # Layout
//
//	DIR/TABLE/repo=NAME/month=2026-11/PART.parquet    or .csv, .jsonl
//	DIR/_cairn/repo=NAME/month=2026-11/PART.ids       the runs of a part, one per line
//
// TABLE is runs, findings, outcomes or stages; NAME is the repository with all bytes but letters, digits, ".", "_" and
// "-" as %XX, as in Hive, so DuckDB, ClickHouse and Spark read the folders as partitions. The month is the run's, in
// UTC. A part has at most PartRuns runs of one repository and one month. Its name is the digest of their ids, so the
// same runs make the same part. If a part has no rows for a table, there is no such file.
//
// A file is written once and never changed. It is renamed into place when complete; the list of ids comes last. A part
// without a list was left by an interrupted export: the next one removes it. A run in a list is not written again, so
// an export is incremental, and repeating it changes nothing. While one export is running, another into the same
// directory is refused.
//
// # Formats
//
// Parquet: zstd, dictionaries for repeated values, times as timestamps in microseconds of UTC. CSV: RFC 4180, a line of
// names first; null is an empty field without quotes, and empty texts do not occur; times as in
// 2026-11-20T23:24:54.123456Z. JSON Lines: all keys in each line, null as null.
//
// What may go in: files and their formats. The rows are defined by package fleet.
package export

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/fleet"
	"cairn/internal/lockfile"
)

// PartRuns bounds the runs of a part: it takes some megabytes of memory, and files are large enough to be worth
// opening.
const PartRuns = 20_000

// Forms are the formats of files, which are also the endings of their names.
var Forms = []string{"parquet", "csv", "jsonl"}

// Report counts what was written.
type Report struct {
	Runs, Known, Parts int
	Findings, Outcomes int
	NoLists            int // runs whose list of tests was stored, but is not in the clone
}

// Exporter writes into one directory.
type Exporter struct {
	dir    string
	form   string
	unlock func() error
	lock   *os.File
}

// Open opens a directory for an export; it is created if it does not exist.
func Open(dir, form string) (*Exporter, error) {
	if !slices.Contains(Forms, form) {
		return nil, fmt.Errorf("%q is no form of an export: parquet, csv or jsonl", form)
	}
	own := filepath.Join(dir, "_cairn")
	if err := os.MkdirAll(own, 0o777); err != nil {
		return nil, err
	}
	if err := keepForm(filepath.Join(own, "form"), form); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(own, "lock"), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	unlock, taken, err := lockfile.Try(lock)
	if err == nil && !taken {
		err = fmt.Errorf("another export into %s is at work; run this one when it has ended", dir)
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	return &Exporter{dir: dir, form: form, unlock: unlock, lock: lock}, nil
}

// Close releases the directory.
func (e *Exporter) Close() error { return errors.Join(e.unlock(), e.lock.Close()) }

// keepForm ensures that a directory has only one format, so that all parts of a table can be read together.
func keepForm(path, form string) error {
	was, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return os.WriteFile(path, []byte(form+"\n"), 0o666)
	}
	if err == nil && strings.TrimSpace(string(was)) != form {
		return fmt.Errorf("%s holds an export as %s: write %s to another directory", filepath.Dir(filepath.Dir(path)), strings.TrimSpace(string(was)), form)
	}
	return err
}

// Export writes the captures of a clone that the directory does not have.
func (e *Exporter) Export(ctx context.Context, c *fleet.Clone) (r Report, err error) {
	known, err := e.known(c.Repository)
	if err != nil {
		return r, err
	}
	r.Known = len(known)
	err = e.Put(c.Repository, c.Rows(ctx, func(run string) fleet.Known { return known[run] }), &r)
	return r, err
}

// Put writes captures of a repository.
func (e *Exporter) Put(repository string, all iter.Seq2[*fleet.Rows, error], r *Report) error {
	parts := map[string]*part{}
	for rows, err := range all {
		if err != nil {
			return err
		}
		month := rows.Run.Time.Format("2006-01")
		p := parts[month]
		if p == nil {
			p = &part{}
			parts[month] = p
		}
		p.add(rows)
		if p.full() {
			delete(parts, month)
			if err := e.write(repository, month, p, r); err != nil {
				return err
			}
		}
	}
	for month, p := range parts {
		if err := e.write(repository, month, p, r); err != nil {
			return err
		}
	}
	return nil
}

// part has the contents of one part's files.
type part struct {
	ids      []string
	noLists  int
	runs     []fleet.Run
	findings []fleet.Finding
	outcomes []fleet.Outcome
	stages   []fleet.Stage
}

func (p *part) add(rows *fleet.Rows) {
	p.ids = append(p.ids, rows.Run.RunID)
	p.runs = append(p.runs, rows.Run)
	if rows.Run.OutcomesMiss {
		p.noLists++
	}
	p.findings = append(p.findings, rows.Findings...)
	p.outcomes = append(p.outcomes, rows.Outcomes...)
	p.stages = append(p.stages, rows.Stages...)
}

// partRows bounds the rows of a part, since its runs may have many tests.
const partRows = 500_000

func (p *part) full() bool {
	return len(p.runs) >= PartRuns || len(p.findings)+len(p.outcomes)+len(p.stages) >= partRows
}

func (e *Exporter) write(repository, month string, p *part, r *Report) error {
	slices.Sort(p.ids)
	digest := sha256.Sum256([]byte(strings.Join(p.ids, "\n")))
	name := hex.EncodeToString(digest[:16])
	at := func(table, ending string) string {
		return filepath.Join(e.dir, table, folderOf(repository), "month="+month, name+"."+ending)
	}
	err := errors.Join(writeTable(at("findings", e.form), e.form, p.findings), writeTable(at("outcomes", e.form), e.form, p.outcomes),
		writeTable(at("stages", e.form), e.form, p.stages), writeTable(at("runs", e.form), e.form, p.runs))
	if err == nil {
		err = writeFile(at("_cairn", "ids"), func(w io.Writer) error {
			_, err := io.WriteString(w, strings.Join(p.ids, "\n")+"\n")
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("writing a part of %s, %s: %w; the same command begins it again", repository, month, err)
	}
	r.NoLists += p.noLists
	r.Runs, r.Findings, r.Outcomes, r.Parts = r.Runs+len(p.runs), r.Findings+len(p.findings), r.Outcomes+len(p.outcomes), r.Parts+1
	return nil
}

// known returns which runs of a repository have been exported, and removes parts without a list.
func (e *Exporter) known(repository string) (map[string]fleet.Known, error) {
	known, parts := map[string]fleet.Known{}, map[string]bool{}
	folder := folderOf(repository)
	err := eachFile(filepath.Join(e.dir, "_cairn", folder), func(path, month, name string) error {
		if filepath.Ext(name) != ".ids" {
			return os.Remove(path)
		}
		text, err := os.ReadFile(path)
		for _, id := range strings.Fields(string(text)) {
			known[id] = fleet.Whole // a file is never changed, even if missing parts arrive later
		}
		parts[month+"/"+strings.TrimSuffix(name, ".ids")] = true
		return err
	})
	for _, table := range fleet.Tables() {
		err = errors.Join(err, eachFile(filepath.Join(e.dir, table.Name, folder), func(path, month, name string) error {
			if parts[month+"/"+strings.TrimSuffix(name, "."+e.form)] {
				return nil
			}
			return os.Remove(path)
		}))
	}
	if err != nil {
		return nil, fmt.Errorf("finding out what %s has of %s: %w", e.dir, repository, err)
	}
	return known, nil
}

// eachFile visits the files of one repository.
func eachFile(dir string, visit func(path, month, name string) error) error {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return visit(path, filepath.Base(filepath.Dir(path)), d.Name())
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// escape encodes a name as Hive does in a folder's name.
func escape(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		switch {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '.', c == '_', c == '-':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// folderOf is the folder of a repository, in each of the tables.
func folderOf(repository string) string { return "repo=" + escape(repository) }
