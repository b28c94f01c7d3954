package jsbuild

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

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
