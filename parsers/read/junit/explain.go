package junit

import (
	"path"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Explain fills in what the text of a failed test tells, as runners print it and
// as reports hold it: the class of the exception, the first line that means
// something, values, and the innermost frame in the workspace. A finding says
// the same then, whether it comes from a report or from what was printed. dir is
// where the sources of the tests are, without that of their language; the class
// of the test is there, others are not looked for.
func Explain(in *tool.Input, f *result.Finding, text []string, class, dir string) {
	thrown(f, "", nil, text)
	f.Message = junitMessage(f, nil, text)
	fillJUnitValues(f, nil, text)
	r := &junitReader{run: &junitRun{in: in, files: place.NewFiles(in.Workspace)}}
	r.test.class = append(r.test.class, class...)
	r.locate(f, "", nil, text)
	r.causes(f, text)
	r.parts(f, "", text)
	inSources(f.At, class, dir)
	for i := range f.Frames {
		inSources(&f.Frames[i], class, dir)
	}
	for i := range f.Related {
		inSources(f.Related[i].At, class, dir)
	}
	detail := lex.Bounded{Max: lex.MaxRest}
	room := lex.MaxRest
	for _, s := range text {
		detail.Add(s, &room)
	}
	f.Detail = strings.Join(detail.Lines(), "\n")
}

// inSources gives a place in the class of a test the directory where its sources are.
func inSources(at *result.Location, class, dir string) {
	if at == nil || class == "" || dir == "" {
		return
	}
	name, _ := cutLast(at.Function, ".")
	outer, _, _ := strings.Cut(name, "$")
	if tested, _, _ := strings.Cut(class, "$"); outer == tested {
		at.Path = path.Join(dir, sourceSet(at.Path), at.Path)
	}
}
