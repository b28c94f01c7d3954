package capture

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"cairn/capture/stage"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
)

// recordStages makes objects of the stages' outputs, and puts the stages into the record.
func (c *capture) recordStages(copied bool) {
	if len(c.stages) == 0 {
		return
	}
	all := c.rec.Stages
	if all == nil {
		all = &manifest.Stages{}
		c.rec.Stages = all
	}
	all.List, c.redacted = nil, nil
	for _, s := range c.stages {
		all.List = append(all.List, c.recordStage(s, copied))
	}
	boundStages(all.List)
}

// maxStages bounds the stages of a record, in bytes of JSON, so that the record fits on a line of the manifest.
const maxStages = 24 << 10

// boundStages drops the results of stages until the rest fits, from the last: parsing the bytes again restores them.
func boundStages(all []manifest.Stage) {
	for i := len(all) - 1; i >= 0; i-- {
		if text, err := json.Marshal(all); err == nil && len(text) <= maxStages {
			return
		}
		all[i].RawResult, all[i].More = nil, nil
	}
	for i := range all {
		all[i].Argv = boundWords(all[i].Argv, maxStages/len(all)/2)
	}
}

// boundWords shortens a command line to about most bytes.
func boundWords(argv []string, most int) []string {
	for i, word := range argv {
		if most -= len(word) + 3; most < 0 {
			return append(slices.Clone(argv[:max(i, 1)]), fmt.Sprintf("[… %d more arguments]", len(argv)-max(i, 1)))
		}
	}
	return argv
}

// commitStage makes an object of a stage's output. If the journal has a copy of it, the
// object is made later.
func (c *capture) commitStage(s *Stage, copied bool) (info objects.Info) {
	switch {
	case s.spool == nil || s.spool.Size() == 0:
		return info
	case copied:
		return objects.InfoOf(s.copy)
	}
	info, err := s.spool.Commit()
	if s.spool = nil; err != nil && s.keeper.err == nil {
		c.trouble(err)
	}
	return info
}

func (c *capture) recordStage(s *Stage, copied bool) manifest.Stage {
	rec := s.Record
	rec.Raw = nil
	if info := c.commitStage(s, copied); info.Size > 0 {
		rec.Raw = &manifest.Raw{OID: info.ID.String(), Size: info.Size, Lines: info.Lines}
	}
	if s.Result != nil {
		if rec.Raw != nil {
			s.Result.RawOID = rec.Raw.OID
		}
		rec.Key = keyOf(c.workspace, rec)
		lost, err := setResult(rec, c.b, s.Result)
		c.trouble(lost)
		c.trouble(err)
	}
	c.redacted = addRedacted(c.redacted, &s.red)
	st := manifest.StageOf(rec)
	st.Before, st.Running = s.Before, s.Left
	if st.Dir == c.rec.Dir {
		st.Dir = ""
	}
	return st
}

// stageSpool is the name of the spool for a stage's output: its run, the number of the
// command, and its site in the line.
func stageSpool(id string, n, site int) string { return fmt.Sprintf("%s-%02d.%d", id, n, site) }

// recoverStages adds the stages to the record of a capture that was cut short, with the output
// that they had printed. Their words are taken from the line, as far as they are literal there.
func recoverStages(s *place.Site, rec *manifest.Record) error {
	if rec.Shell == "" {
		return nil
	}
	left, err := s.Objects.Abandoned() // sorted by name
	if err != nil {
		return err
	}
	kind, _ := stage.ShellOf(cmp.Or(rec.ShellIs, "/bin/sh"))
	sites := stage.Read(rec.Shell, kind).Sites
	place := func(l objects.Leftover) (n, site int) {
		if _, err := fmt.Sscanf(l.Name, rec.ID+"-%d.%d", &n, &site); err != nil {
			return 0, -1
		}
		return n, site
	}
	slices.SortStableFunc(left, func(a, b objects.Leftover) int {
		_, one := place(a)
		_, other := place(b)
		return cmp.Compare(one, other)
	})
	for _, l := range left {
		_, site := place(l)
		if site < 0 {
			continue
		}
		info, err := l.Recover()
		if err != nil {
			return fmt.Errorf("recovering the output of a command of the line: %w", err)
		}
		st := manifest.Stage{Partial: true, Raw: &manifest.Raw{OID: info.ID.String(), Size: info.Size, Lines: info.Lines}, Argv: []string{""}}
		if site < len(sites) {
			st.Argv, st.Before = sites[site].Words, sites[site].Reader
		}
		if rec.Stages == nil {
			rec.Stages = &manifest.Stages{}
		}
		rec.Stages.List = append(rec.Stages.List, st)
	}
	return nil
}
