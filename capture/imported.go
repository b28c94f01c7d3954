package capture

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"cairn/internal/lockfile"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/parsers"
	"cairn/result"
)

// importable is a kind of file with the output of a run elsewhere.
type importable struct {
	kind, about string
	tool        string // parses the file if its content does not identify a tool
	mark        string // a text near the beginning of each such file; "" if none exists
}

// importables lists the kinds of files that can be imported.
var importables = []importable{
	{"github-log", "the log of a job of GitHub Actions", "", ""},
	{"gitlab-log", "the log of a job of GitLab CI", "", ""},
	{"junit", "JUnit XML", "junit", "<testsuite"},
	{"sarif", "SARIF", "sarif", `"runs"`},
	{"ctrf", "a CTRF document", "ctrf", `"results"`},
	{"go-json", "the output of go test -json", "go-test", `"Action"`},
	{"teamcity", "service messages of TeamCity", "teamcity", "##teamcity["},
}

// ImportKinds are the kinds of files that PutOptions.From takes.
func ImportKinds() (kinds []string) {
	for _, i := range importables {
		kinds = append(kinds, i.kind)
	}
	return kinds
}

// headOfImport is how many bytes at the beginning are searched for the mark.
const headOfImport = 64 << 10

// imported checks that data begins like a file of the kind, and returns a reader of all of it.
func imported(kind string, data io.Reader) (importable, io.Reader, error) {
	i := slices.IndexFunc(importables, func(i importable) bool { return i.kind == kind })
	if i < 0 {
		return importable{}, nil, fmt.Errorf("no kind of file is called %q", kind)
	}
	of, in := importables[i], bufio.NewReaderSize(data, headOfImport)
	head, err := in.Peek(headOfImport)
	if err != nil && !errors.Is(err, io.EOF) {
		return of, nil, err
	}
	if !bytes.Contains(head, []byte(of.mark)) {
		return of, nil, fmt.Errorf("this is not %s: %s does not occur in its first %d bytes", of.about, of.mark, len(head))
	}
	return of, in, nil
}

// parse parses a file. If its content does not identify a tool, the parser of its kind is used.
func (of importable) parse(in *parsers.Input, exit result.Exit) *result.ToolResult {
	r := parsers.Parse(*in, exit)
	if of.tool == "" || in.Tool != "" || r.ParserConfidence == result.Parsed {
		return r
	}
	in.Tool = of.tool
	return parsers.Parse(*in, exit)
}

// beginImport checks the data, and keeps other imports out until unlock is called.
func beginImport(ctx context.Context, s *place.Site, o *PutOptions) (of importable, unlock func(), err error) {
	if o.From == "" {
		return of, func() {}, nil
	}
	if of, o.Data, err = imported(o.From, o.Data); err != nil {
		return of, nil, err
	}
	if unlock, err = importLock(ctx, s); err != nil {
		return of, nil, fmt.Errorf("waiting for another import: %w", err)
	}
	return of, unlock, nil
}

// importLock lets one import at a time look for an earlier one and record itself.
func importLock(ctx context.Context, s *place.Site) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(s.Dir, "import.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		free, taken, err := lockfile.Try(f)
		if err != nil || taken {
			return func() {
				if taken {
					free()
				}
				f.Close()
			}, err
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// importOf is the record of an earlier import of the same bytes, in this clone or another; nil if there was no such import.
func importOf(ctx context.Context, s *place.Site, kind, oid string) (*manifest.Record, error) {
	q := manifest.Query{Newest: true, Contains: [][]byte{manifest.Literal("from", kind), manifest.Literal("oid", oid)}}
	for rec, err := range s.Manifest.Records(ctx, q) {
		if err != nil {
			return nil, err
		}
		if rec.Type == manifest.TypeCapture && rec.From == kind && rec.Raw != nil && rec.Raw.OID == oid {
			return rec, nil
		}
	}
	return nil, nil
}

// known is the outcome of importing bytes that were imported before.
func (b *backend) known(s *place.Site, rec *manifest.Record, source parsers.Source, size int64, err error) (*Outcome, error) {
	if err != nil {
		return nil, fmt.Errorf("importing: looking for an earlier import: %w", err)
	}
	r, err := rec.Result()
	if err != nil {
		return nil, err
	}
	return &Outcome{Result: r, Record: rec, Known: true, site: s, b: b, Raw: shown(source, size)}, nil
}
