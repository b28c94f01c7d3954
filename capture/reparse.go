package capture

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/internal/lockfile"
	"cairn/internal/place"
	"cairn/internal/sources"
	"cairn/internal/streams"
	"cairn/manifest"
	"cairn/objects"
	"cairn/parsers"
	"cairn/redact"
	"cairn/result"
)

// Parse parses the output of a capture again, from its objects, as when the command
// ended, since a record does not hold the texts around its findings. An error means
// that the bytes are not in this clone.
func Parse(s *place.Site, rec *manifest.Record) (*result.ToolResult, error) {
	return parseAs(s, rec, func(parsers.Source) (*parsers.Parser, error) {
		return cmp.Or(toldBefore(s, rec), ownParser(s.Place, rec.Argv, rec.Shell, nil)), nil
	})
}

// parseAs is Parse with the project's own parser that as returns for the output; nil
// means none.
func parseAs(s *place.Site, rec *manifest.Record, as func(parsers.Source) (*parsers.Parser, error)) (*result.ToolResult, error) {
	_, r, err := sessionAs(s, rec, as)
	return r, err
}

// sessionAs is parseAs that also returns the session.
func sessionAs(s *place.Site, rec *manifest.Record, as func(parsers.Source) (*parsers.Parser, error)) (*parsers.Session, *result.ToolResult, error) {
	if rec.Raw == nil {
		return nil, nil, fmt.Errorf("capture %s kept no output", rec.ID)
	}
	id, err := objects.ParseID(rec.Raw.OID)
	if err != nil {
		return nil, nil, err
	}
	obj, err := s.Objects.OpenObject(id)
	if err != nil {
		return nil, nil, err
	}
	defer obj.Close()
	order, err := orderOf(s, rec)
	if err != nil {
		return nil, nil, err
	}
	w := workspaceOf(s, rec)
	files := reopen(s, rec.Artifacts, w, new(redact.Redactor))
	defer files.close()
	source := Kept(obj, obj.Size(), bytes.NewReader(order), int64(len(order)))
	own, err := as(source)
	if err != nil {
		return nil, nil, err
	}
	session := parsers.New(parsers.Input{
		Tool: rec.ParseAs, Argv: rec.Argv, Shell: rec.Shell, Workspace: w, Truncated: rec.Partial, Redact: redact.Text, Artifacts: files.parsed,
		Source: source, As: own,
	})
	session.Scan()
	r := session.Result(exitOfRecord(rec))
	if was, err := rec.Result(); err == nil && was != nil && sources.SeesPrinted(was) {
		sources.SeeFiles(r, w)
	} else {
		sources.SeePaths(r, w)
	}
	files.tell(r)
	endOf(rec).tell(r)
	r.Partial, r.RawOID = rec.Partial, rec.Raw.OID
	return session, r, nil
}

// orderOf reads the stream order of a capture.
func orderOf(s *place.Site, rec *manifest.Record) ([]byte, error) {
	order := rec.Raw.StreamOrder()
	if !strings.HasPrefix(order, "sha256:") {
		return streams.FromInline(order), nil
	}
	id, err := objects.ParseID(order)
	if err != nil {
		return nil, err
	}
	return s.Objects.ReadAll(id)
}

// atOnce says whether all of an output came on stdout within maxAtOnce. A record holds
// no order for such an output.
func atOnce(order []byte) bool {
	var first, last streams.Run
	for i, line := range bytes.Split(bytes.TrimSuffix(order, []byte{'\n'}), []byte{'\n'}) {
		r, err := streams.Parse(line)
		if err != nil || r.Stream != streams.Stdout {
			return false
		}
		if last = r; i == 0 {
			first = r
		}
	}
	return last.MS-first.MS < maxAtOnce
}

// maxAtOnce is in how many milliseconds an output must come to look instantaneous in a
// replay.
const maxAtOnce = 100

// orderLost is the Order of an output whose order could not be kept.
const orderLost = "lost"

// reopen opens the files that, according to the journal, were kept, for parsing. The
// journal does not say which of them the command line named, so all count as named.
func reopen(s *place.Site, kept []manifest.Artifact, w result.Workspace, red *redact.Redactor) *artifacts {
	a := &artifacts{open: s.Objects.OpenObject, workspace: w, red: red, seen: map[[sha256.Size]byte]bool{}}
	for _, k := range kept {
		if err := a.reopenOne(k); err != nil {
			a.miss(k.Path, err)
			continue
		}
		a.kept = append(a.kept, k)
	}
	return a
}

func (a *artifacts) reopenOne(k manifest.Artifact) error {
	id, err := objects.ParseID(k.OID)
	if err != nil {
		return err
	}
	obj, err := a.openObject(id)
	if err != nil {
		return err
	}
	if k.Role == rolePacked {
		return a.unpack(obj)
	}
	a.parsed = append(a.parsed, parsers.Artifact{Path: k.Path, Role: parsers.Role(k.Role), Named: true, Data: obj, Size: obj.Size()})
	return nil
}

// unpack adds the reports in a tar as sections of it, without copying.
func (a *artifacts) unpack(obj *objects.Object) error {
	all := io.NewSectionReader(obj, 0, obj.Size())
	for r := tar.NewReader(all); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading the reports in it: %w", err)
		}
		at, err := all.Seek(0, io.SeekCurrent) // the reader has read exactly the header
		if err != nil {
			return err
		}
		a.parsed = append(a.parsed, parsers.Artifact{Path: h.Name, Role: parsers.RoleReport, Named: true, Data: io.NewSectionReader(obj, at, h.Size), Size: h.Size})
	}
}

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
