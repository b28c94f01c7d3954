package capture

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/redact"
	"cairn/result"
)

// mattering are the environment variables that decide which programs run, and what they
// do by default. Two runs of a command on one tree are compared only if these are
// equal.
var mattering = []string{
	"CC", "CFLAGS", "CGO_ENABLED", "CI", "CONDA_PREFIX", "CXX", "CXXFLAGS", "GOARCH", "GOFLAGS", "GOOS", "GOTOOLCHAIN", "JAVA_HOME",
	"LANG", "LC_ALL", "LDFLAGS", "NODE_ENV", "NODE_OPTIONS", "NODE_PATH", "PATH", "PERL5LIB", "PYTEST_ADDOPTS", "PYTHONHASHSEED", "PYTHONPATH",
	"RUBYLIB", "RUBYOPT", "RUSTFLAGS", "RUSTUP_TOOLCHAIN", "TZ", "VIRTUAL_ENV",
}

// environmentOf is the key of an environment. Secrets are removed first, since a short
// one could be guessed from the key.
func environmentOf(environ []string, redact func(string) string) string {
	var settings []string
	for _, kv := range environ {
		if name, _, _ := strings.Cut(kv, "="); slices.Contains(mattering, name) {
			settings = append(settings, redact(lasting(kv)))
		}
	}
	slices.Sort(settings)
	return result.EnvironmentKey(settings)
}

// lasting is a setting in the form that it has in every session of a host. From PATH it removes
// repeated folders, in which no program is found. Codex puts a folder in front of PATH that has
// another name in each session: the names of the files in it replace its name.
func lasting(kv string) string {
	if !strings.HasPrefix(kv, "PATH=") {
		return kv
	}
	var list []string
	for _, dir := range filepath.SplitList(kv[len("PATH="):]) {
		if !slices.Contains(list, dir) {
			list = append(list, dir)
		}
	}
	for i, dir := range list {
		parent, name := filepath.Split(dir)
		if !strings.HasPrefix(name, "codex-arg0") || !strings.HasPrefix(filepath.Base(parent), "arg0") {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		list[i] = parent
		for _, e := range entries {
			list[i] += "/" + e.Name()
		}
	}
	return "PATH=" + strings.Join(list, string(filepath.ListSeparator))
}

// KeysOf are the keys under which a command may be recorded in the directory of a site:
// as it is given, and as the shell line of the same words, or the other way round.
func KeysOf(s *place.Site, argv []string, line string) []string {
	return KeysIn(s.Workspace, s.Rel, argv, line)
}

// KeysIn is KeysOf for a directory relative to the root of a workspace.
func KeysIn(w result.Workspace, dir string, argv []string, line string) []string {
	key := func(argv []string, line string) string {
		var red redact.Redactor
		rec := &manifest.Record{Dir: cut(red.String(dir), maxName)}
		setArgv(rec, argv, line, &red)
		return keyOf(w, rec)
	}
	switch {
	case line != "" && strings.ContainsAny(line, "|&;<>()$`\\\"'*?[]{}#~=%!\n"):
		return []string{key(nil, line)}
	case line != "":
		return []string{key(nil, line), key(strings.Fields(line), "")}
	}
	return []string{key(argv, ""), key(nil, strings.Join(argv, " "))}
}
