package capture

import (
	"archive/tar"
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"cairn/internal/place"
	"cairn/internal/sources"
	"cairn/internal/streams"
	"cairn/manifest"
	"cairn/objects"
	"cairn/parsers"
	"cairn/redact"
	"cairn/result"
)

// Parse understands the output of a capture anew, from its objects, as it was
// when the command ended: a record does not hold the texts around its findings.
// An error says that the bytes are not here.
func Parse(s *place.Site, rec *manifest.Record) (*result.ToolResult, error) {
	return parseAs(s, rec, func(parsers.Source) (*parsers.Parser, error) {
		return cmp.Or(toldBefore(s, rec), ownParser(s.Place, rec.Argv, rec.Shell, nil)), nil
	})
}

// parseAs is Parse with a parser of the project's own, which as gives for the
// output, or none.
func parseAs(s *place.Site, rec *manifest.Record, as func(parsers.Source) (*parsers.Parser, error)) (*result.ToolResult, error) {
	_, r, err := sessionAs(s, rec, as)
	return r, err
}

// sessionAs is parseAs with the session, of which more can be asked.
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

// atOnce says whether all of an output came on stdout and nearly at once. A record
// holds no order for such an output.
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

// maxAtOnce is within how many milliseconds output came at once, for a person who
// watches a replay.
const maxAtOnce = 100

// orderLost is the order of an output of which it could not be kept.
const orderLost = "lost"

// reopen opens the files that a journal says were kept, as they were parsed when the
// command ended. The journal does not say which of the files the command line named, so
// all of them count as named.
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

// unpack finds the reports in a tar; their bytes stay where they are.
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
		at, err := all.Seek(0, io.SeekCurrent) // a header is read to its end and no further
		if err != nil {
			return err
		}
		a.parsed = append(a.parsed, parsers.Artifact{Path: h.Name, Role: parsers.RoleReport, Named: true, Data: io.NewSectionReader(obj, at, h.Size), Size: h.Size})
	}
}
