package recall

import (
	"cmp"
	"slices"

	"cairn/manifest"
	"cairn/result"
)

// Evidence is the tree for which a capture counts as evidence about each test of its command: the tree of the commit
// if no tracked file was changed, else the tree of all files. It is "" if the capture is no evidence: the tree is not
// known, not all of the output is accounted for, or something kept tests from running. Flaky counts the same captures.
func Evidence(rec *manifest.Record, r *result.ToolResult) (tree string) {
	if rec.Git == nil || !Accounts(rec, r) || slices.ContainsFunc(r.Findings, stops) {
		return ""
	}
	return cmp.Or(treeOf(rec), rec.Git.Worktree)
}
