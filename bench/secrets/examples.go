package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// example is a text, and the secret that gitleaks finds in it; Secret is "" if its rule must find none.
type example struct {
	Rule   string `json:"rule"`
	Text   string `json:"text"`
	Secret string `json:"secret"`
	folded bool   // the text, with the secret, was broken into lines
}

const (
	gitleaks  = "github.com/zricethezav/gitleaks/v8"
	generator = "redact/gen"          // its go.mod names the version, its go.sum the digest
	ruleList  = "cmd/generate/config" // gitleaks' program that runs all of its rules
)

// printer replaces the file of gitleaks that checks a rule against its examples, and prints the examples instead.
//
//go:embed testdata/validate.go
var printer []byte

// examples reads the examples from a file, or generates them with gitleaks.
func examples(from, keep string) ([]example, error) {
	var data []byte
	var err error
	if from != "" {
		data, err = os.ReadFile(from)
	} else {
		data, err = generate()
	}
	if err != nil {
		return nil, fmt.Errorf("getting examples of secrets: %w", err)
	}
	if keep != "" {
		if err := os.WriteFile(keep, data, 0o600); err != nil {
			return nil, fmt.Errorf("keeping the examples: %w", err)
		}
	}
	return decode(bytes.NewReader(data))
}

func decode(r io.Reader) (list []example, err error) {
	for dec := json.NewDecoder(r); ; {
		var e example
		if err := dec.Decode(&e); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading the examples: %w", err)
		}
		list = append(list, e)
	}
}

// generate builds gitleaks' own program with printer in a temporary copy, and returns its output.
func generate() (data []byte, err error) {
	source, err := fetch()
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "cairn-secrets-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	if err := copyTree(tmp, source); err != nil {
		return nil, err
	}
	dir := filepath.Join(tmp, filepath.FromSlash(ruleList))
	if err := os.WriteFile(filepath.Join(dir, "utils", "validate.go"), printer, 0o600); err != nil {
		return nil, err
	}
	return output(dir, "go", "run", ".", os.DevNull)
}

// fetch returns the folder of gitleaks' source; its digest has been checked.
func fetch() (string, error) {
	data, err := output(filepath.FromSlash(generator), "go", "mod", "download", "-json", gitleaks)
	if err != nil {
		return "", err
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(data, &module); err != nil || module.Dir == "" {
		return "", fmt.Errorf("go mod download says nothing about %s: %w", gitleaks, err)
	}
	return module.Dir, nil
}

// copyTree copies the files of a folder and makes them writable, which those in the module cache are not.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, name)
		if d.IsDir() {
			return os.MkdirAll(target, 0o700)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o600)
	})
}

func output(dir, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	var out, problem bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &problem
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("running %s %v in %s: %w\n%s", name, args, dir, err, problem.Bytes())
	}
	return out.Bytes(), nil
}
