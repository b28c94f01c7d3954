package parsers

import (
	"slices"
	"sync"

	"cairn/parsers/c"
	"cairn/parsers/data"
	"cairn/parsers/dotnet"
	"cairn/parsers/exchange"
	"cairn/parsers/golang"
	"cairn/parsers/infra"
	"cairn/parsers/internal/engine"
	"cairn/parsers/javascript"
	"cairn/parsers/jsbuild"
	"cairn/parsers/jstest"
	"cairn/parsers/jvm"
	"cairn/parsers/language"
	"cairn/parsers/php"
	"cairn/parsers/prose"
	"cairn/parsers/python"
	"cairn/parsers/ruby"
	"cairn/parsers/rust"
	"cairn/parsers/security"
	shellroom "cairn/parsers/shell"
	"cairn/parsers/tool"
	"cairn/parsers/vcs"
)

// rooms are the folders with tools in them. A test compares the list with the
// directories.
var rooms = []*tool.Room{
	&c.Room,
	&data.Room,
	&dotnet.Room,
	&exchange.Room,
	&golang.Room,
	&infra.Room,
	&javascript.Room,
	&jsbuild.Room,
	&jstest.Room,
	&jvm.Room,
	&language.Room,
	&php.Room,
	&prose.Room,
	&python.Room,
	&ruby.Room,
	&rust.Room,
	&security.Room,
	&vcs.Room,
	&shellroom.Room,
}

// table is what all sessions share: the parsers, and where their formats start.
var table = sync.OnceValue(func() *engine.Table {
	all := make([]*tool.Declared, 0, 512)
	for _, r := range rooms {
		all = append(all, r.Declared()...)
	}
	return engine.NewTable(all)
})

// All lists the parsers by tool.
func All() []*Parser { return slices.Clone(table().Parsers()) }
