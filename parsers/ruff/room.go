// Package ruff understands ruff check and ruff format in every output format.
package ruff

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
