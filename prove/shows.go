package prove

import (
	"errors"
	"slices"
	"strings"
	"time"

	"cairn/manifest"
	"cairn/objects"
	"cairn/outcomes"
	"cairn/parsers"
	"cairn/render"
	"cairn/result"
)

// early says why a run was not complete, if so.
func (j *judge) early(u *use, r *result.ToolResult) (why []Reason) {
	switch {
	case u.whole.Partial || u.rec.Partial:
		why = append(why, Reason{Why: WhyEarly, Text: "its record was cut short"})
	case u.whole.Interrupted != "":
		why = append(why, Reason{Why: WhyEarly, Text: "it was interrupted by " + u.whole.Interrupted})
	case r != nil && r.Kind == result.Test && r.ParserConfidence == result.Parsed && outcomes.Total(r.Counts)-outcomes.LeftOut(r.Counts) <= 0:
		why = append(why, Reason{Why: WhyEarly, Text: "it ran no test"})
	}
	if u.whole.Time.After(j.now.Add(time.Minute)) {
		why = append(why, Reason{Why: WhyClock, Text: "its record is from the future: " + u.whole.Time.Format(time.RFC3339)})
	}
	for _, w := range parsers.WrittenBy(u.rec.Argv, u.rec.Shell) {
		if w.Role == parsers.RoleReport && !slices.ContainsFunc(u.whole.Artifacts, func(a manifest.Artifact) bool {
			return strings.HasSuffix("/"+a.Path, "/"+strings.TrimPrefix(w.Path, "./")) || a.Role == "reports"
		}) {
			why = append(why, Reason{Why: WhyReport, Text: "the report " + short(w.Path) + " was not written by this run"})
		}
	}
	return why
}

// retried finds a failed run on the same tree.
func (j *judge) retried(u *use, all runs) []Reason {
	for _, other := range slices.Concat(all.here, all.related) {
		rec := other.rec
		if other == u || well(rec) || undecided(rec) || rec.Status == result.Error && !rec.TimedOut || other.whole.Interrupted != "" {
			continue // that the command could not run says nothing about the tree
		}
		span := render.Span(int64(u.whole.Time.Sub(other.whole.Time).Abs() / time.Second))
		when := span + " before"
		if other.whole.Time.After(u.whole.Time) {
			when = span + " after"
		}
		return []Reason{{Why: WhyRetried, Text: "on this same tree " + howEnded(rec) + ", " + when + " (" + render.ShortRun(other.whole.ID) + ")", Run: other.whole.ID}}
	}
	return nil
}

// kept says whether the output of a run was never stored, although its record is this clone's.
func (j *judge) kept(u *use) []Reason {
	if u.whole.Elsewhere() || u.whole.Raw == nil || u.whole.Raw.Size == 0 {
		return nil
	}
	id, err := objects.ParseID(u.whole.Raw.OID)
	if err == nil && !j.site.Objects.Has(id) {
		_, err = j.site.Objects.Stat(id)
	}
	if err == nil || !errors.Is(err, objects.ErrNotFound) {
		return nil // an object that was collected had been stored
	}
	return []Reason{{Why: WhyNotKept, Text: "its output was never kept in this clone, whose record it is"}}
}
