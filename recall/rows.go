package recall

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall/filter"
	"cairn/recall/index"
	"cairn/render"
	"cairn/result"
)

// Separators in the texts that the index holds of a capture. A change here needs a new
// version of the index's format.
const (
	part = "\x1f" // between different values
	also = "\x1e" // between several values of one kind
)

// Flags of a row.
const (
	rowProves  = 1 << iota // all of its output is understood, so a finding that it does not show was absent
	rowStops               // something kept tests from running
	rowMore                // it has findings that the record does not describe
	rowLost                // it has findings that the record does not even name
	rowClean               // no tracked file differed from the commit
	rowPartial             // it was cut short
	rowFails               // it failed, or did not run to its end
	rowHeur                // its output was not fully understood
	rowTests               // it ran tests
	rowUnsure              // it is not known whether the tree was the commit's
	rowTree                // the tree of all files that git does not ignore is known
	rowLists               // a list of its tests was kept
)

// openRows opens the index of a site.
func openRows(ctx context.Context, s *place.Site) (*index.Index, error) {
	return index.Open(ctx, s.Manifest, indexDir(s), rowOf, s.Progress)
}

func indexDir(s *place.Site) string { return filepath.Join(s.Dir, "recall-index") }

// hasIndex says whether an index was made. It may be out of date.
func hasIndex(s *place.Site) bool { return index.Exists(indexDir(s)) }

// treeOf is the commit on which a run ran, or in lines of version 2 its tree; "" if
// tracked files were changed.
func treeOf(rec *manifest.Record) string {
	if wasDirty(rec) {
		return ""
	}
	return cmp.Or(rec.Git.Tree, rec.Git.Commit)
}

// rowOf describes a capture to the index.
func rowOf(rec *manifest.Record) (index.Row, error) {
	r, err := resultOf(rec)
	if err != nil {
		return index.Row{}, err
	}
	row := index.Row{Key: rec.Key, Command: CommandLine(rec), Duration: rec.DurationMS, What: whatOf(r), Where: whereOf(rec), Who: whoOf(rec), Flags: flagsOf(rec, r)}
	if rec.Raw != nil {
		row.Raw = rec.Raw.Size
	}
	if r != nil {
		row.Shown = int64(len(render.Compact(r, nil)))
	}
	for _, f := range findingsOf(r) {
		row.Findings = append(row.Findings, findingText(f))
	}
	for _, fingerprint := range moreOf(rec) {
		row.Findings = append(row.Findings, fingerprint+strings.Repeat(part, findingParts-1))
	}
	return row, nil
}

// whereOf is the branch, the commit, the tree of the commit if no tracked file was
// changed, and the tree of all files if it is known; "" outside of a repository.
func whereOf(rec *manifest.Record) string {
	if rec.Git == nil {
		return ""
	}
	return strings.Join([]string{rec.Git.Branch, rec.Git.Commit, treeOf(rec), rec.Git.Worktree}, part)
}

// whoOf is the agent and the session.
func whoOf(rec *manifest.Record) string {
	if rec.By == nil {
		return ""
	}
	return strings.Join([]string{rec.By.Agent, rec.By.Session}, part)
}

// whatOf is the status, the kinds and the tools.
func whatOf(r *result.ToolResult) string {
	if r == nil {
		return part + part
	}
	kinds, tools := []string{string(r.Kind)}, addNew([]string{r.Tool}, r.ToolFamily)
	for _, p := range r.Parts {
		kinds, tools = addNew(kinds, string(p.Kind)), addNew(tools, p.Tool)
	}
	for _, f := range r.Findings {
		tools = addNew(tools, f.Source)
	}
	return strings.Join([]string{string(r.Status), strings.Join(kinds, also), strings.Join(tools, also)}, part)
}

// treeFlags are the flags on whether tracked files were changed.
func treeFlags(rec *manifest.Record) uint16 {
	switch {
	case rec.Git == nil:
		return 0
	case rec.Git.Dirty == nil:
		return rowUnsure
	case !*rec.Git.Dirty:
		return rowClean
	}
	return 0
}

func flagsOf(rec *manifest.Record, r *result.ToolResult) uint16 {
	flags := treeFlags(rec)
	for _, f := range [...]struct {
		flag uint16
		is   bool
	}{
		{rowProves, doubt(rec, r) == ""},
		{rowStops, slices.ContainsFunc(findingsOf(r), stops)},
		{rowMore, rec.ResultOID != ""},
		{rowLost, r != nil && !(&run{rec: rec, result: r}).whole()},
		{rowTree, rec.Git != nil && rec.Git.Worktree != ""},
		{rowPartial, rec.Partial},
		{rowFails, fails(r)},
		{rowHeur, r == nil || r.ParserConfidence != result.Parsed},
		{rowTests, r != nil && r.Kind == result.Test},
		{rowLists, rec.Outcomes != nil && rec.Outcomes.OID != ""},
	} {
		if f.is {
			flags |= f.flag
		}
	}
	return flags
}

// findingRow is a finding as the index stores it.
type findingRow struct {
	Fingerprint, Group          string
	Severity, Kind              string
	Rule, RuleName              string
	ID, Name, Message, Location string // Location has no line number
	paths                       string // all paths that the finding names, separated by also
}

const findingParts = 10

func findingText(f result.Finding) string {
	path := ""
	if f.At != nil {
		path = f.At.Path
	}
	return strings.Join([]string{
		f.Fingerprint, f.Group, string(f.Severity), string(f.Kind), f.Rule, f.RuleName, f.ID, f.Message, path, strings.Join(pathsOf(f), also),
	}, part)
}

func readFinding(text string) (f findingRow) {
	rest, more := text, true
	for _, into := range [findingParts]*string{
		&f.Fingerprint, &f.Group, &f.Severity, &f.Kind, &f.Rule, &f.RuleName, &f.ID, &f.Message, &f.Location, &f.paths,
	} {
		if !more {
			return findingRow{Fingerprint: f.Fingerprint}
		}
		if into == &f.paths {
			f.paths = rest
			break
		}
		*into, rest, more = strings.Cut(rest, part)
	}
	return f
}

// namesFile says whether files selects a file that the finding names.
func (f findingRow) namesFile(files filter.Patterns) bool {
	return slices.ContainsFunc(strings.Split(f.paths, also), files.Path)
}

// pathsOf are the files that a finding names.
func pathsOf(f result.Finding) (paths []string) {
	for at := range f.Places() {
		paths = addNew(paths, at.Path)
	}
	if test, _, ok := strings.Cut(f.ID, "::"); ok {
		paths = addNew(paths, test)
	}
	return paths
}

// CommandLine is a capture's command as a POSIX shell would take it: words that
// are more than plain characters are quoted.
func CommandLine(rec *manifest.Record) string {
	if rec.Shell != "" {
		return rec.Shell
	}
	words := make([]string, len(rec.Argv))
	for i, arg := range rec.Argv {
		words[i] = Quoted(arg)
	}
	return strings.Join(words, " ")
}

// plainBytes mean nothing to a shell, wherever they stand in a word.
const plainBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+:,./-_"

// Quoted is a word as a POSIX shell takes it.
func Quoted(arg string) string {
	if arg != "" && strings.Trim(arg, plainBytes) == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
