package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Programs that end with one line of their own that says why.

var _ = Room.Add("curl", func() *tool.Parser {
	return &tool.Parser{
		Tool: "curl", Kind: result.Generic, Version: 1,
		About: "curl 7 and 8: what it says of a transfer that failed",

		Exits:   map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Starts: []string{"curl: ("}, Parse: curlText.Parse}, {Name: "text", Parse: read.IfFound(curlText.Parse)}},
	}
})

var curlText = read.Said{
	Errors: []string{"curl: ("}, Warnings: []string{"Warning: "}, Usage: []string{"curl: option ", "curl: no URL specified"},
	Notes: []string{"curl: try "}, Fill: fillCurl, Other: curlMeter,
}

// fillCurl takes the number of the error for a rule: "(6) Could not resolve host".
func fillCurl(f *result.Finding) {
	if code, rest, ok := strings.Cut(f.Message, ") "); ok && lex.IsDigits(code) {
		f.Rule, f.Message = code, rest
	}
	f.Message = strings.TrimPrefix(f.Message, "curl: ")
}

// curlMeter reads an error that stands behind the meter of progress, whose line has
// no end.
func curlMeter(s *read.Sink, l tool.Line) bool {
	_, why, ok := strings.Cut(l.Text, "--:--:--     0curl: (")
	if ok {
		f := result.Finding{Kind: result.GenericFinding, Message: why}
		fillCurl(&f)
		s.Find(l, f)
	}
	return ok || strings.HasPrefix(l.Text, "curl: try ")
}

var _ = Room.Add("wget", func() *tool.Parser {
	return &tool.Parser{
		Tool: "wget", Kind: result.Generic, Version: 1,
		About: "GNU wget 1.x: what it says of a transfer that failed",

		Exits:   map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Said{Errors: []string{"wget: ", "ERROR: "}, Other: wgetLine}.Parse}},
	}
})

// wgetLine reads "2026-11-22 10:00:00 ERROR 404: Not Found." and a connection
// that failed.
func wgetLine(s *read.Sink, l tool.Line) bool {
	if _, what, ok := strings.Cut(l.Text, " ERROR "); ok && strings.HasPrefix(l.Text, "20") {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: "ERROR " + what})
		return true
	}
	if strings.Contains(l.Text, "... failed: ") || strings.HasSuffix(l.Text, ": Name or service not known") {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: l.Text})
		return true
	}
	return false
}

var _ = Room.Add("kubectl oc", func() *tool.Parser {
	return &tool.Parser{
		Tool: "kubectl", Kind: result.Infra, Version: 1,
		About:    "kubectl 1.x: errors of the client and of the server, klog lines folded",
		Programs: []string{"kubectl"},
		Formats: []tool.Format{{Name: "text", Parse: read.Said{
			Errors: []string{"error: ", "Error: ", "error when ", "The connection to the server "}, Warnings: []string{"Warning: "}, Other: kubectlLine,
		}.Parse}},
	}
})

// kubectlLine reads "Error from server (NotFound): text"; klog lines, which repeat
// what the last line says, are the tool's and no finding.
func kubectlLine(s *read.Sink, l tool.Line) bool {
	if rest, ok := strings.CutPrefix(l.Text, "Error from server"); ok {
		reason, message, _ := strings.Cut(strings.TrimPrefix(rest, " "), ": ")
		s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: strings.Trim(reason, "()"), Message: message})
		return true
	}
	if strings.HasPrefix(l.Text, "The ") && strings.Contains(l.Text, " is invalid: ") {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: "Invalid", Message: l.Text})
		return true
	}
	return len(l.Text) > 20 && l.Text[0] == 'E' && strings.Contains(l.Text, ".go:") && strings.Contains(l.Text, "] ")
}

var _ = Room.Add("helm", func() *tool.Parser {
	return &tool.Parser{
		Tool: "helm", Kind: result.Infra, Version: 1,
		About: "helm 3: errors, and lint's messages",

		Formats: []tool.Format{{Name: "text", Parse: read.Said{Errors: []string{"Error: "}, Warnings: []string{"WARNING: "}, Other: helmLint}.Parse}},
	}
})

// helmLint reads "[ERROR] templates/x.yaml: text".
func helmLint(s *read.Sink, l tool.Line) bool {
	for word, severity := range map[string]result.Severity{"[ERROR] ": result.SevError, "[WARNING] ": result.SevWarning, "[INFO] ": result.SevInfo} {
		if rest, ok := strings.CutPrefix(l.Text, word); ok {
			f := result.Finding{Severity: severity, RawSeverity: strings.ToLower(strings.Trim(word, "[] ")), Message: rest}
			if path, message, ok := strings.Cut(rest, ": "); ok && strings.ContainsAny(path, "./") && !strings.Contains(path, " ") {
				f.At, f.Message = &result.Location{Path: path}, message
			}
			s.Find(l, f)
			return true
		}
	}
	return false
}

var _ = Room.Add("docker docker-compose podman nerdctl buildah", func() *tool.Parser {
	return &tool.Parser{
		Tool: "docker", Kind: result.Infra, Version: 1, Runner: true,
		About:    "docker and docker compose: errors of the client, the engine and a build",
		Programs: []string{"docker", "podman"},
		Exits:    map[int]result.Meaning{125: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Said{
			Errors:   []string{"ERROR: ", "Error: ", "error: ", "docker: ", "unable to prepare context: "},
			Usage:    []string{"unknown flag: ", "unknown shorthand flag: ", "docker: unknown command"},
			Warnings: []string{"WARNING: ", "WARN: "}, Other: dockerLine,
		}.Parse}},
	}
})

// dockerLine reads what the engine says, a failing step of a build, and
// "service x …" of compose.
func dockerLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	switch {
	case lex.HasAnyPrefix(text, "Error response from daemon: ", "failed to connect to the docker API", "Cannot connect to the Docker daemon", "permission denied while trying to connect", "service \"", "validating ", "no configuration file provided", "the input device is not a TTY", "no such service: ", "yaml: ", "Service '", "Unsupported config option for "),
		strings.HasPrefix(text, "services.") && strings.Contains(text, " contains "), strings.HasPrefix(text, ".FileNotFoundError: "), strings.HasPrefix(text, "Couldn't connect to Docker daemon"):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.TrimPrefix(text, "Error response from daemon: ")})
		return true
	}
	step, what, ok := strings.Cut(text, " ERROR: ")
	if !ok || !strings.HasPrefix(step, "#") {
		return false
	}
	s.Find(l, result.Finding{Kind: result.BuildError, ID: step, Message: what})
	return true
}
