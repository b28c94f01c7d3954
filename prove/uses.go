package prove

import (
	"cmp"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cairn/capture"
	"cairn/manifest"
	"cairn/parsers"
	"cairn/result"
)

// use is a run that is related to a check.
type use struct {
	rec   *manifest.Record // the record of one stage, if the check is one command of a line
	whole *manifest.Record
	stage int
	weak  []Reason // what differs from the check's command; empty for the exact command
}

// very says whether the exact command ran, whatever preceded it in the line.
func (u *use) very() bool {
	return !slices.ContainsFunc(u.weak, func(r Reason) bool { return r.Why != WhyLine && r.Why != WhyProgram })
}

// command recognizes a check's command in records.
type command struct {
	keys  []string
	tool  string
	words []string
	dir   string
	w     result.Workspace
}

func commandOf(w result.Workspace, c Check) command {
	dir := c.Dir
	dir = cmp.Or(dir, ".")
	of := command{dir: dir, w: w, words: strings.Fields(c.Command)}
	argv, line := c.Argv()
	of.keys, of.tool = capture.KeysIn(w, dir, argv, line), parsers.CommandTool("", argv, line)
	return of
}

// known says whether the tool has a parser.
func (c command) known() bool { return parsers.Named(c.tool) != nil }

// silenceIsGood says whether an empty output of the tool means that it found nothing. A test runner always prints what
// it ran; and if a shell or an option redirects the output, nothing is known about it.
func (c command) silenceIsGood(check Check) bool {
	p := parsers.Named(c.tool)
	argv, _ := check.Argv()
	return p != nil && p.Kind != result.Test && p.Kind != result.Generic && argv != nil && len(parsers.WrittenBy(argv, "")) == 0
}

// silent says whether the complete output is known to be empty. For a command in a longer line it is not: the line may
// redirect its output.
func (u *use) silent() bool { return u.stage == 0 && u.rec.Raw != nil && u.rec.Raw.Size == 0 }

// use classifies a capture; nil if it is not related to the command.
func (c command) use(rec *manifest.Record) *use {
	if slices.Contains(c.keys, rec.Key) {
		return &use{rec: rec, whole: rec, weak: c.program(rec)}
	}
	for n := 1; rec.Stage(n) != nil; n++ {
		st := rec.Stage(n)
		if !slices.ContainsFunc(capture.KeysIn(c.w, st.Dir, st.Argv, ""), func(key string) bool { return slices.Contains(c.keys, key) }) {
			continue
		}
		if st.Status == "" && len(rec.Stages.List) == 1 && rec.Tool == c.tool && st.Exit != nil && *st.Exit == 0 {
			st = inPlaceOf(rec, st) // the line's output is the command's
		}
		u := &use{rec: st, whole: rec, stage: n, weak: c.program(st)}
		if prepares(rec.Shell) {
			u.weak = append(u.weak, linePrepares(rec.Shell))
		}
		if undecided(st) {
			u.weak = append(u.weak, Reason{Why: WhyEarly, Text: "its reader stopped reading before it had ended: " + short(rec.Shell)})
		}
		return u
	}
	return c.other(rec)
}

// undecided says whether a run has no result: its reader closed the pipe early, and the output until then shows no
// failure.
func undecided(rec *manifest.Record) bool {
	r, err := rec.Result()
	return err == nil && rec.Status == result.Unknown && (rec.Exit != nil || rec.Signal != "") &&
		(r == nil || !slices.ContainsFunc(r.Findings, func(f result.Finding) bool { return f.Severity == result.SevFailure || f.Severity == result.SevError }))
}

// program says whether another file with the program's name ran, which the key does not show.
func (c command) program(rec *manifest.Record) []Reason {
	if len(rec.Argv) == 0 || rec.Shell != "" || rec.Argv[0] == c.words[0] || !strings.ContainsAny(rec.Argv[0], `/\`) {
		return nil
	}
	return []Reason{{Why: WhyProgram, Text: "it was run as " + short(rec.Argv[0])}}
}

func linePrepares(line string) Reason {
	return Reason{Why: WhyLine, Text: "the line sets variables, defines commands or reads scripts of its own: " + short(line)}
}

// inPlaceOf is a stage with the result of its line.
func inPlaceOf(rec, st *manifest.Record) *manifest.Record {
	whole := *rec
	whole.Exit, whole.Signal, whole.Argv, whole.Shell = st.Exit, st.Signal, st.Argv, ""
	return &whole
}

// other classifies a capture of a related command.
func (c command) other(rec *manifest.Record) *use {
	line := rec.Shell
	if line == "" && len(rec.Argv) == 3 && rec.Argv[1] == "-c" { // sh -c LINE
		line = rec.Argv[2]
	}
	if line, dir := c.moved(rec, line); line != "" && dir == c.dir {
		line := strings.ReplaceAll(line, " 2>&1", "") // both streams are stored either way
		for part := range strings.SplitSeq(line, "&&") {
			if c.is(dir, part) && !prepares(line) && !moves().MatchString(line) && !shellLine(strings.ReplaceAll(line, "&&", "")) {
				return &use{rec: rec, whole: rec} // if the line succeeded, all of its commands did
			}
		}
		head := line[:max(strings.IndexAny(line, "|;&"), 0)]
		if head != "" && c.is(dir, head) {
			return &use{rec: rec, whole: rec, weak: []Reason{{Why: WhySwallowed, Text: "its exit status may be another command's: " + short(line)}}}
		}
	}
	words := rec.Argv
	if line != "" {
		words = strings.Fields(line)
	}
	same := parsers.CommandTool(rec.ParseAs, rec.Argv, rec.Shell) == c.tool
	for n := 1; !same && rec.Stage(n) != nil; n++ {
		same = parsers.CommandTool("", rec.Stage(n).Argv, "") == c.tool
	}
	if same = same && c.sameTask(words); !same && !within(c.words, words) || !c.asks(rec, line) {
		return nil
	}
	why := Reason{Why: WhyNarrower, Text: "another command was run: " + short(strings.Join(words, " "))}
	switch whole := within(c.words, words); {
	case whole && prepares(line):
		why = linePrepares(line)
	case whole && strings.Contains(line, ">") && rec.Status == result.OK:
		why = Reason{Why: WhyNotKept, Text: "its output went elsewhere: " + short(line)}
	case whole && strings.ContainsAny(strings.ReplaceAll(line, "&&", ""), "|;&"):
		why = Reason{Why: WhySwallowed, Text: "its exit status may be another command's: " + short(line)}
	}
	return &use{rec: rec, whole: rec, weak: []Reason{why}}
}

// sameTask says whether words run the same task as the check. For a test runner or linter any words do; for a program
// that runs what its arguments name (make, npm, mvn, node) they must share such a word.
func (c command) sameTask(words []string) bool {
	p := parsers.Named(c.tool)
	switch {
	case p == nil:
		return false
	case slices.Contains(verdicts, p.Kind) && p.Tool != "gradle" && p.Tool != "maven":
		return true
	}
	mine, theirs := tasks(c.words), tasks(words)
	if len(mine) == 0 {
		return len(theirs) == 0 || p.Kind == result.Pipeline
	}
	return slices.ContainsFunc(mine, func(task string) bool { return slices.Contains(theirs, task) })
}

// verdicts are the kinds of tools that have only one task.
var verdicts = []result.Kind{result.Test, result.Lint, result.Typecheck, result.Format, result.Security}

// tasks are the words of a command that may name the task to run.
func tasks(words []string) (names []string) {
	for i, word := range words {
		if i == 0 || strings.HasPrefix(word, "-") || strings.Contains(word, "=") || word == "run" || word == "." || slices.Contains(strings.Fields(placing), words[i-1]) {
			continue
		}
		names = append(names, word)
	}
	return names
}

// placing are options whose value is a directory or file.
const placing = "-C -f -p -w --cwd --dir --file --filter --prefix --project --workspace"

// asks says whether a run of a related command could have been a run of the check: printing a version or a list of
// tests could not. If the output was redirected, this is not known, so the run counts.
func (c command) asks(rec *manifest.Record, line string) bool {
	return rec.Status != result.OK || strings.Contains(line, ">") && within(c.words, strings.Fields(line)) || !c.known() || parsers.Named(c.tool).Kind != result.Test
}

// moved cuts "cd DIR &&" off a line, and returns the directory relative to the root; other lines are returned
// unchanged.
func (c command) moved(rec *manifest.Record, line string) (rest, in string) {
	first, rest, found := strings.Cut(line, "&&")
	to, isMove := strings.CutPrefix(strings.TrimSpace(first), "cd ")
	to = unquoted(strings.TrimSpace(to))
	switch {
	case !found || !isMove || to == "" || shellLine(to) || strings.HasPrefix(to, "-"):
		return line, rec.Dir
	case !path.IsAbs(to) && !strings.Contains(to, " "):
		return rest, path.Join(rec.Dir, to)
	case c.meansHere(rec, line, to):
		return rest, c.dir
	}
	return line, rec.Dir
}

// meansHere says whether an absolute directory in a line is the check's, in the worktree of that run. A command's key
// contains a placeholder for the root of its own worktree, so the line with this worktree's directory has the same key;
// the directory of another worktree is literal in the key, which then differs.
func (c command) meansHere(rec *manifest.Record, line, to string) bool {
	dir := path.Join(filepath.ToSlash(c.w.Root), c.dir)
	if strings.HasSuffix(to, "/") {
		dir += "/"
	}
	here := strings.Replace(line, to, dir, 1)
	argv := slices.Clone(rec.Argv)
	if rec.Shell == "" { // sh -c LINE
		argv[2], here = here, ""
	}
	return slices.Contains(capture.KeysIn(c.w, rec.Dir, argv, here), rec.Key)
}

// unquoted is a word without the quotes around it.
func unquoted(word string) string {
	if n := len(word); n > 1 && (word[0] == '"' || word[0] == '\'') && word[n-1] == word[0] {
		return word[1 : n-1]
	}
	return word
}

// is says whether a part of a line is the check's command.
func (c command) is(dir, piece string) bool {
	keys := capture.KeysIn(c.w, dir, nil, strings.TrimSpace(piece))
	return slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(c.keys, key) })
}

// within says whether others contains words, in this order.
func within(words, others []string) bool {
	if len(words) < 2 && !slices.Equal(words, others[:min(1, len(others))]) {
		return false
	}
	for _, o := range others {
		if len(words) > 0 && o == words[0] {
			words = words[1:]
		}
	}
	return len(words) == 0
}

// shellLine says whether a command needs a shell.
func shellLine(line string) bool { return strings.ContainsAny(line, "|&;<>()$`\\\"'*?[]{}#~\n") }

// preparing matches the beginning of a command that may change what the next command's words mean.
var preparing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(^|[;&|({`\n]|\\b(then|do|else|time|command|exec|!)\\s)\\s*" +
		"([A-Za-z_]\\w*\\+?=|[A-Za-z_][\\w-]*\\s*\\(\\)|(function|export|source|eval|alias|env|set|shopt|hash|unset|trap|declare|typeset|\\.)\\s)")
})

func prepares(line string) bool { return preparing().MatchString(line) }

// moves matches a line that changes the directory.
var moves = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[\s;&])(cd|pushd|popd)(\s|$)`) })

// short is a command line for a reason, cut to 120 bytes.
func short(line string) string {
	const most = 120
	if line = result.CleanLine(line); len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "…"
}
