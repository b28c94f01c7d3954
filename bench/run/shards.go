package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"cairn/manifest"
)

// perDay is how many captures a busy team makes in a day.
const perDay = 2500

// needle is the fingerprint that questions ask about; one of needleEvery records has it.
const (
	needle      = "5eed0000cafe"
	needleEvery = 500
)

// tools are the tools of the records; fails is how many percent of their runs fail.
var tools = []struct {
	name, argv, kind string
	fails            int
}{
	{"go-test", `["go","test","./..."]`, "test", 12},
	{"pytest", `["pytest","-q"]`, "test", 10},
	{"eslint", `["npx","eslint","."]`, "lint", 20},
	{"tsc", `["npx","tsc","--noEmit"]`, "typecheck", 15},
	{"make", `["make"]`, "generic", 5},
}

// writeShards fills a cairn directory with count records in the layout of package manifest, as a clone would have
// written them: perDay records a day, the last one a minute before now.
func writeShards(dir string, count int, now time.Time) error {
	if count == 0 {
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "writer"), []byte("benchwriter\n"), 0o666); err != nil {
		return err
	}
	w := shardWriter{dir: dir}
	source := rand.New(rand.NewPCG(3, 4))
	step := 24 * time.Hour / perDay
	at := now.Add(-time.Minute - time.Duration(count)*step)
	var line []byte
	for i := range count {
		at = at.Add(step)
		var err error
		if line, err = appendRecord(line[:0], i, at.UTC(), source); err != nil {
			return err
		}
		if err := w.write(at.UTC(), line); err != nil {
			return err
		}
	}
	return w.flush()
}

// shardWriter starts a new shard before a line that would make the current one too large.
type shardWriter struct {
	dir   string
	day   string
	n     int
	lines bytes.Buffer
}

func (w *shardWriter) write(at time.Time, line []byte) error {
	day := at.Format("2006/01/02")
	if day != w.day || w.lines.Len()+len(line) > manifest.MaxShard {
		if err := w.flush(); err != nil {
			return err
		}
		if day != w.day {
			w.day, w.n = day, 0
		}
		w.n++
	}
	w.lines.Write(line)
	return nil
}

func (w *shardWriter) flush() error {
	if w.lines.Len() == 0 {
		return nil
	}
	dir := filepath.Join(w.dir, "manifest", filepath.FromSlash(w.day))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("benchwriter-%d.jsonl", w.n)), w.lines.Bytes(), 0o666)
	w.lines.Reset()
	return err
}

// appendRecord writes one line as a capture does. Every record has different digests, which make a real manifest hard
// to compress.
func appendRecord(b []byte, i int, at time.Time, r *rand.Rand) ([]byte, error) {
	id, err := manifest.NewID(at)
	if err != nil {
		return nil, err
	}
	tool := tools[r.IntN(len(tools))]
	if isNeedle(i) {
		tool = tools[1] // one command, with one finding
	}
	oid := "sha256:" + digest(r, 32)
	failed := r.IntN(100) < tool.fails || isNeedle(i)
	exit, status := 0, "passed"
	if failed {
		exit, status = 1, "failed"
	}
	b = fmt.Appendf(b, `{"v":1,"id":%q,"time":%q,"argv":%s,"dir":".","key":"key%09x","exit":%d,"duration_ms":%d,`,
		id, at.Format(manifest.TimeLayout), tool.argv, len(tool.name), exit, r.IntN(90000))
	b = fmt.Appendf(b, `"git":{"commit":%q,"tree":%q,"branch":"feature/%d","dirty":%t},"by":{"agent":"agent-%d"},"raw":{"oid":%q,"size":%d,"lines":%d},`,
		digest(r, 20), digest(r, 20), r.IntN(40), r.IntN(2) == 0, r.IntN(12), oid, r.IntN(2e6), r.IntN(4000))
	b = fmt.Appendf(b, `"result":{"schema_version":1,"tool":%q,"kind":%q,"status":%q,"status_source":"exit_code","exit_code":%d,`, tool.name, tool.kind, status, exit)
	b = fmt.Appendf(b, `"summary":"%d passed","parser_confidence":"parsed","raw_oid":%q,"findings":[`, r.IntN(900), oid)
	total := 0
	if failed {
		total = 1
		b = appendFinding(b, i, tool.kind, r)
	}
	return fmt.Appendf(b, `],"truncated":{"findings_total":%d,"findings_shown":%d,"raw":false}}}`+"\n", total, total), nil
}

func appendFinding(b []byte, i int, kind string, r *rand.Rand) []byte {
	fingerprint := digest(r, 6)
	if isNeedle(i) {
		fingerprint = needle
	}
	file, line := fmt.Sprintf("pkg/module_%d/file_%d.py", r.IntN(90), r.IntN(40)), r.IntN(900)+1
	return fmt.Appendf(b, `{"kind":"%s_failure","severity":"failure","id":"%s::test_case_%d","message":"assert response.status == 200, got %d","location":"%s:%d",`+
		`"at":{"path":%q,"line":%d},"expected":"200","actual":"%d","fingerprint":%q,"group":%q}`,
		kind, file, r.IntN(500), 400+r.IntN(100), file, line, file, line, 400+r.IntN(100), fingerprint, digest(r, 6))
}

// isNeedle says whether the i-th record is a needle; they are evenly distributed.
func isNeedle(i int) bool { return i%needleEvery == needleEvery/2 }

func digest(r *rand.Rand, bytes int) string {
	raw := make([]byte, bytes)
	for i := range raw {
		raw[i] = byte(r.Uint32())
	}
	return hex.EncodeToString(raw)
}

// manifestOf makes a repository with count records in the manifest and on the branch, as after single captures.
func (b *bench) manifestOf(ctx context.Context, count int) (string, error) {
	dir, err := b.repo(ctx, fmt.Sprintf("records-%d", count))
	if err != nil {
		return "", err
	}
	if err := b.must(ctx, dir, "git", "config", "gc.auto", "0"); err != nil {
		return "", err
	}
	if err := writeShards(filepath.Join(dir, ".git", "cairn"), count, time.Now()); err != nil {
		return "", fmt.Errorf("writing %d records: %w", count, err)
	}
	start := time.Now()
	if err := b.must(ctx, dir, b.cairn, "manifest", "fold"); err != nil {
		return "", err
	}
	b.fact(fmt.Sprintf("first fold of %d records", count), time.Since(start), "all in one commit; happens once, after a clone's shards came from elsewhere")
	got, err := b.countLines(ctx, dir)
	if err == nil && got != count {
		err = fmt.Errorf("the branch has %d records of %d", got, count)
	}
	return dir, err
}

// countLines counts the records on the branch, as git sees them.
func (b *bench) countLines(ctx context.Context, dir string) (int, error) {
	if _, err := b.output(ctx, dir, "git", "rev-parse", "-q", "--verify", "refs/heads/cairn"); err != nil {
		return 0, nil // nothing has been folded yet
	}
	cmd := exec.CommandContext(ctx, "git", "archive", "--format=tar", "cairn")
	cmd.Dir, cmd.Env = dir, b.env
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	n := 0
	for lines := bufio.NewReader(out); err == nil; {
		var line []byte
		line, err = lines.ReadBytes('\n')
		if bytes.Contains(line, []byte(`{"v":`)) {
			n++
		}
	}
	if err != io.EOF {
		return n, fmt.Errorf("reading the branch: %w", err)
	}
	return n, cmd.Wait()
}
