package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("kubectl | oc", func(p *tool.Parser) {
	p.Is("kubectl", result.Infra, 3, "kubectl 1.x: errors of the client and of the server, klog lines folded")
	p.Matches = showsOwn("kubectl oc")
	p.Reads(tool.Format{Name: "text", Parse: read.Said{
		Errors: []string{"error: ", "Error: "}, Warnings: []string{"Warning: "}, Fill: fillKubectl, Other: kubectlLine, End: callsWrong,
		Whole: []string{
			"Error from server", "error validating ", "error parsing ", "error when ", "unable to recognize ", "The connection to the server ",
			"Unable to connect to the server", "timed out waiting for the condition on ", "the server doesn't have a resource type ",
		},
		Usage: []string{"Error in configuration: "},
	}.Parse})
})

// fillKubectl makes the server's reason the rule, and the manifest that the message names the place. A line number
// counts from the start of one document in the manifest, so it stays in the message.
func fillKubectl(f *result.Finding) {
	if rest, ok := lex.CutAnyPrefix(f.Message, "Error from server", "error from server"); ok {
		reason, message, _ := strings.Cut(rest, ": ")
		f.Rule, f.Message = strings.Trim(reason, " ()"), message
	}
	f.Message, _, _ = strings.Cut(f.Message, "; if you choose to ignore these errors")
	for _, doing := range []string{"error validating ", "error parsing ", "error when creating ", "error when patching ", "error when replacing ", "error when deleting "} {
		rest, ok := strings.CutPrefix(f.Message, doing)
		path, why, told := strings.Cut(rest, ": ")
		if path = strings.Trim(path, `"`); ok && told && isManifest(path) {
			f.At, f.Message = &result.Location{Path: path}, why
		}
	}
}

// isManifest reports whether path is a file's, and not a URL or stdin.
func isManifest(path string) bool {
	return path != "" && path != "STDIN" && path != "-" && !strings.Contains(path, "://") && !strings.ContainsAny(path, " \"")
}

// kubectlLine reads the server's errors about an object, one finding for each:
//
//	The Deployment "web" is invalid:
//	* spec.replicas: Invalid value: -1: must be greater than or equal to 0
//
// It also reads errors of a patch, below which the whole patch and the manifest are printed:
//
//	Error from server (Forbidden): error when applying patch:
//	{"metadata": …}
//	for: "web.yaml": error when patching "web.yaml": admission webhook … denied the request
//
// Lines of klog, "E0101 12:00:00.000000 1 memcache.go:265] …", are no findings: kubectl's last line repeats them.
func kubectlLine(s *read.Sink, l tool.Line) bool {
	if kustomizeLine(s, l) { // kubectl apply -k
		return true
	}
	object, why, invalid := strings.Cut(l.Text, " is invalid: ")
	if strings.HasPrefix(l.Text, "The ") && invalid {
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: "Invalid", Message: object + " is invalid: " + why})
	}
	if why, ok := strings.CutPrefix(l.Text, "* "); ok && s.Last() != nil && s.Last().Rule == "Invalid" {
		head, told, _ := strings.Cut(s.Last().Message, " is invalid:")
		if message := head + " is invalid: " + why; told == "" {
			s.More(l)
			s.Last().Message, s.Last().Detail = message, ""
		} else {
			s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: "Invalid", Message: message})
		}
		return true
	}
	if f := s.Last(); f != nil && strings.HasPrefix(f.Message, "error when ") && strings.HasSuffix(f.Message, ":") {
		if _, why, ok := strings.Cut(l.Text, "\": "); ok && strings.HasPrefix(l.Text, "for: \"") {
			s.More(l)
			f.Message, f.Detail = why, ""
			fillKubectl(f)
		}
		s.Cover(l)
		return true
	}
	return len(l.Text) > 20 && l.Text[0] == 'E' && strings.Contains(l.Text, ".go:") && strings.Contains(l.Text, "] ")
}
