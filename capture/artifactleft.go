package capture

import (
	"archive/tar"
	"crypto/sha256"
	"fmt"
	"io"

	"cairn/internal/place"
	"cairn/internal/redact"
	"cairn/manifest"
	"cairn/objects"
	"cairn/parsers"
	"cairn/result"
)

// reopen gives the files that a journal says were kept, as they were parsed
// when the command ended. It does not know which of them the command named, and
// takes them all for named.
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
