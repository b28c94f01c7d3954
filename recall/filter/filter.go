// Package filter declares how captures are chosen: the filters that every question takes,
// what each takes, and the rules by which a value means something. Flags, the schemas of
// the agents' ways in, help and completion are made from this declaration.
//
// What it promises: one text means the same for every question and by every way in. A
// value that can mean nothing is an *Error, which says what the filter takes.
//
// What it does not promise: that a commit or a fingerprint exists. Package recall looks
// that up, since only it has the record and git.
//
// What may go in: names, forms and meanings of filters. It reads no record and runs no
// program, so that every way in can afford to import it.
package filter

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Filters are the filters of a question, as they were given. One that is empty selects all;
// several are joined by and. The tags are the declaration: the name, what the value is
// called, and what it means.
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
	Takes string // what its value is called
	About string // what it means
	Bare  string // the value that the flag alone stands for; "" if it needs one
	Type  reflect.Type
	field int
}

// Several says whether it takes several values.
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

// Value is what a filter was given, as a flag takes it; "" if nothing.
func (f *Filters) Value(of Filter) string {
	v := reflect.ValueOf(f).Elem().Field(of.field)
	if v.IsZero() {
		return ""
	}
	return fmt.Sprint(v.Interface())
}

// Set gives a filter a value. What is given a second time is added to a list.
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

// Error is a value that a filter cannot take.
type Error struct{ Name, Value, Takes string }

func (e *Error) Error() string {
	if e.Value == "" {
		return fmt.Sprintf("--%s %s", e.Name, e.Takes)
	}
	return fmt.Sprintf("--%s %s: %s", e.Name, e.Value, e.Takes)
}

// Chosen are filters that were understood.
type Chosen struct {
	Status, Tool, Kind, Rule, File, Branch, Agent, Session, Command Patterns

	Fingerprints   []string // in lower case, some of them beginnings
	Commits, Trees []string // as they were given
	Dirty          []string // of yes, no, unknown
	Since, Until   time.Time
	Grep, Sort     string
	Limit          int
}

// A fingerprint, and the shortest beginning of one that is looked up.
const MinFingerprint, MaxFingerprint = 6, 12

var (
	statuses = []string{"passed", "ok", "failed", "error", "unknown", "running"}
	dirties  = []string{"yes", "no", "unknown"}
)

// Words are the values that a filter has for a question; nil if they cannot be listed here.
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

// orders are those in which the answers of a question can be had; the first one is what it
// does by itself.
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

// Time reads a time as --since does, for a flag of that name.
func Time(name, s string, now time.Time) (time.Time, error) { return moment(name, s, now) }

// Read understands the filters of a question, which is the name of its command, at a moment.
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

// check looks at the values that are words of a list, and at the forms of the others.
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

// Hex says whether a text is so many hex digits.
func Hex(s string, least, most int) bool {
	return len(s) >= least && len(s) <= most && strings.Trim(strings.ToLower(s), "0123456789abcdef") == ""
}

// suggest says what may have been meant by a word that is not in a list: one of which it
// is the beginning, or whose letters it has, all but one or two.
func suggest(word string, known []string) string {
	for _, k := range known {
		if word != "" && (strings.HasPrefix(k, word) || len(word) > 3 && distance(word, k) <= 2) {
			return "; did you mean " + k + "?"
		}
	}
	return ""
}

// distance is how many letters have to be changed, put in or taken out to make b of a.
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
