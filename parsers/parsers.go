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

// rooms are the packages that declare tools. A test compares the list with the directories.
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

// table holds the parsers, for all sessions.
var table = sync.OnceValue(func() *engine.Table {
	all := make([]*tool.Declared, 0, 512)
	for _, r := range rooms {
		all = append(all, r.Declared()...)
	}
	return engine.NewTable(all)
})

// All returns the parsers, sorted by tool.
func All() []*Parser { return slices.Clone(table().Parsers()) }
