package read

import (
	"fmt"
	"testing"

	"cairn/parsers/tool"
)

// TestTemplate: a line is read by the template that the command line gives, in every way
// in which tools write placeholders; a template that does not tell its parts apart, or
// names no place, is left to others.
func TestTemplate(t *testing.T) {
	letters := Template{Letters: true, Names: map[string]string{"f": "{path}", "l": "{line}", "m": "{message}", "n": "{rule}"}}
	for _, c := range []struct {
		of        Template
		arg, line string
		want      string
	}{
		{Template{}, "--fmt={rule_id}|{file}|{lineno}|{msg}", "R1|src/a b.x|7|no: such", "src/a b.x:7:0 R1 no: such"},
		{Template{}, "--fmt={line:>4}:{col:<3}:{path} {message}", "   7:3  :a.x text", "a.x:7:3  text"},
		{Template{}, "%(code)-6s %(text)s @ %(path)s#%(row)d", "E1     two words @ a.py#12", "a.py:12:0 E1 two words"},
		{Template{}, `{{range $e := .}}{{$e.Filepath}}:{{ .Line }}: {{.Message}}\n{{end}}`, "a.yml:3: text", "a.yml:3:0  text"},
		{Template{}, "$file,$line,$message", "a.x,3,text", "a.x:3:0  text"},
		{Template{}, `{path}:{line}: {message}\n{code} {severity}`, "a.x:3: text", "a.x:3:0  text"},
		{letters, `-f%f:%l:%n:%m\n`, "a.tex:3:11:100% sure", "a.tex:3:0 11 100% sure"},
		{letters, "%f:%l:100%%:%m", "a.tex:3:100%:text", "a.tex:3:0  text"},
		{Template{}, "{path}{rule}:{line} {message}", "a.xR1:3 text", ""},
		{Template{}, "{message}", "anything", ""},
		{Template{}, "{path} {message}", "a.x text", ""},
		{Template{}, "{path}:{line}", "a.x:3", ""},
		{Template{}, "{path}:{line}: {message}", "total: 3", ""},
	} {
		r := c.of.Format("lint").Parse(&tool.Input{Argv: []string{"lint", c.arg, "src"}, Source: tool.Separate([]byte(c.line+"\n"), nil)})
		got := ""
		if r != nil {
			f := r.Findings[0]
			got = fmt.Sprintf("%s:%d:%d %s %s", f.At.Path, f.At.Line, f.At.Column, f.Rule, f.Message)
		}
		if got != c.want {
			t.Errorf("%s: %q is %q, want %q", c.arg, c.line, got, c.want)
		}
	}
}
