package golden

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"cairn/parsers"
	"cairn/result"
)

// twin is a case that shows the same run as others of its group.
type twin struct {
	c     Case
	group string // TOOL/NAME
	r     *result.ToolResult
	lacks []lack
}

// lack is something that the format of a case does not tell.
type lack struct {
	field string // of findingFields
	of    string // words that the finding says; none mean every finding
}

// findingFields are what two accounts of one run must agree on, finding by
// finding. A lack of "finding" leaves the finding out.
var findingFields = []string{"finding", "path", "line", "rule", "fingerprint", "group"}

// parseSame reads the line same of a case; see the package comment.
func parseSame(text string) (group string, lacks []lack, err error) {
	for _, l := range lines(text) {
		what, why, _ := strings.Cut(l, " because ")
		verb, rest, _ := strings.Cut(what, " ")
		field, of, _ := strings.Cut(rest, " of ")
		switch {
		case verb == "group" && rest != "" && group == "":
			group = rest
		case (verb == "lacks" || verb == "adds") && slices.Contains(findingFields, field) && strings.TrimSpace(why) != "":
			lacks = append(lacks, lack{field, of})
		default:
			return "", nil, fmt.Errorf("same holds %q: want group NAME once, and lacks %s [of TEXT] because WHY", l, strings.Join(findingFields, "|"))
		}
	}
	if group == "" {
		return "", nil, fmt.Errorf("same names no group")
	}
	return group, lacks, nil
}

func twins(t *testing.T) map[string][]twin {
	t.Helper()
	cases, err := all()
	if err != nil {
		t.Fatal(err)
	}
	pairs, err := Load("pairs")
	if err != nil {
		t.Fatal(err)
	}
	groups := map[string][]twin{}
	for _, c := range slices.Concat(cases, pairs) {
		if c.Same == "" {
			continue
		}
		name, lacks, err := parseSame(c.Same)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		name = path.Dir(c.Name) + "/" + name
		groups[name] = append(groups[name], twin{c, name, asRecorded(c), lacks})
	}
	return groups
}

// account lists the findings of a, as far as none of the lacks is about them.
func account(r *result.ToolResult, lacks []lack) string {
	var all []string
	for i := range r.Findings {
		if line := accountOf(&r.Findings[i], lacks); line != "" {
			all = append(all, line)
		}
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

func accountOf(f *result.Finding, lacks []lack) string {
	at := result.Location{}
	if f.At != nil {
		at = *f.At
	}
	said := strings.Join([]string{at.String(), f.Rule, f.ID, f.Message}, " ")
	value := map[string]string{"path": at.Path, "line": fmt.Sprint(at.Line), "rule": f.Rule, "fingerprint": f.Fingerprint, "group": f.Group}
	for _, l := range lacks {
		if slices.ContainsFunc(strings.Fields(l.of), func(word string) bool { return !strings.Contains(said, word) }) {
			continue
		}
		if l.field == "finding" {
			return ""
		}
		value[l.field] = "?"
	}
	var b strings.Builder
	for _, field := range findingFields[1:] {
		fmt.Fprintf(&b, "%s ", value[field])
	}
	return b.String() + "  " + f.ID + " " + f.Rule + ": " + f.Message
}

// telling is the account without the words behind it: those may differ in
// what no fingerprint sees.
func telling(account string) string {
	var b strings.Builder
	for l := range strings.Lines(account) {
		key, _, _ := strings.Cut(l, "   ")
		b.WriteString(key + "\n")
	}
	return b.String()
}

// apart is what only one of two accounts says.
func apart(a, b string) string {
	var out strings.Builder
	left := strings.Split(b, "\n")
	for _, l := range strings.Split(a, "\n") {
		i := slices.IndexFunc(left, func(m string) bool { return telling(m) == telling(l) })
		if i < 0 {
			fmt.Fprintf(&out, "- %s\n", l)
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	for _, l := range left {
		fmt.Fprintf(&out, "+ %s\n", l)
	}
	return out.String()
}

func agree(a, b twin, lacksA, lacksB []lack) bool {
	lacks := slices.Concat(lacksA, lacksB)
	return telling(account(a.r, lacks)) == telling(account(b.r, lacks))
}

// TestSame: whatever the format, the findings of one run are the same: all
// pairs of the cases of a group. What a format does not tell stands in its own
// case; that it is really not told is checked too.
func TestSame(t *testing.T) {
	for name, group := range twins(t) {
		t.Run(name, func(t *testing.T) {
			if len(group) < 2 {
				t.Fatalf("only one case: %s", group[0].c.Name)
			}
			for i, a := range group {
				if len(a.r.Findings) == 0 {
					t.Errorf("%s: no findings", a.c.Name)
				}
				for _, b := range group[i+1:] {
					if lacks := slices.Concat(a.lacks, b.lacks); !agree(a, b, a.lacks, b.lacks) {
						t.Errorf("- %s, + %s:\n%s", a.c.Name, b.c.Name, apart(account(a.r, lacks), account(b.r, lacks)))
					}
				}
				for k, l := range a.lacks {
					others := slices.Delete(slices.Clone(a.lacks), k, k+1)
					if !slices.ContainsFunc(group, func(b twin) bool { return !agree(a, b, others, b.lacks) }) {
						t.Errorf("%s: lacks %s of %q, but no other case tells it", a.c.Name, l.field, l.of)
					}
				}
			}
		})
	}
}

// noAccount is the format in which cargo says why nothing was run.
const noAccount = "messages"

// TestSameCoversFormats: every format of a tool that has several is in a group
// with another one of its formats.
func TestSameCoversFormats(t *testing.T) {
	met := map[string][]string{} // tool: its formats
	for _, group := range twins(t) {
		formats := map[string][]string{}
		for _, w := range group {
			if p := w.r.Parser; p != nil && !slices.Contains(formats[p.Name], p.Format) {
				formats[p.Name] = append(formats[p.Name], p.Format)
			}
		}
		for tool, names := range formats {
			if len(names) > 1 {
				met[tool] = append(met[tool], names...)
			}
		}
	}
	open := uncompared(t)
	for _, p := range parsers.All() {
		formats := slices.DeleteFunc(slices.Clone(p.Formats), func(f parsers.Format) bool { return f.Name == noAccount })
		formats = slices.CompactFunc(formats, func(a, b parsers.Format) bool { return a.Name == b.Name }) // found in another way
		for _, f := range formats {
			compared, name := slices.Contains(met[p.Tool], f.Name), p.Tool+" "+f.Name
			switch {
			case len(formats) == 1:
			case !compared && !open[name]:
				t.Errorf("no group has the format %s of %s beside another", f.Name, p.Tool)
			case compared && open[name]:
				t.Errorf("uncompared.txt still lists the format %s of %s", f.Name, p.Tool)
			}
		}
	}
}

// uncompared are the formats of which no run of one project in two of them is
// recorded yet, as "TOOL FORMAT" lines.
func uncompared(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("uncompared.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for _, line := range lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			all[line] = true
		}
	}
	return all
}
