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
