// Package infra holds the tools for infrastructure, one file for each: terraform, kubectl, helm, ansible, docker,
// servers, packaging, and the linters of their files.
package infra

import "cairn/parsers/tool"

// Room holds the tools that are declared in this package.
var Room tool.Room
