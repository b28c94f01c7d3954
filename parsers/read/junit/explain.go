package junit

import (
	"path"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Explain completes a finding with what the text of a failed test says, as printed by runners and as stored in
// reports: the class of the exception, the message, values, and the innermost frame in the workspace. So a finding
// is the same from a report and from printed output. dir is the directory of the test sources, without the part for
// their language; only the test's own class is looked up there.
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

// inSources adds the directory of the test sources to a place in the test's class.
func inSources(at *result.Location, class, dir string) {
	if at != nil && class != "" && dir != "" && isInClass(at, class) {
		at.Path = path.Join(dir, sourceSet(at.Path), at.Path)
	}
}
