package report

import "cairn/result"

// clean cleans every text of a finding once, so that no format has to: texts of one line, and texts that may have
// several.
func clean(f result.Finding) result.Finding {
	line, text := result.CleanLine, result.Clean
	for _, s := range []*string{&f.ID, &f.Select, &f.Name, &f.Rule, &f.RuleName, &f.RuleURL, &f.Message, &f.Source, &f.Location, &f.Fingerprint, &f.Group} {
		*s = line(*s)
	}
	for _, s := range []*string{&f.Expected, &f.Actual, &f.Diff, &f.Detail} {
		*s = text(*s)
	}
	f.Suite = result.CleanLines(f.Suite)
	place := func(l result.Location) result.Location {
		l.Path, l.Function, l.Label = line(l.Path), line(l.Function), line(l.Label)
		return l
	}
	if f.At != nil {
		at := place(*f.At)
		f.At = &at
	}
	places := func(all []result.Location) []result.Location {
		clean := make([]result.Location, 0, len(all))
		for _, l := range all {
			clean = append(clean, place(l))
		}
		return clean
	}
	f.Locations, f.Frames = places(f.Locations), places(f.Frames)
	related := make([]result.Related, 0, len(f.Related))
	for _, r := range f.Related {
		r.Message = line(r.Message)
		if r.At != nil {
			at := place(*r.At)
			r.At = &at
		}
		related = append(related, r)
	}
	f.Related = related
	return f
}
