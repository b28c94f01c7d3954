package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall/filter"
	"cairn/recall/index"
	"cairn/result"
)

// Filters choose captures; see package filter.
type Filters = filter.Filters

// query is filters that were read and then looked up in git and in the record. In
// "objects" and "stats" all filters choose captures. The other questions are about
// findings: there fingerprint, rule and file choose the findings, and the other filters
// choose the captures in which these are looked for.
type query struct {
	filter.Chosen
	commits     map[string]bool // whole hashes
	begun       []string        // beginnings of hashes
	trees       []string        // hashes of trees, or their beginnings
	treeCommits map[string]bool // commits that have one of these trees
	nothing     bool            // no fingerprint asked for is on record
	unsearched  *int
	lists       bool            // only captures that name tests, in a list or as failed
	files       filter.Patterns // paths as findings have them

	chosenIn *rows // the index for which sets was chosen
	sets     map[*index.Segment][]bool
}

// understood reads the filters of a question. A value without a meaning is a *filter.Error.
func understood(ctx context.Context, s *place.Site, question string, f Filters) (*query, error) {
	c, err := f.Read(question, time.Now())
	if err != nil {
		return nil, err
	}
	q := &query{Chosen: c}
	q.files = c.File.Rebased(func(name string) string { return pathBelow(s, name) })
	if err := q.findCommits(ctx, s); err != nil {
		return nil, err
	}
	if err := q.findTrees(ctx, s); err != nil {
		return nil, err
	}
	return q, q.findFingerprints(ctx, s)
}

// findFingerprints completes shortened fingerprints. A fingerprint that no finding has selects nothing.
func (q *query) findFingerprints(ctx context.Context, s *place.Site) error {
	var known []string
	for _, f := range q.Fingerprints {
		whole, err := wholeFingerprint(ctx, s, f)
		switch {
		case errors.Is(err, manifest.ErrNotFound):
		case err != nil:
			return err
		default:
			known = append(known, whole)
		}
	}
	q.nothing = len(q.Fingerprints) > 0 && len(known) == 0
	q.Fingerprints = known
	return nil
}

// findCommits resolves the commits. The beginning of a hash is used as it is, without
// git, since the commit may be in another clone only.
func (q *query) findCommits(ctx context.Context, s *place.Site) error {
	for _, name := range q.Commits {
		if q.commits == nil {
			q.commits = map[string]bool{}
		}
		hash := strings.ToLower(name)
		if strings.Contains(name, "..") {
			if s.Repo == nil {
				return &filter.Error{Name: "commit", Value: name, Takes: "a range needs a git repository, and here is none"}
			}
			list, err := s.Repo.Range(ctx, name)
			if err != nil {
				return &filter.Error{Name: "commit", Value: name, Takes: "takes what git resolves: " + err.Error()}
			}
			for _, commit := range list {
				q.commits[commit] = true
			}
			continue
		}
		commit, err := "", errors.New("there is no git repository here")
		if s.Repo != nil {
			commit, err = s.Repo.CommitOf(ctx, name)
		}
		switch isHash := filter.Hex(hash, minCommit, 64); {
		case err == nil && !(isHash && strings.HasPrefix(commit, hash)):
			q.commits[commit] = true
		case isHash:
			q.begun = append(q.begun, hash)
		default:
			return &filter.Error{Name: "commit", Value: name, Takes: fmt.Sprintf("takes what git resolves, or the first %d or more digits of a hash: %v", minCommit, err)}
		}
	}
	return nil
}

// minCommit is the shortest beginning of a commit's hash, in digits.
const minCommit = 4

// findTrees resolves the trees, and finds the commits that have them, since the record
// of a clean tree names only the commit.
func (q *query) findTrees(ctx context.Context, s *place.Site) error {
	for _, name := range q.Trees {
		hash := strings.ToLower(name)
		tree, err := "", errors.New("there is no git repository here")
		if s.Repo != nil {
			tree, err = s.Repo.TreeNamed(ctx, name)
		}
		switch {
		case err == nil:
			q.trees = append(q.trees, tree)
		case filter.Hex(hash, minCommit, 64):
			q.trees = append(q.trees, hash)
		default:
			return &filter.Error{Name: "tree", Value: name, Takes: fmt.Sprintf("takes what git resolves to a tree, or the first %d or more digits of one: %v", minCommit, err)}
		}
	}
	if len(q.trees) == 0 || s.Repo == nil {
		return nil
	}
	commits, err := s.Repo.CommitsOf(ctx, q.trees)
	q.treeCommits = map[string]bool{}
	for _, commit := range commits {
		q.treeCommits[commit] = true
	}
	return err
}

// The methods below check one condition each, on the text that the index has of a capture: see rowOf.

// isWhat checks status, kinds and tools.
func (q *query) isWhat(text string) bool {
	if len(q.Status)+len(q.Kind)+len(q.Tool) == 0 {
		return true
	}
	status, rest, _ := strings.Cut(text, part)
	kinds, tools, _ := strings.Cut(rest, part)
	return q.Status.Is(status) && anyOf(kinds, len(q.Kind) == 0, q.Kind.Is) && anyOf(tools, len(q.Tool) == 0, q.Tool.Family)
}

// anyOf says whether one of several values, separated by also, is wanted. It is true if all is.
func anyOf(several string, all bool, want func(string) bool) bool {
	for more := !all; more; {
		var one string
		if one, several, more = strings.Cut(several, also); want(one) {
			return true
		}
	}
	return all
}

// isWhere checks branch, commit and tree.
func (q *query) isWhere(text string) bool {
	if len(q.Branch)+len(q.Commits)+len(q.Trees) == 0 {
		return true
	}
	branch, rest, _ := strings.Cut(text, part)
	commit, rest, _ := strings.Cut(rest, part)
	clean, all, _ := strings.Cut(rest, part)
	return q.Branch.Is(branch) && q.isCommit(commit) && (q.isTree(commit, clean) || all != "" && q.isTree("", all))
}

func (q *query) isCommit(commit string) bool {
	return len(q.Commits) == 0 || q.commits[commit] ||
		commit != "" && slices.ContainsFunc(q.begun, func(begun string) bool { return strings.HasPrefix(commit, begun) })
}

// isTree checks the tree. tree is a hash, or the commit itself if the tree is the
// commit's own. Records of version 2 have the beginning of a hash.
func (q *query) isTree(commit, tree string) bool {
	switch {
	case len(q.Trees) == 0:
		return true
	case tree == "":
		return false
	case tree == commit:
		return q.treeCommits[commit]
	}
	return slices.ContainsFunc(q.trees, func(t string) bool { return strings.HasPrefix(t, tree) || strings.HasPrefix(tree, t) })
}

// isWho checks agent and session.
func (q *query) isWho(text string) bool {
	if len(q.Agent)+len(q.Session) == 0 {
		return true
	}
	agent, session, _ := strings.Cut(text, part)
	return (len(q.Agent) == 0 || agent != "" && q.Agent.Is(agent)) && (len(q.Session) == 0 || session != "" && q.Session.Begins(session))
}

func (q *query) isDirty(flags uint16, hasGit bool) bool {
	state := "yes"
	switch {
	case len(q.Dirty) == 0:
		return true
	case !hasGit:
		return false
	case flags&rowUnsure != 0:
		state = "unknown"
	case flags&rowClean != 0:
		state = "no"
	}
	return slices.Contains(q.Dirty, state)
}

func (q *query) isTime(at time.Time) bool {
	return !at.Before(q.Since) && (q.Until.IsZero() || at.Before(q.Until))
}

// made says whether a capture was made where, when and by whom q asks for.
func (q *query) made(rec *manifest.Record) bool {
	return q.isTime(rec.Time) && q.isWhere(whereOf(rec)) && q.isWho(whoOf(rec)) && (len(q.Command) == 0 || q.Command.Words(CommandLine(rec))) &&
		q.isDirty(treeFlags(rec), rec.Git != nil)
}

// aboutFindings says whether q has a condition on findings.
func (q *query) aboutFindings() bool { return len(q.Fingerprints)+len(q.Rule)+len(q.files) > 0 }

func (q *query) isFinding(f result.Finding) bool {
	return (len(q.Fingerprints) == 0 || slices.Contains(q.Fingerprints, f.Fingerprint)) &&
		(len(q.Rule) == 0 || f.Rule != "" && q.Rule.Is(f.Rule) || f.RuleName != "" && q.Rule.Is(f.RuleName)) &&
		(len(q.files) == 0 || slices.ContainsFunc(pathsOf(f), q.files.Path))
}

// findings are the findings of a list that q selects.
func (q *query) findings(all []result.Finding) []result.Finding {
	if !q.aboutFindings() {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(f result.Finding) bool { return !q.isFinding(f) })
}

// mayHave says whether q may select a finding. A finding that is known only by its
// fingerprint may have any rule and any place.
func (q *query) mayHave(f findingRow) bool {
	if len(q.Fingerprints) > 0 && !slices.Contains(q.Fingerprints, f.Fingerprint) {
		return false
	}
	if f.undescribed() {
		return true
	}
	return (len(q.Rule) == 0 || f.Rule != "" && q.Rule.Is(f.Rule) || f.RuleName != "" && q.Rule.Is(f.RuleName)) &&
		(len(q.files) == 0 || f.namesFile(q.files))
}

// captures is q without the conditions on findings.
func (q *query) captures() *query {
	c := *q
	c.Fingerprints, c.Rule, c.files, c.nothing, c.chosenIn = nil, nil, nil, false, nil
	return &c
}

// orderBy is the sort key of each order; captures with the least key come first.
var orderBy = map[string]func(row) int64{
	"oldest":   func(r row) int64 { return r.s.Time(r.i).UnixMicro() },
	"slowest":  func(r row) int64 { return -r.s.Duration(r.i) },
	"fastest":  func(r row) int64 { return r.s.Duration(r.i) },
	"largest":  func(r row) int64 { return -r.s.Raw(r.i) },
	"smallest": func(r row) int64 { return r.s.Raw(r.i) },
}

// sorted yields the records that q may select in another order than newest first.
// Captures with equal keys come newest first.
func (q *query) sorted(ctx context.Context, s *place.Site, yield func(*manifest.Record, error) bool) {
	x, err := openIndex(ctx, s, append(q.needs(), index.Numbers)...)
	if err != nil {
		yield(nil, err)
		return
	}
	defer x.Close()
	type ranked struct {
		row
		by int64
	}
	var all []ranked
	may, by := q.rowFilter(x), orderBy[q.Sort]
	err = q.mayBe(x).Each(true, func(seg *index.Segment, i int) bool {
		r := row{seg, i}
		if is, _ := may(r); is {
			all = append(all, ranked{r, by(r)})
		}
		return true
	})
	if err != nil {
		yield(nil, err)
		return
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.by, b.by) })
	for _, r := range all {
		rec, err := x.Record(r.s, r.i)
		if !yield(rec, err) || err != nil {
			return
		}
	}
}
