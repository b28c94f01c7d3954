// Package filter declares the filters by which a question chooses captures: their names, what values
// each takes, and how a value is read. Flags, the schemas for agents, help and completion are made from
// this declaration.
//
// What it promises: a value means the same for every question, whether it comes from the command line
// or from an agent. A value that can mean nothing is an *Error, which says what the filter takes.
//
// What it does not promise: that a commit or a fingerprint exists. Package recall looks that up, since
// only it has the record and git.
//
// What may go in: names, forms and meanings of filters. It reads no record and runs no program, so that
// any package can afford to import it.
package filter

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Filters are the filters of a question, as they were given. An empty filter selects
// everything; several filters are joined by "and". The tags are the declaration: the
// name, the placeholder for its value, and its meaning.
type Filters struct {
	Status      List   `json:"status,omitempty" takes:"STATUS" about:"passed, ok, failed, error, unknown, running"`
	Tool        List   `json:"tool,omitempty" takes:"TOOL" about:"by name or family, such as go"`
	Kind        List   `json:"kind,omitempty" takes:"KIND" about:"of tool: test, lint, typecheck, build, generic, and others"`
	Fingerprint List   `json:"fingerprint,omitempty" takes:"FINGERPRINT" about:"or its first 6 digits"`
	Rule        List   `json:"rule,omitempty" takes:"RULE" about:"of a finding"`
	File        List   `json:"file,omitempty" takes:"PATH" about:"of a finding: file, end of a path, or directory"`
	Branch      List   `json:"branch,omitempty" takes:"BRANCH" about:"that was checked out"`
	Commit      List   `json:"commit,omitempty" takes:"COMMIT" about:"that git resolves, beginning of a hash, or A..B"`
	Tree        List   `json:"tree,omitempty" takes:"TREE" about:"it ran on, unchanged: as git resolves it, or a hash"`
	Dirty       List   `json:"dirty,omitempty" takes:"YES|NO|UNKNOWN" about:"tracked files were changed" bare:"yes"`
	Command     Lines  `json:"command,omitempty" takes:"COMMAND" about:"its first words, or a pattern for all of it"`
	Agent       List   `json:"agent,omitempty" takes:"AGENT" about:"that ran it"`
	Session     List   `json:"session,omitempty" takes:"SESSION" about:"or the beginning of its id"`
	Since       string `json:"since,omitempty" takes:"TIME" about:"from then on: 2h, yesterday, 2026-11-20"`
	Until       string `json:"until,omitempty" takes:"TIME" about:"before then"`
	Grep        string `json:"grep,omitempty" takes:"TEXT" about:"in a line of the output or in a finding"`
	Sort        string `json:"sort,omitempty" takes:"ORDER" about:"of the answers"`
	Limit       int    `json:"limit,omitempty" takes:"N" about:"answers at most; 0 is all"`
}

// Filter is the declaration of one filter.
type Filter struct {
	Name  string // of the flag, and of the property in JSON
	Takes string // the placeholder for its value
	About string // its meaning, for help
	Bare  string // the value when the flag is given without one; "" if it needs one
	Type  reflect.Type
	field int
}

// Several says whether the filter takes several values.
func (f Filter) Several() bool {
	return f.Type == reflect.TypeFor[List]() || f.Type == reflect.TypeFor[Lines]()
}

// All lists the filters.
func All() []Filter {
	t := reflect.TypeFor[Filters]()
	all := make([]Filter, t.NumField())
	for i := range all {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		all[i] = Filter{Name: name, Takes: f.Tag.Get("takes"), About: f.Tag.Get("about"), Bare: f.Tag.Get("bare"), Type: f.Type, field: i}
	}
	return all
}

// Value is the value of a filter, in the form a flag takes; "" if it has none.
func (f *Filters) Value(of Filter) string {
	v := reflect.ValueOf(f).Elem().Field(of.field)
	if v.IsZero() {
		return ""
	}
	return fmt.Sprint(v.Interface())
}

// Set gives a filter a value. Further values of a list are added to it.
func (f *Filters) Set(of Filter, value string) error {
	v := reflect.ValueOf(f).Elem().Field(of.field)
	switch p := v.Addr().Interface().(type) {
	case *List:
		*p = p.and(value)
	case *Lines:
		*p = p.and(value)
	case *int:
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			return &Error{of.Name, "", fmt.Sprintf("takes a whole number, from 0 on, and %q is none", value)}
		}
		*p = n
	case *string:
		if *p != "" {
			return &Error{of.Name, value, "was given twice, and takes one value"}
		}
		*p = value
	}
	return nil
}

// Error reports a value that a filter cannot take.
type Error struct{ Name, Value, Takes string }

func (e *Error) Error() string {
	if e.Value == "" {
		return fmt.Sprintf("--%s %s", e.Name, e.Takes)
	}
	return fmt.Sprintf("--%s %s: %s", e.Name, e.Value, e.Takes)
}

// Chosen are filters after Read has understood them.
type Chosen struct {
	Status, Tool, Kind, Rule, File, Branch, Agent, Session, Command Patterns

	Fingerprints   []string // in lower case; some are only the beginning of one
	Commits, Trees []string // as they were given
	Dirty          []string // each is yes, no or unknown
	Since, Until   time.Time
	Grep, Sort     string
	Limit          int
}

// The length of a fingerprint, and of the shortest beginning that is looked up, in hex digits.
const MinFingerprint, MaxFingerprint = 6, 12

var (
	statuses = []string{"passed", "ok", "failed", "error", "unknown", "running"}
	dirties  = []string{"yes", "no", "unknown"}
)

// Words are the values that a filter can take for a question; nil if they cannot be listed.
func Words(of Filter, question string) []string {
	switch of.Name {
	case "status":
		return statuses
	case "dirty":
		return dirties
	case "sort":
		return orders(question)
	}
	return nil
}

// orders are the orders in which a question can list its answers; the first is the
// default.
func orders(question string) []string {
	switch question {
	case "objects":
		return []string{"newest", "oldest", "slowest", "fastest", "largest", "smallest"}
	case "search":
		return []string{"best", "newest", "oldest", "most"}
	case "flaky":
		return []string{"rate", "newest", "oldest", "most"}
	case "stats":
		return []string{"most", "failing", "slowest", "largest", "name"}
	}
	return nil
}

// Useless says why a question cannot take a filter; "" if it can.
func Useless(question, name string) string {
	switch history := question == "finding" || question == "blame" || question == "diff"; {
	case name == "sort" && history:
		return "orders a list of answers, and " + question + " gives one"
	case name == "limit" && history:
		return "cuts a list of answers, and " + question + " gives one"
	case name == "status" && (question == "flaky" || question == "blame" || question == "finding"):
		return "leaves out the runs that failed or those that did not, and " + question + " compares the two"
	case name == "sort" && (question == "tests" || question == "test"):
		return "orders captures, and tests have an order of their own: --slowest puts the slowest first"
	case (name == "rule" || name == "fingerprint") && (question == "tests" || question == "test"):
		return "is of findings, and tests that passed have none"
	}
	return ""
}

// Time reads a time as --since does. name is the flag that an error names.
func Time(name, s string, now time.Time) (time.Time, error) { return moment(name, s, now) }

// Read understands the filters of a question at the moment now. question is the name of its command.
func (f Filters) Read(question string, now time.Time) (c Chosen, err error) {
	for _, of := range All() {
		if why := Useless(question, of.Name); why != "" && f.Value(of) != "" {
			return c, &Error{of.Name, "", why}
		}
	}
	for _, list := range []struct {
		name string
		from []string
		to   *Patterns
	}{
		{"status", f.Status.split(), &c.Status}, {"tool", f.Tool.split(), &c.Tool}, {"kind", f.Kind.split(), &c.Kind},
		{"rule", f.Rule.split(), &c.Rule}, {"file", f.File.split(), &c.File}, {"branch", f.Branch.split(), &c.Branch},
		{"agent", f.Agent.split(), &c.Agent}, {"session", f.Session.split(), &c.Session}, {"command", f.Command.split(), &c.Command},
	} {
		if *list.to, err = patterns(list.name, list.from); err != nil {
			return c, err
		}
	}
	c.Grep, c.Sort, c.Limit = f.Grep, f.Sort, f.Limit
	c.Commits, c.Trees, c.Dirty = f.Commit.split(), f.Tree.split(), f.Dirty.split()
	c.Fingerprints = f.Fingerprint.split()
	if err := c.check(question); err != nil {
		return c, err
	}
	if c.Since, err = moment("since", f.Since, now); err == nil {
		c.Until, err = moment("until", f.Until, now)
	}
	if err == nil && f.Until != "" && !c.Since.Before(c.Until) {
		err = &Error{"since", f.Since, fmt.Sprintf("and --until %s leave no time between them: nothing is from the one on and before the other", f.Until)}
	}
	return c, err
}

// check rejects values that are not in a filter's list of words, or not of its form.
func (c *Chosen) check(question string) error {
	for _, p := range c.Status {
		switch {
		case p.glob:
		case !slices.Contains(statuses, p.text):
			return &Error{"status", p.text, "statuses are passed, ok, failed, error, unknown and running" + suggest(p.text, statuses)}
		case p.text == "running" && question != "objects":
			return &Error{"status", p.text, "a capture that is running has no result yet: only \"recall objects\" lists it"}
		}
	}
	for _, d := range c.Dirty {
		if !slices.Contains(dirties, d) {
			return &Error{"dirty", d, "takes yes, no or unknown" + suggest(d, dirties)}
		}
	}
	for i, f := range c.Fingerprints {
		if c.Fingerprints[i] = strings.ToLower(f); !Hex(f, MinFingerprint, MaxFingerprint) {
			return &Error{"fingerprint", f, fmt.Sprintf("give %d to %d hex digits", MinFingerprint, MaxFingerprint)}
		}
	}
	for name, list := range map[string][]string{"commit": c.Commits, "tree": c.Trees} {
		for _, v := range list {
			if v == "" || strings.ContainsAny(v, "*?[ ") || strings.HasPrefix(v, "-") {
				return &Error{name, v, "takes what git resolves (a hash, a tag, a branch, HEAD~2), the beginning of a hash, or a range A..B, and no pattern"}
			}
		}
	}
	if known := orders(question); c.Sort != "" && !slices.Contains(known, c.Sort) {
		return &Error{"sort", c.Sort, "takes " + strings.Join(known, ", ") + suggest(c.Sort, known)}
	}
	if c.Limit < 0 {
		return &Error{"limit", strconv.Itoa(c.Limit), "takes a whole number, from 0 on"}
	}
	return nil
}

// Hex says whether s consists of least to most hex digits.
func Hex(s string, least, most int) bool {
	return len(s) >= least && len(s) <= most && strings.Trim(strings.ToLower(s), "0123456789abcdef") == ""
}

// suggest returns "; did you mean …?" with the known word that begins with word or is
// at most two letters away from it; "" if none exists.
func suggest(word string, known []string) string {
	for _, k := range known {
		if word != "" && (strings.HasPrefix(k, word) || len(word) > 3 && distance(word, k) <= 2) {
			return "; did you mean " + k + "?"
		}
	}
	return ""
}

// distance is the number of letters to change, insert or remove to turn a into b (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before, row[j+1] = row[j+1], min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
