package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cairn/redact"
)

// ordinary redacts the recorded output below dir line by line. It returns the number of lines and those that changed.
func ordinary(dir string) (lines int, changed []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() != "stdout" && d.Name() != "stderr" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(data)) {
			if strings.TrimSpace(line) == "" {
				continue
			}
			lines++
			if got := redact.Text(line); got != line {
				changed = append(changed, fmt.Sprintf("%s: %q", path, got))
			}
		}
		return nil
	})
	if err != nil {
		return 0, nil, fmt.Errorf("reading ordinary output: %w", err)
	}
	return lines, changed, nil
}
