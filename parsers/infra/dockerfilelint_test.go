package infra

import (
	"testing"

	"cairn/parsers/read"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
)

// TestDockerfilelintHead: a head that is cut off names no columns, and the rows below it are none.
func TestDockerfilelintHead(t *testing.T) {
	for _, head := range []string{"Issue  Category      Titl", "Issue  Category      Title      Desc", "Issue  Category  Description  Title"} {
		text := "File:   Dockerfile\nLine 2: RUN x\n" + head + "\n    2  Optimization  apt-get update with   Use of apt-get update\n                     matching cache rm\n"
		in := tool.Input{Source: term.Separate([]byte(text), nil)}
		read.Lines((*dockerfilelint).line)(&in)
	}
}
