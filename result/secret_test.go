package result

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var toySecret = regexp.MustCompile(`\{[a-z]+\}`)

// toyRedact replaces {abc}, as a redactor does.
func toyRedact(s string) string { return toySecret.ReplaceAllString(s, PlaceholderStart+"toy]") }

var toyWorkspace = Workspace{Root: "/home/u/{root}/w", Dir: "/home/u/{root}/w/{dir}", Home: "/home/u"}

// secretResult draws a result whose names and paths hold %s where a secret stands, one of a few.
func secretResult(t *rapid.T) (r *ToolResult, secrets int) {
	part := rapid.SampledFrom([]string{"a", "b", "{%s}", "http://u:{%s}@h/", " > ", "::"})
	dirs := rapid.SampledFrom([]string{"", "/home/u/{root}/w/", "k-{%s}_old/", "../", "sub/"})
	r = &ToolResult{Tool: "unit", Kind: Test}
	for i := range rapid.IntRange(1, 6).Draw(t, "findings") {
		id := strings.Join(rapid.SliceOfN(part, 1, 3).Draw(t, "id"), "")
		f := Finding{Kind: TestFailure, Severity: SevFailure, ID: id, Name: id, Select: "^" + id + "$", Suite: []string{id}, Message: "differs"}
		if rapid.Bool().Draw(t, "placed") {
			f.At = &Location{Path: dirs.Draw(t, "dir") + "m.py", Line: i + 1}
		}
		r.Findings = append(r.Findings, f)
	}
	return r, 3
}

// spelled puts secrets of these names into a copy of a result.
func spelled(r *ToolResult, names []string, choice []int) *ToolResult {
	c, n := *r, 0
	put := func(s string) string {
		for strings.Contains(s, "%s") {
			s = strings.Replace(s, "%s", names[choice[n%len(choice)]%len(names)], 1)
			n++
		}
		return s
	}
	c.Findings = slices.Clone(r.Findings)
	for i := range c.Findings {
		f := &c.Findings[i]
		at := n
		f.ID = put(f.ID)
		for _, s := range []*string{&f.Name, &f.Select} { // a name holds the same secrets everywhere
			n = at
			*s = put(*s)
		}
		n = at
		f.Suite = []string{put(f.Suite[0])}
		if f.At != nil {
			place := *f.At
			place.Path = put(place.Path)
			f.At = &place
		}
	}
	return &c
}

func sealedJSON(r *ToolResult) string {
	SealRedacted(r, toyWorkspace, toyRedact)
	data, err := r.JSON()
	if err != nil {
		panic(err)
	}
	return string(data)
}

// TestSecretsTellNothing: what is kept depends on which secrets are equal and not on what they are. So no guess at one
// can be tried on an identity.
func TestSecretsTellNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, n := secretResult(t)
		choice := rapid.SliceOfN(rapid.IntRange(0, n-1), 1, 12).Draw(t, "choice")
		a := sealedJSON(spelled(r, []string{"alpha", "beta", "gamma"}, choice))
		b := sealedJSON(spelled(r, []string{"zz", "x", "alphabet"}, choice))
		if a != b {
			t.Fatalf("with other secrets:\n%s\n%s", a, b)
		}
		if strings.Contains(a, "{alpha") {
			t.Fatalf("leaked: %s", a)
		}
	})
}

// TestASecretThatHoldsWhatFollowsIt is removed whole: {beta}b, whose first b is not the one behind it.
func TestASecretThatHoldsWhatFollowsIt(t *testing.T) {
	r := &ToolResult{Tool: "unit", Kind: Test}
	for _, id := range []string{"{alpha}b", "{beta}b", "{b}b{abb}b"} {
		r.Findings = append(r.Findings, Finding{Kind: TestFailure, Severity: SevFailure, ID: id, Name: id, Select: "^" + id + "$"})
		if got := removed(id, toyRedact(id), toyRedact); strings.Join(got, "b") != strings.TrimSuffix(id, "b") {
			t.Errorf("removed from %q: %q", id, got)
		}
	}
	SealRedacted(r, toyWorkspace, toyRedact)
	if got := removed("^{a}{b}$", toyRedact("^{a}{b}$"), toyRedact); !slices.Equal(got, []string{"{a}", "{b}"}) {
		t.Errorf("side by side: %q", got)
	}
	if got := r.Findings[1].Select; got != "^[redacted:toy#2]b$" {
		t.Errorf("to run it again: %q", got)
	}
}

// TestOneSecretChangesNothing: without secrets, or with one, a result is what it is without numbers.
func TestOneSecretChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, _ := secretResult(t)
		got := sealedJSON(spelled(r, []string{"only"}, []int{0}))
		plain := spelled(r, []string{"only"}, []int{0})
		plain.MapStrings(toyRedact)
		Seal(plain, toyWorkspace.redacted(toyRedact))
		want, _ := plain.JSON()
		if got != string(want) || strings.Contains(got, "#") {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	})
}

// TestOrderOfTestsDoesNotMatter, where every test has a line of its own.
func TestOrderOfTestsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, n := secretResult(t)
		for i := range r.Findings {
			r.Findings[i].At = &Location{Path: "m.py", Line: i + 1}
		}
		one := spelled(r, []string{"alpha", "beta", "gamma"}, rapid.SliceOfN(rapid.IntRange(0, n-1), 1, 12).Draw(t, "choice"))
		other := *one
		other.Findings = slices.Clone(one.Findings)
		for i := range other.Findings {
			place := *one.Findings[i].At
			other.Findings[i].At, other.Findings[i].Suite = &place, slices.Clone(one.Findings[i].Suite)
		}
		rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)).Shuffle(len(other.Findings), func(i, j int) {
			other.Findings[i], other.Findings[j] = other.Findings[j], other.Findings[i]
		})
		identities := func(r *ToolResult) string {
			SealRedacted(r, toyWorkspace, toyRedact)
			var all []string
			for _, f := range r.Findings {
				all = append(all, fmt.Sprint(f.At.Line, f.ID, f.Name, f.Select, f.Suite, f.Fingerprint, f.Group))
			}
			slices.Sort(all)
			return strings.Join(all, "\n")
		}
		if a, b := identities(one), identities(&other); a != b {
			t.Fatalf("in another order:\n%s\n\n%s", a, b)
		}
	})
}

// TestNamesThatDifferInASecret are different names; so are paths.
func TestNamesThatDifferInASecret(t *testing.T) {
	test := func(id, path string, line int) Finding {
		return Finding{Kind: TestFailure, Severity: SevFailure, ID: id, Name: id, Message: "m", At: &Location{Path: path, Line: line}}
	}
	r := &ToolResult{Tool: "unit", Findings: []Finding{
		test("GET http://u:{b}@h/", "m.py", 9),
		test("GET http://u:{a}@h/", "m.py", 4),
		test("GET http://u:{b}@h/", "m.py", 12),
		test("GET http://u:{b}@h/", "other.py", 2),
		test("plain", "x/{a}_old/m.py", 1),
		test("plain", "x/{b}_old/m.py", 1),
		test("plain", "/home/u/{root}/w/{dir}/x/{b}_old/m.py", 2),
	}}
	SealRedacted(r, toyWorkspace, toyRedact)
	var got []string
	for _, f := range r.Findings {
		if f.ID != f.Name {
			t.Errorf("%q is called %q", f.ID, f.Name)
		}
		got = append(got, f.Location+" "+f.ID)
	}
	dir := "[redacted:toy]/"
	want := []string{
		dir + "m.py:9 GET http://u:[redacted:toy#2]@h/", dir + "m.py:4 GET http://u:[redacted:toy]@h/", dir + "m.py:12 GET http://u:[redacted:toy#2]@h/",
		dir + "other.py:2 GET http://u:[redacted:toy]@h/", dir + "x/[redacted:toy]_old/m.py:1 plain",
		dir + "x/[redacted:toy#2]_old/m.py:1 plain", dir + "x/[redacted:toy#2]_old/m.py:2 plain",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if f := r.Findings; f[0].Fingerprint == f[1].Fingerprint || f[0].Group == f[1].Group || f[0].Fingerprint != f[2].Fingerprint || f[4].Group == f[5].Group || f[5].Group != f[6].Group {
		t.Errorf("identities: %+v", r.Findings)
	}
}
