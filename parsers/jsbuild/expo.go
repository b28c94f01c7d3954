package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Metro bundles for expo and react-native. It prints one error, with an excerpt or a stack:
//
//	Error: Unable to resolve module ../theme from /src/app/index.js:
//	> 3 | import { theme } from "../theme";
//	SyntaxError: /src/app/index.js: Unexpected token (7:4)
var _ = Room.Add("expo metro react-native", func(p *tool.Parser) {
	p.Is("expo", result.Build, 1, "expo 49 to 56 and Metro: export, config")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{expoResolve}, Named: true, Parse: read.Fresh(func(e *expo) read.Text {
		return read.Blocks{
			Head: func(text string) (string, bool) {
				return text, lex.HasAnyPrefix(text, expoResolve, "SyntaxError: ", "PluginError: ", "CommandError: ", "ConfigError: ", "TransformError ")
			},
			Ends: func(text string) bool {
				return strings.Contains(text, "Bundling failed ") || text == "Starting Metro Bundler"
			},
			Take: e.failed,
			Other: func(s *read.Sink, l tool.Line) bool {
				return strings.Contains(l.Text, "Bundling failed ") && s.Sign(l)
			},
		}.Text()
	})})
})

const expoResolve = "Error: Unable to resolve module "

type expo struct {
	told string // the last error: one in the configuration is printed twice, with its stack and without
}

func (e *expo) failed(s *read.Sink, b *read.Block) {
	title := strings.TrimSpace(b.Title)
	if title == e.told {
		s.Break()
		return
	}
	e.told = title
	f := result.Finding{Kind: result.BuildError, Message: title}
	if module, from, ok := strings.Cut(title, " from "); ok && strings.HasPrefix(title, expoResolve) {
		title, f.At = module, &result.Location{Path: strings.TrimSuffix(from, ":")}
	}
	jserror.Explain(&f, append([]string{title}, b.Body...))
	s.FindBlock(b, f)
}
