package golden

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cairn/golden/runfile"
	"cairn/internal/streams"
	"cairn/parsers"
	"cairn/result"
)

// Case is one recorded run.
type Case struct {
	Name string // TOOL/NAME
	Dir  string // its folder

	Cmd, Cwd, Version string
	Root              string // top of the workspace
	Env               []string
	Same              string        // names the other cases that show the same run; see the package comment
	Output            parsers.Bytes // both streams, in read order
	Exit              result.Exit
	Truth             []Fact
	Files             []File // files that the run wrote
}

// File is a file that the run wrote; its path is relative to Cwd.
type File struct {
	Path string
	Data []byte
}

// Fact is one line of the truth.
type Fact struct{ Kind, Text string }

// Told is the part of the fact that the compact text must have: for a place, path and line. The column is there only if
// two findings share a line.
func (f Fact) Told() string {
	if f.Kind != "at" {
		return f.Text
	}
	rest, column, ok := cutNumber(f.Text)
	if path, line, two := cutNumber(rest); ok && two && column != "" {
		return path + ":" + line
	}
	return f.Text
}

// cutNumber splits "PATH:12".
func cutNumber(s string) (rest, number string, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, "", false
	}
	_, err := strconv.Atoi(s[i+1:])
	return s[:i], s[i+1:], err == nil
}

// Load reads every case below root, sorted by name.
func Load(root string) ([]Case, error) {
	dirs, err := runfile.Dirs(root)
	if err != nil {
		return nil, err
	}
	cases := make([]Case, 0, len(dirs))
	for _, dir := range dirs {
		c, err := read(root, dir)
		if err != nil {
			return nil, fmt.Errorf("reading golden case %s: %w", dir, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func read(root, dir string) (Case, error) {
	name, err := filepath.Rel(root, dir)
	if err != nil {
		return Case{}, err
	}
	r, err := runfile.Read(dir)
	if err != nil {
		return Case{}, err
	}
	c := Case{Name: filepath.ToSlash(name), Dir: dir, Cmd: r.Cmd, Cwd: r.Cwd, Version: r.Version, Root: cmp.Or(r.Root, r.Cwd), Env: lines(r.Env), Same: r.Same}
	if c.Exit, err = parseExit(r.Exit); err != nil {
		return c, err
	}
	if c.Truth, err = parseTruth(r.Truth); err != nil {
		return c, err
	}
	if c.Files, err = readFiles(filepath.Join(dir, "artifacts")); err != nil {
		return c, err
	}
	c.Output, err = merge(r.Stdout, r.Stderr, r.Order)
	return c, err
}

// readFiles reads the files below a directory, sorted by path. The directory may be missing.
func readFiles(dir string) (files []File, err error) {
	err = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			if name == dir && os.IsNotExist(err) {
				return fs.SkipAll
			}
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		files = append(files, File{filepath.ToSlash(rel), data})
		return err
	})
	return files, err
}

func lines(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
}

func parseExit(s string) (result.Exit, error) {
	if s == "timeout" {
		return result.Exit{TimedOut: true, Signal: "SIGKILL"}, nil
	}
	if strings.HasPrefix(s, "SIG") {
		return result.Exit{Signal: s}, nil
	}
	code, err := strconv.ParseUint(s, 10, 8)
	if err != nil {
		return result.Exit{}, fmt.Errorf("exit holds %q: want a code from 0 to 255, the name of a signal, or timeout", s)
	}
	return result.Exit{Observed: true, Code: int(code)}, nil
}

var factKinds = []string{"test", "package", "at", "rule", "says"}

func parseTruth(text string) ([]Fact, error) {
	var facts []Fact
	for _, l := range lines(text) {
		kind, what, _ := strings.Cut(l, " ")
		if !slices.Contains(factKinds, kind) || what == "" {
			return nil, fmt.Errorf("truth holds %q: want one of %s, and what", l, strings.Join(factKinds, ", "))
		}
		facts = append(facts, Fact{kind, what})
	}
	return facts, nil
}

// Input is the case as input of a parser.
func (c Case) Input(source parsers.Source) parsers.Input {
	in := parsers.Input{Shell: c.Cmd, Source: source, Workspace: result.Workspace{Root: c.Root, Dir: c.Cwd, Home: "/home/dev", Tmp: "/tmp"}}
	named := c.named()
	for _, f := range c.Files {
		name, _ := in.Workspace.Path(f.Path)
		in.Artifacts = append(in.Artifacts, parsers.Artifact{
			Path: name, Role: parsers.RoleOf(nil, c.Cmd, f.Path), Named: isNamed(named, f.Path), Data: bytes.NewReader(f.Data), Size: int64(len(f.Data)),
		})
	}
	return in
}

// isNamed says whether the run writes the file, or a folder that contains it.
func isNamed(named []string, file string) bool {
	return slices.ContainsFunc(named, func(name string) bool { return name == file || strings.HasPrefix(file, name+"/") })
}

// named are the files that the run writes according to its command line and environment.
func (c Case) named() (paths []string) {
	for _, w := range append(parsers.WrittenBy(nil, c.Cmd), parsers.WrittenByEnv(c.Env)...) {
		paths = append(paths, path.Clean(w.Path))
	}
	return paths
}

// Failing says whether the run did not exit with 0.
func (c Case) Failing() bool { return !c.Exit.Observed || c.Exit.Code != 0 }

// Raw is the merged output.
func (c Case) Raw() []byte { return Join(c.Output) }

// Join is the bytes of an output, in read order.
func Join(output parsers.Bytes) []byte {
	var all []byte
	for _, chunk := range output {
		all = append(all, chunk.Data...)
	}
	return all
}

// merge combines two streams in the order in which they were read.
func merge(stdout, stderr []byte, order string) (parsers.Bytes, error) {
	if order == "" {
		return parsers.Separate(stdout, stderr), nil
	}
	var merged parsers.Bytes
	rest := map[int][]byte{streams.Stdout: stdout, streams.Stderr: stderr}
	size := int64(len(stdout) + len(stderr))
	err := streams.Spans(strings.NewReader(order+"\n"), size, func(s streams.Span) error {
		n := s.End - s.Offset
		if n > int64(len(rest[s.Stream])) {
			return fmt.Errorf("order gives %d bytes to stream %d, which has only %d left", n, s.Stream, len(rest[s.Stream]))
		}
		merged = append(merged, parsers.Chunk{Stream: parsers.Stream(s.Stream), Offset: s.Offset, Data: rest[s.Stream][:n]})
		rest[s.Stream] = rest[s.Stream][n:]
		return nil
	})
	return merged, err
}
