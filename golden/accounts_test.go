package golden

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cairn/internal/racing"
	"cairn/outcomes"
	"cairn/result"
)

// reports pair a run's text with its machine report, where the two are cases of different
// tools; cases of one tool are paired by their group.
var reports = []struct {
	text, report string
	short        *regexp.Regexp // what the text leaves out of an id of the report
}{
	{"junit-console/rows", "junit/junit-console", regexp.MustCompile(`^(?:[a-z]\w*\.)+`)}, // a package: the tree shows none
	{"junit/nextest-text", "junit/nextest", nil},
	{"unittest/prints-rows", "junit/xmlrunner", nil},
	{"node-test/hooked", "junit/node-20", nil},
	{"behave/hook-error", "behave/hook-error-json", nil},
	{"ctest/every-kind", "ctest/every-kind-junit", nil},
	{"rspec/every-kind-doc", "rspec/every-kind-junit", nil},
}

// disputed are the tests about which two accounts of one run may differ, and why: the case
// that differs from the others of its group, and what the ids of these tests have in common.
var disputed = []struct{ name, id, why string }{
	{"cargo-test/moved", " (line ", "the documentation tests are named by their lines, which are others on purpose"},
	{"go-test/cover", ".TestDeep", "recorded without the -count of the others"},
	{"go-test/tricky-output", ".TestFake", "a test prints a verdict, which without -v nothing tells from a true one"},
	{"phpunit/teamcity", "::testWarns", "TeamCity's messages have one word for failures and errors"},
	{"stestr/every-kind", ".test_xfails", "the row of a test that failed as expected says ok; the list is not called complete"},
	{"googletest/every-kind-json", "Up", "the report has no failure outside of tests, such as one of the set-up of a suite"},
	{"catch2/success", " fail", "-s does not say which failures were expected; the list is not called complete"},
}

// lister is a case and the list of its tests.
type lister struct {
	name string
	list map[string]outcomes.Test
	said *result.Outcomes
}

func listed(c Case) (l lister, ok bool) {
	_, list, said := tested(c)
	l = lister{c.Name, map[string]outcomes.Test{}, said}
	for _, one := range list {
		l.list[one.ID] = one
	}
	return l, said != nil
}

// against is what a list says that another one of the same run contradicts: other outcomes of
// one test, and a test that a complete list does not have.
func (l lister) against(o lister) (all []string) {
	for id, one := range l.list {
		other, both := o.list[id]
		switch {
		case slices.ContainsFunc(disputed, func(d struct{ name, id, why string }) bool {
			return (d.name == l.name || d.name == o.name) && strings.Contains(id, d.id)
		}):
		case both && (one.Outcome != other.Outcome || l.said.Complete && o.said.Complete && (one.Times != other.Times || one.Came != other.Came)):
			all = append(all, fmt.Sprintf("%s: %s has %s %s, and %s %s %s", id, l.name, one.Outcome, one.Came, o.name, other.Outcome, other.Came))
		case !both && o.said.Complete && !one.Parent:
			all = append(all, fmt.Sprintf("%s: %s has it, and %s is complete without it", id, l.name, o.name))
		}
	}
	slices.Sort(all)
	return all
}

// TestAccounts: whatever the format, a run has one list of tests. Each account of a run is held
// against each other one, name by name: no other outcome, and none that a complete list lacks.
func TestAccounts(t *testing.T) {
	groups := twins(t)
	for i, name := range slices.Sorted(maps.Keys(groups)) {
		if racing.Enabled && i%oneOf() != 0 {
			continue
		}
		var lists []lister
		for _, w := range groups[name] {
			if l, ok := listed(w.c); ok {
				lists = append(lists, l)
			}
		}
		for i, a := range lists {
			for _, b := range lists[i+1:] {
				if all := append(a.against(b), b.against(a)...); len(all) > 0 {
					t.Errorf("%s:\n%s", name, strings.Join(all, "\n"))
				}
			}
		}
	}
}

// TestReports holds a run's text against its report, whose list is complete.
func TestReports(t *testing.T) {
	cases, err := all()
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range reports {
		var both [2]lister
		for i, name := range []string{pair.text, pair.report} {
			at := slices.IndexFunc(cases, func(c Case) bool { return c.Name == name })
			if at < 0 {
				t.Fatalf("no case %s", name)
			}
			both[i], _ = listed(cases[at])
		}
		text, report := both[0], both[1]
		if report.said == nil || !report.said.Complete || len(text.list) == 0 {
			t.Fatalf("%s: %+v; %s has %d tests", report.name, report.said, text.name, len(text.list))
		}
		if pair.short != nil {
			short := map[string]outcomes.Test{}
			for id, one := range report.list {
				short[pair.short.ReplaceAllString(id, "")] = one
			}
			report.list = short
		}
		if wrong := append(text.against(report), report.against(text)...); len(wrong) > 0 {
			t.Errorf("%s", strings.Join(wrong, "\n"))
		}
	}
}
