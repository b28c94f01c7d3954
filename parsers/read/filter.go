package read

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"cairn/result"
)

// Pattern is name as a regular expression that finds it: name itself where that
// does, since it reads better, else with what has a meaning escaped. An option
// such as "go test -run" selects no test by "sum(1+1)", and then exits 0.
func Pattern(name string) string {
	if re, err := regexp.Compile(name); err == nil && re.MatchString(name) {
		return name
	}
	return regexp.QuoteMeta(name)
}

// AgainExactly makes a Filter.Again for a runner whose flag takes a regular expression: form is it around
// the id, "^%s$". The command of the run stands before it.
func AgainExactly(flag, form string) func(id string, own []string) []string {
	return func(id string, own []string) []string {
		return append(slices.Clone(own), flag, strings.Replace(form, "%s", regexp.QuoteMeta(id), 1))
	}
}

// Titles gives the titles of a test behind the file and the project that its id
// may begin with: "a.spec.ts › cart › adds" has two.
func Titles(id, joint string) []string {
	titles := strings.Split(id, joint)
	for len(titles) > 1 && (isSuiteFile(titles[0]) || strings.HasPrefix(titles[0], "[") && strings.HasSuffix(titles[0], "]")) {
		titles = titles[1:]
	}
	return titles
}

// isSuiteFile: "test/cart.test.ts", "features/brew.feature", not "adds 1.5".
func isSuiteFile(title string) bool {
	ext := path.Ext(title)
	return len(ext) > 1 && !strings.Contains(title, " ") && strings.Trim(ext[1:], "abcdefghijklmnopqrstuvwxyz") == ""
}

// FullName spells a test for runners that search the titles of a test and of
// all suites around it, joined by blanks, with a regular expression.
func FullName(f *result.Finding) string {
	return spelled(f, " › ", func(titles []string) string { return Pattern(strings.Join(titles, " ")) })
}

// FullNameLoosely is FullName where the output joins titles by " > ", which stands in
// titles too: what joins them is left open.
func FullNameLoosely(f *result.Finding) string {
	return spelled(f, " > ", func(titles []string) string {
		for i := range titles {
			titles[i] = Pattern(titles[i])
		}
		return strings.Join(titles, ".*")
	})
}

// LastTitle spells a test for runners that search its own title alone.
func LastTitle(f *result.Finding) string {
	return spelled(f, " › ", func(titles []string) string { return Pattern(titles[len(titles)-1]) })
}

// FirstTitle spells a test for runners that select a test case with all that is
// in it.
func FirstTitle(f *result.Finding) string { return Titles(f.ID, " > ")[0] }

// spelled leaves a file that could not be loaded as it is.
func spelled(f *result.Finding, joint string, spell func(titles []string) string) string {
	titles := Titles(f.ID, joint)
	if len(titles) == 1 && isSuiteFile(titles[0]) {
		return ""
	}
	return spell(titles)
}
