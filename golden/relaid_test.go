package golden

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"cairn/parsers"
	"cairn/parsers/text/lex"
	"cairn/result"
)

type relay struct {
	filter string
	line   func(i int, l string) string
	whole  func(text string) string // in place of line
}

// relaid are ways in which a filter, a runner or a log lays a whole output out anew. They hide the exit status.
var relaid = []relay{
	{filter: "ts", line: func(i int, l string) string { return day(i).Format("Jan 02 15:04:05 ") + l }},
	{filter: "ts '%FT%.TZ'", line: func(i int, l string) string { return day(i).Format("2006-01-02T15:04:05.000000Z ") + l }},
	{filter: "ts -s %.s", line: func(i int, l string) string { return fmt.Sprintf("%.6f ", float64(i)*0.037) + l }},
	{filter: "jenkins-timestamper", line: func(i int, l string) string { return day(i).Format("[2006-01-02T15:04:05.000Z] ") + l }},
	{filter: "gitlab-runner", line: func(i int, l string) string {
		return day(i).Format("2006-01-02T15:04:05.000000Z ") + []string{"01O ", "01E "}[i/3%2] + l
	}},
	{filter: "containerd", line: func(i int, l string) string {
		return day(i).Format(time.RFC3339Nano+" ") + []string{"stdout F ", "stderr F "}[i/3%2] + l
	}},
	{filter: "logging", line: func(i int, l string) string {
		return day(i).Format("2006-01-02 15:04:05,000 ") + "INFO     runner: " + l
	}},
	{filter: "sed 's/^/> /'", line: func(_ int, l string) string { return "> " + l }},
	{filter: "sed 's/^/test> /'", line: func(_ int, l string) string { return "test> " + l }},
	{filter: "sed 's/^/  /'", line: func(_ int, l string) string { return "  " + l }},
	{filter: "sed 's/^/\\t/'", line: func(_ int, l string) string { return "\t" + l }},
	{filter: "cat -n", line: func(i int, l string) string { return fmt.Sprintf("%6d\t%s", i+1, l) }},
	{filter: "iconv -t utf-16", line: nil},
}

// wrapped are ways in which a log or a filter puts each line into a text of its own.
var wrapped = []relay{
	{filter: "dockerd", line: func(i int, l string) string {
		return `{"log":` + inJSON(l+"\n") + `,"stream":"stdout","time":"` + day(i).Format(time.RFC3339Nano) + `"}`
	}},
	{filter: "zap", line: func(i int, l string) string {
		return fmt.Sprintf(`{"level":"info","ts":%d.5,"by":{"caller":"ci/run.go:31"},"msg":%s}`, day(i).Unix(), inJSON(l))
	}},
	{filter: "journalctl -o json", line: func(i int, l string) string {
		return `{"_PID":"77","PRIORITY":"6","MESSAGE":` + inJSON(l) + `,"_CMDLINE":"/usr/bin/make test"}`
	}},
	{filter: "slog", line: func(i int, l string) string {
		return fmt.Sprintf("time=%s level=INFO msg=%q", day(i).Format(time.RFC3339), l)
	}},
	{filter: "jq -R .", line: func(_ int, l string) string { return "  " + inJSON(l) + "," }},
	{filter: "cat -e", line: func(_ int, l string) string { return strings.ReplaceAll(l, "\t", "^I") + "$" }},
	{filter: "parallel --tag", line: func(_ int, l string) string { return "services/api\t" + l }},
	{filter: "rich --panel square", line: func(_ int, l string) string {
		if strings.ContainsAny(l, "\x1b\r") { // what moves on the screen is not drawn in a box
			return l
		}
		return fmt.Sprintf("│ %-110s │", l)
	}},
	{filter: "python3 wrap.py", whole: func(text string) string { return `{"exitCode": 1, "stdout": ` + inJSON(text) + `, "stderr": ""}` }},
	{filter: "node wrap.js", whole: func(text string) string { return "{\n  \"job\": 12,\n  \"output\": " + inJSON(text) + "\n}" }},
	{filter: "python3 run.py", whole: func(text string) string {
		return "CompletedProcess(args=['make'], returncode=1, stdout='" + strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\x1b", `\x1b`, "'", `\'`).Replace(text) + "')"
	}},
	{filter: "node yaml.js", whole: func(text string) string { return "job: 12\noutput: |\n  " + strings.ReplaceAll(text, "\n", "\n  ") }},
}

// day is the time of line i.
func day(i int) time.Time {
	return time.Date(2026, 11, 20, 10, 0, 0, 123_456_700, time.UTC).Add(time.Duration(i) * 37 * time.Millisecond)
}

// greenRelaid are the folders with a run that looks like a success in a form of relaid: most print one line, behind a text
// that may be its own, or lines that mean something by the column in which they begin. The list can only become shorter.
const greenRelaid = "actionlint appstreamcli ast-grep bats cargo-build cargo-check cargo-nextest cargo-test coq " +
	"cpplint csvkit dbt exunit generic ghc git golangci-lint hg less mockgen pre-commit " +
	"protoc pycodestyle pydocstyle pytest revive rustc sbcl ssort svelte-check svn textlint tflint " +
	"turbo"

// TestRelaid: a run that failed does not become a success behind a text in front of each of its lines, or in UTF-16.
func TestRelaid(t *testing.T) {
	kept := new(tally)
	kept.inTools(t, 150)
	var green sync.Map
	t.Cleanup(func() {
		for _, of := range strings.Fields(greenRelaid) {
			if _, ok := green.Load(of); !ok && everything && !named() {
				t.Errorf("no run of %s looks like a success: take it off the list", of)
			}
		}
	})
	each(t, func(t *testing.T, c Case) {
		if !c.Failing() || strings.ContainsAny(c.Cmd, "|;&<>\n") || len(c.Raw()) == 0 {
			return
		}
		shown := func(filter string, text []byte) *result.ToolResult {
			in := c.Input(parsers.Separate(text, nil))
			in.Shell, in.Artifacts = c.Cmd+" 2>&1 | "+filter, nil
			return parsers.Parse(in, result.Exit{Observed: true})
		}
		want := shown("cat", c.Raw())
		if want.Status != result.Failed && want.Status != result.Error {
			return
		}
		const tried = 4
		same, first, inner := 0, int(seed(c.Name)%uint64(len(relaid))), int(seed(c.Name)%uint64(len(wrapped)))
		of, _, _ := strings.Cut(c.Name, "/")
		for k := range tried {
			form := relaid[(first+k*4)%len(relaid)]
			if k == tried-1 {
				form = wrapped[inner]
			}
			if form.whole != nil && (bytes.Count(c.Raw(), []byte{'\n'}) < 3 || len(c.Raw()) < 200 || strings.ContainsAny(string(c.Raw()[:1]), "{[")) { // a document in a document
				continue
			}
			got := shown(form.filter, laid(c.Raw(), form))
			switch {
			case got.Status != result.Passed && got.Status != result.OK:
				if fingerprints(got) == fingerprints(want) {
					same++
				}
			case lex.IsOneOf(of, greenRelaid):
				green.Store(of, true)
			default:
				t.Errorf("%s: %s, want %s\n%s", form.filter, got.Status, want.Status, identities(want))
			}
		}
		kept.add(c, same, tried)
	})
}

func inJSON(l string) string {
	text, _ := json.Marshal(l)
	return string(text)
}

func laid(raw []byte, form relay) []byte {
	if form.whole != nil {
		return []byte(form.whole(strings.ToValidUTF8(string(raw), "?")) + "\n")
	}
	line := form.line
	var b strings.Builder
	for i, l := range strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n") {
		if line != nil {
			l = line(i, l)
		}
		b.WriteString(l + "\n")
	}
	if line != nil {
		return []byte(b.String())
	}
	text := []byte("\xff\xfe")
	for _, u := range utf16.Encode([]rune(strings.ReplaceAll(b.String(), "\n", "\r\n"))) {
		text = append(text, byte(u), byte(u>>8))
	}
	return text
}
