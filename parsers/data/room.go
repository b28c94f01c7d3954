// Package data declares tools for data: dbt, SQL shells and linters, migrations and others, most with one file each.
package data

import "cairn/parsers/tool"

// Room holds the tools that are declared in this folder.
var Room tool.Room
