package capture

import (
	"io"

	"cairn/capture/child"
	"cairn/capture/recovery"
	"cairn/objects"
	"cairn/result"
)

// recordCopied records a capture with one wait for the disk instead of three: a copy of
// the record and of the output goes into the journal and is synced, and object and line
// are written without a sync. The process that brings the record into the branch, or a
// question before that, makes them durable and removes the journal. If copied is false,
// this was not possible and nothing was changed.
func (c *capture) recordCopied(r *result.ToolResult, exit child.Exit) (copied bool, err error) {
	if !c.canCopy(exit) {
		return false, nil
	}
	output := make([]byte, c.spool.Size())
	if _, err := c.spool.ReadAt(output, 0); err != nil && err != io.EOF {
		return false, nil
	}
	stages, ok := c.copyStages(recovery.MaxCopied - len(output))
	if !ok {
		return false, nil
	}
	info := objects.InfoOf(output)
	c.rec.Raw, err = keepOrder(c.b, info, io.NewSectionReader(c.sink.order, 0, c.sink.order.Size()))
	if err != nil {
		return false, nil
	}
	r.RawOID = c.rec.Raw.OID
	lost, err := c.complete(r, true)
	if err != nil || lost != nil {
		return false, nil
	}
	if err := c.journal.Copy(c.rec, output, stages...); err != nil {
		return false, nil
	}
	for _, s := range c.stages {
		if s.spool != nil {
			if _, err := s.spool.CommitUnsynced(); err != nil {
				return true, err
			}
		}
	}
	if _, err := c.spool.CommitUnsynced(); err != nil {
		return true, err
	}
	return true, c.b.add(c.ctx, c.rec)
}

// copyStages are the outputs of the line's commands; ok is false if they do not fit into room bytes.
func (c *capture) copyStages(room int) (outputs [][]byte, ok bool) {
	for _, s := range c.stages {
		if s.spool == nil || s.spool.Size() == 0 {
			continue
		}
		if room -= int(s.spool.Size()); room < 0 || s.keeper.err != nil {
			return nil, false
		}
		s.copy = make([]byte, s.spool.Size())
		if _, err := s.spool.ReadAt(s.copy, 0); err != nil && err != io.EOF {
			return nil, false
		}
		outputs = append(outputs, s.copy)
	}
	return outputs, true
}

// canCopy says whether the output is complete and short, and whether another process
// will settle the capture. Without output there is only one wait for the disk anyway.
func (c *capture) canCopy(exit child.Exit) bool {
	if c.o.Later == nil || c.journal == nil || c.spool == nil || c.site.Branch == nil {
		return false
	}
	size := c.spool.Size()
	whole := exit.StartErr == nil && exit.ReadErr == nil && c.sink.err == nil && !c.rec.Partial
	return whole && size > 0 && size <= recovery.MaxCopied && c.sink.order.Size() <= maxInlineOrder && !FoldsNow(c.gitCtx, c.site)
}
