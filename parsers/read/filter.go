package read

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"cairn/result"
)

// Pattern returns a regular expression that finds name: name itself if it matches itself, since that is easier to
// read, otherwise name escaped. With "sum(1+1)", an option such as "go test -run" would select no test and exit 0.
func Pattern(name string) string {
	if re, err := regexp.Compile(name); err == nil && re.MatchString(name) {
		return name
	}
	return regexp.QuoteMeta(name)
}

// AgainExactly returns a Filter.Again for a runner whose flag takes a regular expression. form is the expression
// with %s for the id, "^%s$". The flag is appended to the command of the run.
func AgainExactly(flag, form string) func(id string, own []string) []string {
	return func(id string, own []string) []string {
		return append(slices.Clone(own), flag, strings.Replace(form, "%s", regexp.QuoteMeta(id), 1))
	}
}

// Titles returns the titles in a test's id, without the file and the project with which it may begin: "a.spec.ts ›
// cart › adds" has two.
func Titles(id, joint string) []string {
	titles := strings.Split(id, joint)
	for len(titles) > 1 && (isSuiteFile(titles[0]) || strings.HasPrefix(titles[0], "[") && strings.HasSuffix(titles[0], "]")) {
		titles = titles[1:]
	}
	return titles
}

// isSuiteFile recognises "test/cart.test.ts" and "features/brew.feature", but not "adds 1.5".
func isSuiteFile(title string) bool {
	ext := path.Ext(title)
	return len(ext) > 1 && !strings.Contains(title, " ") && strings.Trim(ext[1:], "abcdefghijklmnopqrstuvwxyz") == ""
}

// FullName is a Filter.Spell for runners that match a regular expression with the titles of a test and its suites,
// joined by blanks.
func FullName(f *result.Finding) string {
	return spelled(f, " › ", func(titles []string) string { return Pattern(strings.Join(titles, " ")) })
}

// FullNameLoosely is FullName for output that joins titles by " > ", which titles may contain too: the expression
// leaves the joints open.
func FullNameLoosely(f *result.Finding) string {
	return spelled(f, " > ", func(titles []string) string {
		for i := range titles {
			titles[i] = Pattern(titles[i])
		}
		return strings.Join(titles, ".*")
	})
}

// LastTitle is a Filter.Spell for runners that search only the test's own title.
func LastTitle(f *result.Finding) string {
	return spelled(f, " › ", func(titles []string) string { return Pattern(titles[len(titles)-1]) })
}

// FirstTitle is a Filter.Spell for runners that select a test case with everything in it.
func FirstTitle(f *result.Finding) string { return Titles(f.ID, " > ")[0] }

// spelled applies spell to the titles of a test; "" for a file that could not be loaded.
func spelled(f *result.Finding, joint string, spell func(titles []string) string) string {
	titles := Titles(f.ID, joint)
	if len(titles) == 1 && isSuiteFile(titles[0]) {
		return ""
	}
	return spell(titles)
}
