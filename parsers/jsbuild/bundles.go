package jsbuild

import (
	"fmt"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("parcel", func(p *tool.Parser) {
	p.Is("parcel", result.Build, 1, "parcel 2")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"🚨 Build failed."}, Parse: read.Text{Line: parcelLine}.Parse})
})

// parcelLine reads "@parcel/core: text" and "  /tmp/src/a.js:1:10" below it.
func parcelLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if message, ok := strings.CutPrefix(l.Text, "@parcel/"); ok {
		rule, message, _ := strings.Cut(message, ": ")
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: "@parcel/" + rule, Message: message})
	}
	if strings.HasPrefix(text, "🚨 Build failed.") {
		return s.Sign(l)
	}
	f := s.Last()
	if f == nil {
		return false
	}
	if at := place.LastColons(text); at != nil && f.At == nil && !frame.IsLibrary(at.Path) {
		f.At = at
	}
	return s.More(l)
}

var _ = Room.Add("unbuild", func(p *tool.Parser) {
	p.Is("unbuild", result.Build, 1, "unbuild 2 and 3: what rollup says, in the log of consola")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: unbuildLine}.Parse})
})

// unbuildLine reads " ERROR  Error building /src/ufo: RollupError: text". The error is repeated without the head,
// once with its stack.
func unbuildLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	said, ok := strings.CutPrefix(text, "ERROR  ")
	if _, framed := jserror.Frame(text); !ok {
		return framed && s.Last() != nil && s.More(l)
	}
	if rest, building := strings.CutPrefix(said, "Error building "); building {
		_, said, _ = strings.Cut(rest, ": ")
	}
	f := viteOld(said)
	if f.Rule == "RollupError" {
		f.Rule = ""
	}
	if _, from, found := strings.Cut(f.Message, " from \""); found && f.At == nil {
		f.At = &result.Location{Path: strings.TrimSuffix(from, "\"")}
	}
	if slices.ContainsFunc(s.Findings, func(told result.Finding) bool { return told.Message == f.Message }) {
		return s.Cover(l)
	}
	return s.Find(l, f)
}

var _ = Room.Add("bundlewatch bundlesize", func(p *tool.Parser) {
	p.Is("bundlewatch", result.Generic, 1, "bundlewatch 0.2 to 0.4, bundlesize 0.18")
	p.Reads(tool.Format{Name: "text", Starts: []string{"bundlewatch FAIL", "bundlewatch PASS"}, Parse: bundlewatch.Parse})
	p.Reads(tool.Format{Name: "text", Parse: bundlewatch.Parse})
})

// bundlewatch reads a line for each file that is too large or missing.
var bundlewatch = read.Rows{Rows: []read.Row{
	{Form: "bundlewatch FAIL{}", As: read.Close},
	{Form: "bundlewatch PASS{}", As: read.Close},
	{Form: " FAIL  {id}: {actual} > maxSize {expected}", Fit: tooLarge},
	{Form: "  FAIL  {id}: {actual} > maxSize {expected}", Fit: tooLarge},
	{Form: "FAIL  {id}: {actual} > maxSize {expected}", Fit: tooLarge},
	{Form: "FAIL {id}: {actual} > {expected}", Fit: tooLarge},
	{Form: "ERROR {id}: {message}"},
	{Form: "[FATAL] {message}", As: read.Misuse},
}}

func tooLarge(f *result.Finding) { f.Message = "larger than " + f.Expected }

var _ = Room.Add("size-limit", func(p *tool.Parser) {
	p.Is("size-limit", result.Lint, 1, "size-limit 8 to 12: text and --json")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(sizeItem, "/*")}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Package size limit has exceeded by "}, Parse: read.Text{Line: sizeLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Said{Errors: []string{" ERROR  ", "ERROR  "}, End: read.Misused}.Parse})
})

// sizeLine reads a name, whether its limit was exceeded, and sizes:
//
//	src/b.js
//	Package size limit has exceeded by 589 B
//	Size limit: 100 B
//	Size:       689 B brotlied
func sizeLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	key, value, _ := strings.Cut(text, ":")
	switch value = strings.TrimSpace(value); {
	case strings.HasPrefix(text, "Package size limit has exceeded by "):
		s.Find(l, result.Finding{ID: s.Path, Message: text})
	case (key == "Size limit" || key == "Size") && s.Last() != nil:
		if s.More(l); key == "Size" {
			s.Last().Actual = value
		} else {
			s.Last().Expected = value
		}
	case text == "":
		s.Break()
	case s.Path == "" || s.Last() == nil && !strings.Contains(text, ":"):
		s.Path = strings.Clone(text)
	}
	return true
}

// sizeItem reads an entry of the json format, with sizes in bytes.
func sizeItem(s *read.Sink, v *struct {
	Name            string
	Passed          *bool
	Size, SizeLimit int
}) {
	if v.Passed == nil || *v.Passed {
		return
	}
	f := result.Finding{ID: v.Name, Message: fmt.Sprintf("Package size limit has exceeded by %d B", v.Size-v.SizeLimit)}
	f.Expected, f.Actual = fmt.Sprintf("%d B", v.SizeLimit), fmt.Sprintf("%d B", v.Size)
	s.FindHere(f)
}
