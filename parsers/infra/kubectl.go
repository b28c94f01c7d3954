package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
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
		return s.Cover(l)
	}
	return len(l.Text) > 20 && l.Text[0] == 'E' && strings.Contains(l.Text, ".go:") && strings.Contains(l.Text, "] ")
}

var _ = Room.Add("kubeconform | kubeval", func(p *tool.Parser) {
	p.Is("kubeconform", result.Lint, 1, "kubeconform 0.4 to 0.7 and kubeval: text, pretty, tap, json and junit")
	p.JUnit = &tool.Dialect{Own: true, Suites: []string{"kubeconform"}}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(kubeconformResource, "/resources/*")}.Parse})
	p.Reads(tool.Format{Name: "junit", Parse: read.Fresh(func(k *kubeconformXML) read.Text { return read.Text{Line: k.line} })})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: kubeconformLine}.Parse})
})

// kubeconformResource reads a resource of the JSON format. With -verbose, valid resources are listed too.
func kubeconformResource(s *read.Sink, v *struct{ Filename, Kind, Name, Version, Status, Msg string }) {
	if v.Status == "statusInvalid" || v.Status == "statusError" {
		s.FindHere(result.Finding{ID: kubeconformNamed(v.Kind, v.Name), Message: v.Msg, At: &result.Location{Path: v.Filename}})
	}
}

// kubeconformLine reads the formats text (two forms), pretty and tap:
//
//	deploy.yaml - Deployment teller is invalid: text
//	deploy.yaml - Service x failed validation: text
//	✖ deploy.yaml: Deployment teller is invalid: text
//	not ok 2 - deploy.yaml (apps/v1/Deployment//teller): text
func kubeconformLine(s *read.Sink, l tool.Line) bool {
	if strings.HasPrefix(l.Text, "Summary: ") {
		counts := read.CountsBehind(strings.ReplaceAll(strings.ReplaceAll(l.Text, " - ", ", "), " resources found", ""))
		return s.Found(l, counts["invalid"]+counts["errors"])
	}
	if row, tap := strings.CutPrefix(l.Text, "not ok "); tap {
		_, row, _ = strings.Cut(row, " - ")
		path, message, ok := strings.Cut(row, ": ")
		path, resource, _ := strings.Cut(path, " (")
		parts := strings.Split("//"+strings.TrimSuffix(resource, ")"), "/")
		return ok && s.Find(l, result.Finding{ID: kubeconformNamed(parts[len(parts)-3], parts[len(parts)-1]), Message: message, At: &result.Location{Path: path}})
	}
	path, rest, ok := strings.Cut(l.Text, " - ")
	if row, pretty := strings.CutPrefix(l.Text, "✖ "); pretty {
		path, rest, ok = strings.Cut(row, ": ")
	}
	for _, how := range [...]string{" is invalid: ", " failed validation: ", "failed validation: "} {
		if resource, message, has := strings.Cut(rest, how); ok && has {
			return s.Find(l, result.Finding{ID: resource, Message: strings.TrimLeft(message, " "), At: &result.Location{Path: path}})
		}
	}
	return false
}

// kubeconformNamed returns the text format's name for a resource, "Deployment teller", or "" if it has no name.
func kubeconformNamed(kind, name string) string {
	if name == "" {
		return ""
	}
	return kind + " " + name
}

// kubeconformXML reads -output junit, which has one tag on each line and a suite for each file:
//
//	<testsuite name="deploy.yaml" …>
//	  <testcase name="teller" classname="Deployment@apps/v1" …>
//	    <failure message="text" type="">
type kubeconformXML struct {
	path, named string
	from        tool.Line // the line of the test case
}

func (k *kubeconformXML) line(s *read.Sink, l tool.Line) bool {
	switch text := strings.TrimSpace(l.Text); {
	case strings.HasPrefix(text, `<testsuites name="kubeconform" `):
		return s.Sign(l)
	case strings.HasPrefix(text, "<testsuite "):
		k.path = xmltext.Attribute(text, "name")
	case strings.HasPrefix(text, "<testcase "):
		kind, _, _ := strings.Cut(xmltext.Attribute(text, "classname"), "@")
		name := xmltext.Attribute(text, "name") // "namespace/name"
		k.from, k.named = l, kubeconformNamed(kind, name[strings.LastIndexByte(name, '/')+1:])
	case strings.HasPrefix(text, "<failure "), strings.HasPrefix(text, "<error "):
		return k.path != "" && s.Find(k.from, result.Finding{ID: k.named, Message: xmltext.Attribute(text, "message"), At: &result.Location{Path: k.path}}) && s.More(l)
	case text == "</testsuites>" && k.path != "":
		return s.Close(l)
	}
	return false
}

var _ = Room.Add("kube-score", func(p *tool.Parser) {
	p.Is("kube-score", result.Lint, 1, "kube-score 1: human, ci, json, sarif")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(kubeScored, "/*")}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "text", Named: true, Parse: read.Fresh(func(k *kubeScore) read.Text { return read.Text{Line: k.line} })})
})

// kubeScored reads an object of the JSON, which has all checks. Only checks with a grade below 7 are findings, as in
// the other formats.
func kubeScored(s *read.Sink, v *struct {
	TypeMeta struct{ Kind, APIVersion string } `json:"type_meta"`
	Meta     struct{ Name, Namespace string }  `json:"object_meta"`
	File     string                            `json:"file_name"`
	Row      int                               `json:"file_row"`
	Checks   []struct {
		Check    struct{ ID string }
		Grade    int
		Skipped  bool
		Comments []struct{ Path, Summary, Description string }
	}
}) {
	object := v.TypeMeta.APIVersion + "/" + v.TypeMeta.Kind + " " + v.Meta.Name
	if v.Meta.Namespace != "" {
		object += " in " + v.Meta.Namespace
	}
	for _, c := range v.Checks {
		for _, said := range c.Comments {
			if c.Skipped || c.Grade >= 7 {
				continue
			}
			f := result.Finding{Rule: c.Check.ID, Message: said.Summary, Detail: said.Description, At: &result.Location{Path: v.File, Line: v.Row}}
			if f.ID = object; said.Path != "" {
				f.ID += " (" + said.Path + ")"
			}
			if c.Grade > 1 {
				f.Severity = result.SevWarning
			}
			s.FindHere(f)
		}
	}
}

// kubeScore reads the format for people, and -o ci, which has one line for each check and no file and rule:
//
//	apps/v1/Deployment web in shop                                          💥
//	    path=/src/web.yaml
//	    [CRITICAL] Container Image Tag
//	        · c -> Image with latest tag
//	            Using a fixed tag is recommended to avoid accidental upgrades
//	[CRITICAL] web apps/v1/Deployment: (c) Image with latest tag
type kubeScore struct{ object, path, rule, word string }

func (k *kubeScore) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimLeft(l.Text, " ")
	indent := len(l.Text) - len(text)
	switch {
	case strings.HasPrefix(text, "["):
		word, check, ok := strings.Cut(text[1:], "] ")
		if s.Break(); ok && indent == 0 {
			return k.ci(s, l, word, check)
		}
		k.word, k.rule = word, strings.ToLower(strings.ReplaceAll(check, " ", "-"))
		return ok && k.object != ""
	case indent == 0 && strings.Contains(text, "/") && strings.Contains(text, "   "):
		k.object, _, _ = strings.Cut(text, "   ")
		s.Break()
	case indent == 0:
		return strings.HasPrefix(text, "Failed to score files: ") && s.Find(l, result.Finding{Kind: result.GenericFinding, Message: text})
	case strings.HasPrefix(text, "path="):
		k.path = strings.Clone(text[len("path="):])
	case strings.HasPrefix(text, "· "):
		container, message, ok := strings.Cut(text[len("· "):], " -> ")
		f := result.Finding{ID: k.object + " (" + container + ")", Rule: k.rule, Message: message, At: &result.Location{Path: k.path}}
		if !ok {
			f.ID, f.Message = k.object, container
		}
		if k.word != "CRITICAL" {
			f.Severity = result.SevWarning
		}
		return s.Find(l, f)
	default:
		return s.More(l)
	}
	return true
}

func (k *kubeScore) ci(s *read.Sink, l tool.Line, word, check string) bool {
	name, message, _ := strings.Cut(check, ": ")
	name, kind, ok := strings.Cut(name, " ")
	if !ok || word == "OK" || word == "SKIPPED" {
		return ok
	}
	f := result.Finding{ID: kind + " " + strings.Replace(name, "/", " in ", 1), Message: message}
	if container, rest, has := strings.Cut(strings.TrimPrefix(message, "("), ") "); has && message[0] == '(' {
		f.ID, f.Message = f.ID+" ("+container+")", rest
	}
	if word != "CRITICAL" {
		f.Severity = result.SevWarning
	}
	return s.Find(l, f)
}
