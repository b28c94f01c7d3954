package python

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("flake8", func(p *tool.Parser) {
	p.Is("flake8", result.Lint, 1, "flake8 3.8 to 7.3: default, pylint, colored, wemake, --show-source, --count, --statistics, -q")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Files = []tool.Files{{Flags: tool.OutputFlags("flake8", "--output-file")}}
	p.Reads(codeTemplate.Format("flake8"))
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*codeLines).line)})
	p.Reads(tool.Format{Name: "wemake", Parse: read.IfFound(read.Grouped{Row: read.RowForm{Rule: read.First, Ruled: true, Default: result.SevError}, Other: wemakeSource}.Parse)})
	p.Reads(read.PythonTrouble("flake8"))
}, tool.WritesFiles)

// wemakeSource reads the lines of --format=wemake below a finding: the code, and "^" below the place.
func wemakeSource(s *read.Sink, l tool.Line) bool {
	return strings.HasPrefix(l.Text, "  ") && s.Last() != nil && s.More(l) || strings.HasPrefix(l.Text, "Full list of violations and explanations:") && s.Close(l)
}

// isQuietPath reports whether a line may be the name of a file, which is all that -q prints.
func isQuietPath(l tool.Line) bool {
	return l.Stream == tool.Stdout && strings.HasSuffix(l.Text, ".py") && !strings.Contains(l.Text, ": ") && !strings.HasPrefix(l.Text, " ")
}

func isQuiet(in *tool.Input) bool {
	return slices.ContainsFunc(in.Command().Argv, func(a string) bool { return a == "-q" || a == "--quiet" || a == "-qq" })
}
