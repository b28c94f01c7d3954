package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("docker podman | docker-compose nerdctl buildah", func(p *tool.Parser) {
	p.Is("docker", result.Infra, 2, "docker and docker compose: errors of the client, the engine and a build")
	p.Runner = true
	p.Matches = showsOwn("docker docker-compose podman nerdctl buildah")
	p.Exits = map[int]result.Meaning{125: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Said{
		Errors:   []string{"ERROR: ", "Error: ", "error: ", "docker: ", "unable to prepare context: "},
		Usage:    []string{"unknown flag: ", "unknown shorthand flag: ", "docker: unknown command", "unknown docker command: "},
		Warnings: []string{"WARNING: ", "WARN: "}, Other: dockerLine,
	}.Parse})
})

// dockerLine reads errors of the engine, a failed step of a build, and compose's "service x …".
func dockerLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	switch {
	case lex.HasAnyPrefix(text, "Error response from daemon: ", "failed to connect to the docker API", "Cannot connect to the Docker daemon", "permission denied while trying to connect", "service \"", "no configuration file provided", "the input device is not a TTY", "no such service: ", "yaml: ", "Service '", "Unsupported config option for "),
		strings.HasPrefix(text, "services.") && strings.Contains(text, " contains "), strings.HasPrefix(text, ".FileNotFoundError: "), strings.HasPrefix(text, "Couldn't connect to Docker daemon"):
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.TrimPrefix(text, "Error response from daemon: ")})
	}
	if composeLine(s, l) {
		return true
	}
	step, what, ok := strings.Cut(text, " ERROR: ")
	return ok && strings.HasPrefix(step, "#") && s.Find(l, result.Finding{Kind: result.BuildError, ID: step, Message: what})
}

// composeLine reads compose's errors about a file, and the further line of an error in YAML:
//
//	validating /home/dev/compose.yml: services.web.ports must be a array
//	failed to parse /home/dev/compose.yml: yaml: unmarshal errors:
//	  line 1: line 4: mapping key "image" already defined at line 3
func composeLine(s *read.Sink, l tool.Line) bool {
	f := result.Finding{Kind: result.GenericFinding, Message: l.Text}
	for _, doing := range [...]string{"validating ", "failed to parse "} {
		rest, ok := strings.CutPrefix(l.Text, doing)
		if path, why, told := strings.Cut(rest, ": "); ok && told && !strings.Contains(path, " ") {
			f.At, f.Message = &result.Location{Path: path}, why
		}
	}
	last, below := s.Last(), strings.HasPrefix(l.Text, "  line ")
	cannot := lex.HasAnyPrefix(l.Text, "env file ", "unable to get image '", "invalid containerPort: ", "invalid hostPort: ", "error while interpolating ", "validating ")
	missing := strings.HasPrefix(l.Text, "open ") && strings.HasSuffix(l.Text, ": no such file or directory") && l.Stream == tool.Stderr
	switch {
	case below && last != nil && strings.HasSuffix(last.Message, "unmarshal errors:"):
		s.More(l)
		last.Message, last.Detail = last.Message+" "+strings.TrimSpace(l.Text), ""
		return true
	case f.At != nil || cannot || missing:
		return s.Find(l, f)
	}
	return false
}

var _ = Room.Add("dockerfilelint", func(p *tool.Parser) {
	p.Is("dockerfilelint", result.Lint, 1, "dockerfilelint 1.x: cli and json")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(dockerfilelintFile, "/files/*")}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Issue  Category      Title "}, Named: true, Parse: read.Lines((*dockerfilelint).line)})
})

func dockerfilelintFile(s *read.Sink, v *struct {
	File   string
	Issues []struct{ Line, Category, Title, Description string }
}) {
	for _, i := range v.Issues {
		s.FindHere(dockerfilelintFinding(v.File, lex.LeadingNumber(i.Line), i.Category, i.Title, i.Description))
	}
}

func dockerfilelintFinding(path string, line int, category, title, description string) result.Finding {
	return result.Finding{Severity: result.SevWarning, RawSeverity: category, Rule: title, Message: lex.OnOneLine(description), At: &result.Location{Path: path, Line: line}}
}

// dockerfilelint reads a table for each line of a file. Its cells may take several lines:
//
//	File:   Dockerfile
//	Issues: 7
//
//	Line 2: RUN apt-get update
//	Issue  Category      Title                 Description
//	    2  Optimization  apt-get update with   Use of apt-get update should be paired with rm -rf
//	                     matching cache rm     /var/lib/apt/lists/* in the same layer.
type dockerfilelint struct {
	path             string
	row, title, text int       // the file's line, and the bytes at which the columns title and description begin
	cells            [2]string // the title and the description in the line above
}

func (d *dockerfilelint) line(s *read.Sink, l tool.Line) bool {
	switch text := l.Text; {
	case strings.HasPrefix(text, "File:   "):
		d.path = text[len("File:   "):]
	case strings.HasPrefix(text, "Issues: "):
		s.Problems(lex.LeadingNumber(text[len("Issues: "):]))
	case strings.HasPrefix(text, "Line ") && lex.LeadingNumber(text[len("Line "):]) > 0:
		d.row = lex.LeadingNumber(text[len("Line "):])
	case strings.HasPrefix(text, "Issue  Category "):
		d.title = max(0, strings.Index(text, "Title"))
		d.text = max(d.title, strings.Index(text, "Description"))
		s.Sign(l)
	case d.row > 0 && d.title > 0 && len(text) > d.text && text[5] == ' ' && lex.IsDigits(strings.TrimSpace(text[:5])):
		_, category, _ := strings.Cut(strings.TrimSpace(text[:d.title]), "  ")
		d.cells = [2]string{text[d.title:d.text], text[d.text:]}
		s.Find(l, dockerfilelintFinding(d.path, d.row, category, strings.TrimSpace(text[d.title:d.text]), text[d.text:]))
	case s.Last() != nil && d.title < len(text) && strings.TrimSpace(text[:d.title]) == "":
		f, end := s.Last(), min(d.text, len(text))
		f.Rule, d.cells[0] = joinCell(f.Rule, d.cells[0], text[d.title:end])
		f.Message, d.cells[1] = joinCell(f.Message, d.cells[1], text[end:])
		s.Reach(l)
	default:
		s.Break()
		return strings.TrimSpace(text) == ""
	}
	return true
}

// joinCell appends a cell's next line, more, to its text so far. A word that fills the line above is continued
// without a blank.
func joinCell(so, above, more string) (joined, cell string) {
	more = strings.TrimRight(more, " ")
	switch word := strings.TrimSpace(above); {
	case strings.TrimSpace(more) == "":
		return so, more
	case len(word) >= dockerfilelintTitle && !strings.Contains(word[max(0, len(word)-dockerfilelintTitle):], " "):
		return so + strings.TrimSpace(more), more
	}
	return lex.OnOneLine(so + " " + more), more
}

// dockerfilelintTitle is the width of the column of titles, in characters: longer words are cut there.
const dockerfilelintTitle = 20
