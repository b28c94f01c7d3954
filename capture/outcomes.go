package capture

import (
	"cmp"
	"fmt"
	"slices"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/outcomes"
	"cairn/parsers"
	"cairn/redact"
	"cairn/result"
)

// keepOutcomes makes an object of the list of all tests, if the output or a report
// names a passed test; failed tests are in the findings anyway. The list has unredacted
// names and stays in this clone, as the output does. It can be made from the output
// again, so there is no wait for the disk.
func keepOutcomes(b *backend, s *parsers.Session, red *redact.Redactor, r *result.ToolResult) error {
	list, said := s.Outcomes()
	if said == nil {
		return nil
	}
	said.Reason = red.String(said.Reason)
	if slices.ContainsFunc(list, func(t outcomes.Test) bool { return !t.Outcome.Bad() }) {
		info, err := b.again(list.Encode())
		if err != nil {
			return fmt.Errorf("keeping what each test came to: %w", err)
		}
		said.OID = info.ID.String()
	}
	r.Outcomes, r.CasesOID = said, said.OID
	return nil
}

// Tests is the list of a capture's tests: from its object, or else parsed again from
// the output.
func Tests(s *place.Site, rec *manifest.Record) (outcomes.List, *result.Outcomes, error) {
	if said := rec.Outcomes; said != nil {
		if list, err := s.Tests(rec); err == nil {
			whole := *said
			whole.Counts = list.Counts()
			return list, &whole, nil
		}
	}
	session, _, err := sessionAs(s, rec, func(parsers.Source) (*parsers.Parser, error) {
		return cmp.Or(toldBefore(s, rec), ownParser(s.Place, rec.Argv, rec.Shell, nil)), nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("reading the tests of capture %s: %w", rec.ID, err)
	}
	list, said := session.Outcomes()
	return list, said, nil
}
