package jstest

import (
	"regexp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
)

// again makes a Filter.Again: the command of the run, with the file of the test where its id has
// one, and behind the flag an expression that fits the full name of the test and no other. A full
// name has blanks between titles, where an id has the joint; a title may have the joint in it.
// project is the flag for the project that an id may begin with.
func again(flag, joint, project string) func(id string, own []string) []string {
	return func(id string, own []string) []string {
		words, titles := without(without(own, flag), project), strings.Split(id, joint)
		var in []string
		if name := titles[0]; len(titles) > 1 && strings.HasPrefix(name, "[") && strings.HasSuffix(name, "]") {
			if titles = titles[1:]; project != "" {
				in = []string{project, name[1 : len(name)-1]}
			}
		}
		if len(titles) > 1 && jserror.IsScript(titles[0]) {
			words, titles = append(words, read.Pattern(titles[0])), titles[1:]
		}
		words = append(words, in...) // jest takes all up to the next flag as projects
		for i := range titles {
			titles[i] = regexp.QuoteMeta(titles[i])
		}
		return append(words, flag, "^"+strings.Join(titles, "("+strings.TrimRight(joint, " ")+")? ")+"$")
	}
}

// avaAgain selects by the title alone, in which a star fits anything. Where ava ran several files, an id begins with
// what is left of the name of the file, and not with the name.
func avaAgain(id string, own []string) []string {
	if strings.Contains(id, titleJoint) || strings.HasPrefix(id, "!") {
		return nil
	}
	return append(without(own, "--match"), "--match", id)
}

// cucumberAgain selects a scenario of a feature by its name, and takes the place of the folders and features that were run.
func cucumberAgain(id string, own []string) []string {
	file, name, ok := strings.Cut(id, titleJoint)
	if !ok {
		return nil
	}
	words := slices.DeleteFunc(without(own, "--name"), func(a string) bool {
		path, _, _ := strings.Cut(a, ":")
		return strings.HasSuffix(path, ".feature") || strings.HasPrefix(file, strings.TrimSuffix(a, "/")+"/")
	})
	return append(words, file, "--name", "^"+regexp.QuoteMeta(name)+"$")
}

// mochaAgain selects for a hook the test that it was run for.
func mochaAgain(id string, own []string) []string {
	if suite, rest, ok := strings.Cut(id, `" hook for "`); ok && strings.HasSuffix(rest, `"`) {
		if i := strings.LastIndexByte(suite, '"'); i >= 0 {
			id = suite[:i] + rest[:len(rest)-1]
		}
	}
	return again("-g", titleJoint, "")(id, own)
}

// without is a command without a flag and its value.
func without(own []string, flag string) []string {
	words := slices.Clone(own)
	for i := slices.Index(words, flag); i > 0 && i+1 < len(words); i = slices.Index(words, flag) {
		words = slices.Delete(words, i, i+2)
	}
	return words
}

// playwrightAgain selects by the end of the full name, which begins with the project and the file.
func playwrightAgain(id string, own []string) []string {
	words := again("-g", titleJoint, "--project")(id, own)
	words[len(words)-1] = strings.TrimPrefix(words[len(words)-1], "^")
	return words
}
