package python

import (
	"regexp"
	"strings"
	"sync"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// flakeOwn reads the lines of a format that the command asks for:
//
//	flake8 --format="%(code)s %(path)s line %(row)d: %(text)s"
func flakeOwn(in *tool.Input) *tool.Report {
	form := flakeForm(in.Command().Argv)
	if form == nil {
		return nil
	}
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		f, ok := flakeFields(form, l.Text)
		if ok = ok && l.Stream == tool.Stdout; ok {
			s.Find(l, f)
		}
		return ok || isStatistic(l.Text)
	}}.Parse(in)
}

// flakeField is a field of a format: "%(row)d", "%(path)-30s".
var flakeField = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`%\((path|row|col|code|text)\)[-0-9.]*[sd]`)
})

// flakeForm is what a line of the format looks like; nil where the command asks for none,
// or for one that names no file or no code.
func flakeForm(argv []string) *regexp.Regexp {
	format := ""
	for i, arg := range argv {
		if value, ok := strings.CutPrefix(arg, "--format="); ok {
			format = value
		} else if arg == "--format" && i+1 < len(argv) {
			format = argv[i+1]
		}
	}
	if !strings.Contains(format, "%(path)") || !strings.Contains(format, "%(code)") {
		return nil
	}
	patterns := map[string]string{"path": `(?P<path>\S.*?)`, "row": `(?P<row>\d+)`, "col": `(?P<col>\d+)`, "code": `(?P<code>[A-Z]{1,4}\d+)`, "text": `(?P<text>.+?)`}
	var pattern strings.Builder
	last := 0
	for _, m := range flakeField().FindAllStringSubmatchIndex(format, -1) {
		name := format[m[2]:m[3]]
		pattern.WriteString(regexp.QuoteMeta(strings.ReplaceAll(format[last:m[0]], "%%", "%")) + ` *` + patterns[name] + ` *`)
		patterns[name] = strings.Replace(patterns[name], "?P<"+name+">", "?:", 1) // a second one is not kept
		last = m[1]
	}
	form, err := regexp.Compile("^" + pattern.String() + regexp.QuoteMeta(strings.ReplaceAll(format[last:], "%%", "%")) + "$")
	if err != nil {
		return nil
	}
	return form
}

// flakeFields is the finding that a line in that format reports.
func flakeFields(form *regexp.Regexp, line string) (f result.Finding, ok bool) {
	m := form.FindStringSubmatch(line)
	if m == nil {
		return f, false
	}
	f.At = &result.Location{}
	for i, name := range form.SubexpNames() {
		switch name {
		case "path":
			f.At.Path = m[i]
		case "row":
			f.At.Line = lex.Atoi(m[i])
		case "col":
			f.At.Column = lex.Atoi(m[i])
		case "code":
			f.Rule = m[i]
		case "text":
			f.Message = m[i]
		}
	}
	return f, isFlakeCode(f.Rule)
}
