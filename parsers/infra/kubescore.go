package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

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
