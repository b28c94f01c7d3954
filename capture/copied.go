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
// are written without a sync. The process that brings the record into the branch makes
// them durable and removes the journal; so does whoever asks before that. copied is
// false where this is not possible: then nothing has happened.
func (c *capture) recordCopied(r *result.ToolResult, exit child.Exit) (copied bool, err error) {
	if !c.canCopy(exit) {
		return false, nil
	}
	output := make([]byte, c.spool.Size())
	if _, err := c.spool.ReadAt(output, 0); err != nil && err != io.EOF {
		return false, nil
	}
	info := objects.InfoOf(output)
	c.rec.Raw, err = keepOrder(c.b, info, io.NewSectionReader(c.sink.order, 0, c.sink.order.Size()))
	if err != nil {
		return false, nil
	}
	r.RawOID = c.rec.Raw.OID
	lost, err := c.complete(r)
	if err != nil || lost != nil {
		return false, nil
	}
	if err := c.journal.Copy(c.rec, output); err != nil {
		return false, nil
	}
	if _, err := c.spool.CommitUnsynced(); err != nil {
		return true, err
	}
	return true, c.b.add(c.ctx, c.rec)
}

// canCopy says whether the output is whole and short, and whether somebody will settle
// the capture. Without output there is one wait for the disk in any case.
func (c *capture) canCopy(exit child.Exit) bool {
	if c.o.Later == nil || c.journal == nil || c.spool == nil || c.site.Branch == nil {
		return false
	}
	size := c.spool.Size()
	whole := exit.StartErr == nil && exit.ReadErr == nil && c.sink.err == nil && !c.rec.Partial
	return whole && size > 0 && size <= recovery.MaxCopied && c.sink.order.Size() <= maxInlineOrder && !FoldsNow(c.gitCtx, c.site)
}
