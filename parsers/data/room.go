// Package data is the room of tools for data: dbt, SQL shells and linters, migrations, a file a
// tool.
package data

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
