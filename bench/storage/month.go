package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// month is the amount of work.
type month struct {
	commands, days, runs int
	least                int64 // the smallest output that is used, in bytes
	alone                bool  // only cairn is measured
}

// mostOutput is the largest output that is used, in bytes.
const mostOutput = 1 << 20

// write writes the outputs below dir, one file per run, and returns the names of those of each command, oldest first.
func (m month) write(golden, dir string) (series [][]string, err error) {
	outputs, err := m.outputs(golden)
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(7, 41))
	series = make([][]string, len(outputs))
	for day := range m.days {
		folder := fmt.Sprintf("day%02d", day+1)
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			return nil, err
		}
		for n := range m.runs {
			for c := range outputs {
				outputs[c] = drift(outputs[c], r)
				name := filepath.Join(folder, fmt.Sprintf("command%02d-%d.log", c, n))
				if err := os.WriteFile(filepath.Join(dir, name), rerun(outputs[c], r), 0o644); err != nil {
					return nil, err
				}
				series[c] = append(series[c], name)
			}
		}
	}
	return series, nil
}

// outputs returns recorded outputs of as many tools as possible, one for each command.
func (m month) outputs(golden string) ([][]byte, error) {
	byTool := map[string][]string{}
	err := filepath.WalkDir(golden, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() != "stdout" {
			return err
		}
		if st, err := d.Info(); err == nil && st.Size() >= m.least && st.Size() <= mostOutput {
			rel, _ := filepath.Rel(golden, path)
			tool, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
			byTool[tool] = append(byTool[tool], path)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var tools []string
	for tool := range byTool {
		tools = append(tools, tool)
	}
	slices.Sort(tools)
	var all [][]byte
	for round := 0; len(all) < m.commands; round++ {
		before := len(all)
		for _, tool := range tools {
			if round < len(byTool[tool]) && len(all) < m.commands {
				b, err := os.ReadFile(byTool[tool][round])
				if err != nil {
					return nil, err
				}
				all = append(all, b)
			}
		}
		if len(all) == before {
			return nil, fmt.Errorf("only %d outputs below %s", len(all), golden)
		}
	}
	return all, nil
}

// changing matches text that differs in each run of the same command on the same tree: durations, times and dates,
// addresses, process ids.
var changing = regexp.MustCompile(`\d+\.\d+ ?(?:s|ms|sec|seconds)\b|\b\d+ ?ms\b|\d\d:\d\d:\d\d(?:\.\d+)?|\d{4}-\d\d-\d\d|0x[0-9a-f]{6,}|\[\d{3,6}\]`)

// rerun returns an output with other durations, times, addresses and process ids, as the next run would print it.
func rerun(output []byte, r *rand.Rand) []byte {
	return changing.ReplaceAllFunc(output, func(b []byte) []byte {
		b = bytes.Clone(b)
		isHex := bytes.HasPrefix(b, []byte("0x"))
		for i, c := range b {
			digit := '0' <= c && c <= '9' && i > 0 && b[i-1] != 'x'
			if digit || isHex && i > 1 && 'a' <= c && c <= 'f' {
				b[i] = byte('0' + r.IntN(10))
			}
		}
		return b
	})
}

// drift changes an output as work does: in every third run some lines are added, removed or moved for good.
func drift(output []byte, r *rand.Rand) []byte {
	if r.IntN(3) > 0 {
		return output
	}
	lines := bytes.SplitAfter(output, []byte("\n"))
	for range 1 + r.IntN(4) {
		at := r.IntN(len(lines))
		switch r.IntN(3) {
		case 0:
			lines = slices.Insert(lines, at, fmt.Appendf(nil, "src/module_%d.py:%d: %x\n", r.IntN(50), r.IntN(900), r.Uint64()))
		case 1:
			lines = slices.Delete(lines, at, at+1)
		case 2:
			other := r.IntN(len(lines))
			lines[at], lines[other] = lines[other], lines[at]
		}
		if len(lines) == 0 {
			return output
		}
	}
	return bytes.Join(lines, nil)
}
