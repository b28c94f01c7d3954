package python

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("flake8", func() *tool.Parser {
	return &tool.Parser{
		Tool: "flake8", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About: "flake8 3.8 to 7.3: default, pylint, colored, --show-source, --count, --statistics, -q",
		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Files: []tool.Files{{Flags: tool.OutputFlags("flake8", "--output-file")}},
		Formats: []tool.Format{
			codeTemplate.Format("flake8"),
			{Name: "text", Parse: read.Lines((*codeLines).line)},
			read.PythonTrouble("flake8"),
		},
	}
}, tool.WritesFiles)

// isQuietPath: -q prints the names of the files alone.
func isQuietPath(l tool.Line) bool {
	return l.Stream == tool.Stdout && strings.HasSuffix(l.Text, ".py") && !strings.Contains(l.Text, ": ") && !strings.HasPrefix(l.Text, " ")
}

func isQuiet(in *tool.Input) bool {
	return slices.ContainsFunc(in.Command().Argv, func(a string) bool { return a == "-q" || a == "--quiet" || a == "-qq" })
}
