package shell

import (
	"path"
	"slices"
	"strings"
	"sync"

	"cairn/parsers/text/lex"
)

// wrapper describes where a program names the command that it runs. Flags are lists of words.
type wrapper struct {
	words    string // subcommands, one of which must stand before the command
	values   string // flags that take a value
	dirs     string // flags whose value is the directory to run in
	operands int    // how many words before the command are not flags
	assigns  bool   // NAME=VALUE may stand before the command
	bare     bool   // without a subcommand it runs the command too, unless the word is the name of a script
	stays    bool   // it does not run another command, but has a flag that changes the directory
	dashes   bool   // if there is a "--", the command follows it
	line     bool   // "-c LINE" may stand in place of the command
	starts   bool   // it is one of the starters: see behind
}

// wrappers are the programs that unwrapOne takes off a command, and those with a flag that changes the directory.
var wrappers = sync.OnceValue(func() map[string]wrapper {
	table := map[string]wrapper{ // by the names of programs
		"nice":   {values: "-n --adjustment"},
		"ionice": {values: "-c -n --class --classdata"},
		"nohup setsid command unbuffer chronic rtk corepack busybox eatmydata winpty arch linux32 linux64 nbqa": {},
		"xargs":            {values: "-n -P -L -I -d -s -a -E --max-args --max-procs --max-lines --delimiter --arg-file"},
		"exec":             {values: "-a"},
		"time gtime":       {values: "-o -f --output --format"},
		"stdbuf":           {values: "-i -o -e --input --output --error"},
		"xvfb-run":         {values: "-e -f -n -p -s -w --error-file --auth-file --server-num --xauth-protocol --server-args --wait"},
		"sudo":             {values: "-u -g -h -p -C -D -R -T --user --group --host --prompt", assigns: true},
		"doas":             {values: "-u -C"},
		"env":              {values: "-u --unset", dirs: "-C --chdir", assigns: true},
		"cross-env":        {assigns: true},
		"timeout gtimeout": {values: "-k --kill-after -s --signal", operands: 1},
		"flock":            {values: "-w -E --timeout --conflict-exit-code", operands: 1, line: true},
		"dotenv":           {values: "-e -p -v -f"},
		"mise":             {words: "exec x", dashes: true},

		"fakeroot":                       {values: "-l --lib -f --faked -s -i -b"},
		"faketime chrt taskset envchain": {operands: 1}, "caffeinate": {values: "-t -w"},
		"numactl": {values: "-i -m -N -C -p"}, "prlimit": {values: "-o"}, "runuser": {values: "-u --user -g --group -w"},
		"dbus-run-session": {values: "--config-file --dbus-daemon"},
		"srun":             {values: "-n -N -c -p -t -A -J -G -w -x --ntasks --nodes --cpus-per-task --partition --time --account --mem"},

		"op":        {words: "run", values: "--env-file --account", dashes: true},
		"doppler":   {words: "run", values: "-p --project -c --config -t --token", dashes: true},
		"infisical": {words: "run", values: "--env --path --projectId", dashes: true},
		"aws-vault": {words: "exec", operands: 1, dashes: true},
		"chamber":   {words: "exec", operands: 1, dashes: true},
		"su":        {values: "-s --shell -g --group", operands: 1, line: true},
		"env-cmd":   {values: "-f --file -e --environments -r --rc-file"},
		"dotenvx":   {words: "run", values: "-f --env-file -e --env", dashes: true},
		"honcho":    {words: "run", values: "-e --env -f --procfile"},
		"foreman":   {words: "run", values: "-e --env"},

		"volta": {words: "run", values: "--node --npm --pnpm --yarn"}, "fnm": {words: "exec", values: "--using"}, "direnv nvm": {words: "exec", operands: 1},
		"asdf bundle cabal nodenv pyenv rbenv stack": {words: "exec"}, "rustup": {words: "run", operands: 1},
		"opam": {words: "exec", values: "--switch"},

		"npx":       {values: "-p --package -w --workspace", dirs: "--prefix"},
		"bunx pnpx": {values: "-p --package"},
		"npm":       {words: "exec x", values: "-p --package -w --workspace", dirs: "-C --prefix"},
		"pnpm":      {words: "exec dlx", values: "--package --filter -F", dirs: "-C --dir", bare: true},
		"yarn":      {words: "exec dlx run", values: "-p --package", dirs: "--cwd", bare: true},
		"bun":       {words: "x run", dirs: "--cwd", bare: true},

		"uvx":                    {values: uvValues + " --from"},
		"uv":                     {words: "run", values: uvValues, dirs: "--directory"},
		"poetry":                 {words: "run", values: "-P --project", dirs: "-C --directory"},
		"pipx":                   {words: "run", values: "--spec --python --index-url --pip-args"},
		"pdm":                    {words: "run", values: "-p --project --venv"},
		"hatch":                  {words: "run", values: "-e --env -p --project"},
		"pipenv rye":             {words: "run"},
		"pixi":                   {words: "run", values: "-e --environment --manifest-path"},
		"conda mamba micromamba": {words: "run", values: "-n --name -p --prefix", dirs: "--cwd"},

		"make gmake":     {stays: true, values: "-f --file -o -W -I", dirs: "-C --directory"},
		"ninja":          {stays: true, values: "-f -d -t -w", dirs: "-C"},
		"turbo":          {stays: true, dirs: "--cwd"},
		"just":           {stays: true, values: "-f --justfile --set", dirs: "-d --working-directory"},
		"task":           {stays: true, values: "-t --taskfile", dirs: "-d --dir"},
		"gradle gradlew": {stays: true, dirs: "-p --project-dir"},
		"ctest":          {stays: true, values: "--output-junit -R -E -L -LE -j --parallel --timeout -C --build-config -I -O --output-log", dirs: "--test-dir"},
		"composer":       {stays: true, dirs: "-d --working-dir"}, "terraform tofu": {stays: true, dirs: "-chdir"},
	}
	for names, w := range starters() {
		w.starts = true
		table[names] = w
	}
	all := map[string]wrapper{}
	for names, w := range table {
		for name := range strings.FieldsSeq(names) {
			all[name] = w
		}
	}
	return all
})

// uvValues are the flags of "uv run" and "uvx" that take a value (uv 0.9).
const uvValues = "--with --with-editable --with-requirements --extra --no-extra --group --no-group --only-group --env-file -p --python --package" +
	" -i --index --index-url --extra-index-url --default-index -f --find-links --project --config-file --color -P --refresh-package"

// coverValues are the flags of c8 and nyc that take a value (c8 10, nyc 17).
const coverValues = "-r --reporter -o --reports-dir --report-dir -t --temp-dir --temp-directory --src -n --include -x --exclude -e --extension --lines --functions --branches --statements -c --config --cwd --nycrc-path --require -i"

// configured are flags of other programs whose value is a file; the program works in the directory of that file.
var configured = map[string]string{
	"cargo": "--manifest-path", "tox": "-c --conf", "nox": "-f --noxfile", "just": "-f --justfile", "task": "-t --taskfile",
	"mvn": "-f --file", "mvnw": "-f --file", "mvnd": "-f --file",
}

// unwrapOne takes one wrapper off a command, and returns the directory that it changes to.
func (t Tools) unwrapOne(argv []string) (rest []string, dir string, ok bool) {
	name, args := argv[0], argv[1:]
	if flags := configured[name]; flags != "" {
		dir = configDir(args, flags)
	}
	if name == "uv" && len(args) > 1 && args[0] == "tool" && args[1] == "run" {
		name, args = "uvx", args[2:]
	}
	if name == "yarn" && len(args) > 2 && args[0] == "workspace" {
		args = args[2:]
	}
	if w, known := wrappers()[name]; w.starts {
		rest, ok := t.behind(w, args)
		return rest, "", ok
	} else if known {
		rest, in, ok := w.unwrap(args, t)
		dir = JoinDir(dir, in)
		switch {
		case !ok || len(rest) == 0:
			return nil, dir, false
		case lex.IsOneOf(name, "npx bunx pnpx npm pnpm yarn bun uvx uv"): // which take names of packages, possibly with a version
			rest = append([]string{unversioned(rest[0])}, rest[1:]...)
		case name == "hatch":
			_, after, hasEnv := strings.Cut(rest[0], ":")
			if hasEnv {
				rest = append([]string{after}, rest[1:]...)
			}
		}
		return rest, dir, true
	}
	switch {
	case name == "go" && len(args) > 2 && args[0] == "-C":
		return append([]string{name}, args[2:]...), args[1], true
	case name == "coverage" && len(args) > 1 && args[0] == "run":
		rest, ok = pythonModule(args[1:])
	case IsPython(name):
		if rest, ok = pythonModule(args); !ok {
			rest, ok = t.script(args, "bin/")
		}
	case name == "node" || name == "nodejs":
		rest, ok = t.script(args, "node_modules/")
	case lex.IsOneOf(name, "php ruby perl"):
		rest, ok = t.script(args, "bin/", "tools/", ".phar")
	case name == "java":
		rest, ok = t.javaMain(args)
	default:
		rest, ok = t.ofScript(argv)
	}
	return rest, dir, ok
}

// unwrap returns the command behind the wrapper's own words, and the directory that the wrapper changes to.
func (w wrapper) unwrap(args []string, tools Tools) (rest []string, dir string, ok bool) {
	args, dir = w.flags(args)
	switch {
	case w.stays:
		return nil, dir, false
	case w.words == "":
	case len(args) > 0 && lex.IsOneOf(args[0], w.words):
		word := args[0]
		var in string
		args, in = w.flags(args[1:])
		if dir = JoinDir(dir, in); word == "run" && w.bare && !tools.inPackage(args) {
			return nil, dir, false // a script
		}
	case !w.bare || !tools.inPackage(args):
		return nil, dir, false
	}
	if at := slices.Index(args, "--"); w.dashes && at >= 0 {
		return args[at+1:], dir, true
	}
	for w.assigns && len(args) > 0 && strings.Contains(args[0], "=") {
		args = args[1:]
	}
	rest, ok = skip(args, w.operands)
	if w.line && len(rest) > 1 && rest[0] == "-c" {
		rest = append([]string{"sh"}, rest...)
	}
	return rest, dir, ok
}

// flags skips leading flags and their values; dir is the value of a flag that changes the directory.
func (w wrapper) flags(args []string) (rest []string, dir string) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-" {
		flag := args[0]
		args = args[1:]
		if flag == "--" {
			break
		}
		name, value, joined := strings.Cut(flag, "=")
		switch {
		case flag == "-m" || flag == "--module": // uv run -m pytest
		case lex.IsOneOf(name, w.dirs):
			if !joined && len(args) > 0 {
				value, args = args[0], args[1:]
			}
			dir = JoinDir(dir, value)
		case !joined && lex.IsOneOf(flag, w.values) && len(args) > 0:
			args = args[1:]
		case len(flag) > 2 && flag[1] != '-' && lex.IsOneOf(flag[:2], w.dirs): // make -Csub
			dir = JoinDir(dir, flag[2:])
		}
	}
	return args, dir
}

// configDir is the directory of the file that one of the flags names.
func configDir(args []string, flags string) string {
	for i, a := range args {
		name, file, joined := strings.Cut(a, "=")
		if !lex.IsOneOf(name, flags) || !joined && i+1 == len(args) {
			continue
		}
		if !joined {
			file = args[i+1]
		}
		if path.Ext(file) == "" && name == "-c" {
			return file // tox accepts a directory as well
		}
		return path.Dir(strings.ReplaceAll(file, `\`, "/"))
	}
	return ""
}

// Tools reports whether a command without wrappers runs a tool that has a parser: "yarn eslint" then runs eslint,
// not a script of the project. nil accepts no command.
type Tools func(argv []string) bool

func (t Tools) known(argv []string) bool { return t != nil && len(argv) > 0 && t(Named(argv)) }

// inPackage reports whether "yarn NAME" runs a known tool. Projects often have scripts named like a tool that is no
// Node package: "yarn build" does not run Python's build.
func (t Tools) inPackage(argv []string) bool {
	return t.known(argv) && !lex.IsOneOf(argv[0], "build bundle coverage task")
}

// unversioned removes the version of a package name: "eslint@9" gives "eslint".
func unversioned(name string) string {
	if i := strings.LastIndexByte(name, '@'); i > 0 {
		return name[:i]
	}
	return name
}

func IsPython(name string) bool {
	return lex.IsOneOf(strings.TrimRight(strings.TrimSuffix(name, "-dbg"), "0123456789."), "py python pypy")
}

// pythonModule reads "[flags] -m module args" of python and of coverage run.
func pythonModule(args []string) ([]string, bool) {
	for i := 0; i < len(args) && strings.HasPrefix(args[i], "-"); i++ {
		switch a := args[i]; {
		case a == "-m" || a == "--module":
			return skip(args[i+1:], 0)
		case strings.HasPrefix(a, "-m"):
			return append([]string{a[2:]}, args[i+1:]...), true
		case a == "-W" || lex.IsOneOf(a, "-X --source --rcfile --omit --include --context --data-file --concurrency --check-hash-based-pycs") &&
			i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			i++ // its value
		}
	}
	return nil, false
}

// script reads "node [flags] node_modules/…/tool.js args" and "php -d memory_limit=1G vendor/bin/tool args". One of the
// signs in the script's path says that it may be a tool and not the user's own.
func (t Tools) script(args []string, signs ...string) ([]string, bool) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		if args = args[1:]; len(args) > 0 && strings.Contains(args[0], "=") { // the value of "-d"
			args = args[1:]
		}
	}
	if len(args) == 0 || !slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(strings.ReplaceAll(args[0], `\`, "/"), sign) }) {
		return nil, false
	}
	toolName := Named(args[:1])[0]
	argv := append([]string{strings.TrimSuffix(toolName, path.Ext(toolName))}, args[1:]...)
	return argv, t.inPackage(argv)
}

// javaMain reads "java [flags] -jar tool-1.2-all.jar args" and "java [flags] com.acme.Tool args". It accepts tools
// that list the jar's name without version, or the class, among their programs.
func (t Tools) javaMain(args []string) ([]string, bool) {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-jar" && i+1 < len(args):
			name, isJar := strings.CutSuffix(path.Base(strings.ReplaceAll(args[i+1], `\`, "/")), ".jar")
			for ; isJar && name != ""; name = name[:max(strings.LastIndexByte(name, '-'), 0)] {
				if argv := append([]string{name + ".jar"}, args[i+2:]...); t.known(argv) {
					return argv, true
				}
			}
			return nil, false
		case lex.IsOneOf(a, "-cp -classpath --class-path -p --module-path --add-modules"):
			i++ // its value
		case !strings.HasPrefix(a, "-"):
			return args[i:], t.known(args[i:])
		}
	}
	return nil, false
}

func skip(args []string, n int) ([]string, bool) {
	if len(args) <= n {
		return nil, false
	}
	return args[n:], true
}
