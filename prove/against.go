package prove

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cairn/capture"
	"cairn/manifest"
	"cairn/outcomes"
	"cairn/recall/filter"
	"cairn/render"
	"cairn/result"
)

// against weakens a claim because of changes since the base: the check's configuration, expected outputs, the tests it
// runs, the programs it ran with.
func (j *judge) against(ctx context.Context, claim *Claim, u *use, r *result.ToolResult, all runs) error {
	if swallows().MatchString(claim.Command) {
		claim.weaken(Reason{Why: WhySwallowed, Text: "the command that is declared throws its exit status away"})
	} else if lost := u.lost(claim.Command); lost != nil {
		claim.weaken(Reason{Why: WhySwallowed, Text: fmt.Sprintf("the command that is declared throws away that %s exited with %d", short(strings.Join(lost.Argv, " ")), *lost.Exit)})
	}
	if len(j.changed) > 0 {
		config, err := j.config(ctx, claim.Check, r)
		if err != nil {
			return err
		}
		if len(config) > 0 {
			claim.weaken(Reason{Why: WhyConfig, Text: "what decides it was changed against the base"}.about(config))
		}
		if files := expected(j.changed, r); len(files) > 0 {
			claim.weaken(Reason{Why: WhySnapshots, Text: "expected outputs were written anew against the base"}.about(files))
		}
	}
	base := j.baseRun(all)
	if base == nil {
		return nil
	}
	for _, why := range j.fewer(u, r, base) {
		why.Run = base.whole.ID
		claim.weaken(why)
	}
	if base.whole.Env != u.whole.Env && !base.whole.Elsewhere() && !u.whole.Elsewhere() && whose(base.whole) == whose(u.whole) {
		claim.weaken(Reason{Why: WhyEnvironment, Run: base.whole.ID, Text: "the search path, or another variable that decides what runs, is not that of the run at the base (" + render.ShortRun(base.whole.ID) + ")"})
	}
	return nil
}

// swallows matches the end of a line that discards a command's exit status: "… || true", "…; echo done".
var swallows = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\|\||;)\s*(true|:|exit 0|echo\b[^|;&]*)\s*$`)
})

// lost is a command of the declared line that failed although the line succeeded; nil without such a command, or if the
// line tests how commands ended.
func (u *use) lost(line string) *manifest.Record {
	for n := 1; u.stage == 0 && !asks().MatchString(line) && u.whole.Stage(n) != nil; n++ {
		if s := u.whole.Stage(n); s.Exit != nil && *s.Exit != 0 && len(s.Argv) > 0 && !slices.Contains(strings.Fields(answers), path.Base(s.Argv[0])) {
			return s
		}
	}
	return nil
}

// asks matches a line whose flow depends on how a command ended: "||", "if", "$?".
var asks = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\|\||(^|[\s;&|(])(if|while|until|!)\s|\$\?`) })

// answers are programs whose exit status is the answer to a question.
const answers = "grep egrep fgrep zgrep rg diff cmp test [ which expr pgrep pkill killall"

func whose(rec *manifest.Record) string {
	if rec.By == nil {
		return ""
	}
	return rec.By.Agent
}

// baseRun is the run of the check to compare with: the newest that passed on the base's tree, else the oldest on the
// base's commit that ran tests, whatever was uncommitted.
func (j *judge) baseRun(all runs) (base *use) {
	if j.base == "" {
		return nil
	}
	for _, u := range all.before {
		git := u.whole.Git
		if git == nil || git.Commit != j.base || u.whole.Partial {
			continue
		}
		if git.Worktree != "" && git.Dirty != nil && !*git.Dirty && well(u.rec) {
			return u
		}
		if u.rec.Status != result.Error { // a command that could not do its work is no base
			base = u
		}
	}
	return base
}

// fewer says which tests a run lacks that an earlier run had: by name if both have complete lists, else by counts.
func (j *judge) fewer(u *use, r *result.ToolResult, base *use) []Reason {
	if r == nil || r.Kind != result.Test {
		return nil
	}
	if was, is := j.tests(base.rec), j.tests(u.rec); was != nil && is != nil {
		return lacking(was, is)
	}
	return lower(r, base.rec)
}

// tests are the outcomes of a run's tests; nil if the record has no complete list.
func (j *judge) tests(rec *manifest.Record) map[string]outcomes.Outcome {
	if rec.Outcomes == nil || !rec.Outcomes.Complete || rec.Outcomes.OID == "" {
		return nil
	}
	list, said, err := capture.Tests(j.site, rec)
	if err != nil || said == nil || !said.Complete {
		return nil
	}
	all := make(map[string]outcomes.Outcome, len(list))
	for _, t := range list {
		all[t.ID] = t.Outcome
	}
	return all
}

// lacking compares tests by name.
func lacking(was, is map[string]outcomes.Outcome) (why []Reason) {
	var gone, skipped []string
	for id, before := range was {
		switch now, there := is[id]; {
		case !there:
			gone = append(gone, id)
		case before.Ran() && !now.Ran():
			skipped = append(skipped, id)
		}
	}
	slices.Sort(gone)
	slices.Sort(skipped)
	if n := len(gone); n > 0 {
		why = append(why, Reason{Why: WhyGone, Text: result.Count(int64(n), "test") + " of the base are gone", Tests: gone[:min(n, mostFiles)], More: max(n-mostFiles, 0)})
	}
	if n := len(skipped); n > 0 {
		why = append(why, Reason{Why: WhySkipped, Text: result.Count(int64(n), "test") + " of the base are skipped now", Tests: skipped[:min(n, mostFiles)], More: max(n-mostFiles, 0)})
	}
	return why
}

// lower compares the counts of tests.
func lower(r *result.ToolResult, base *manifest.Record) (why []Reason) {
	if len(r.Counts) == 0 || len(base.Counts) == 0 {
		return nil
	}
	gone, skipped := outcomes.Fewer(base.Counts, r.Counts)
	if gone > 0 {
		why = append(why, Reason{Why: WhyGone, Text: result.Count(int64(gone), "test") + " fewer than at the base"})
	}
	if skipped > 0 {
		why = append(why, Reason{Why: WhySkipped, Text: fmt.Sprintf("%d more skipped than at the base", skipped)})
	}
	return why
}

// expected are changed files with outputs that tests expect, which tools can rewrite.
func expected(changed []string, r *result.ToolResult) (files []string) {
	if r == nil || r.Kind != result.Test {
		return nil
	}
	for _, file := range changed {
		if snapshots().MatchString(file) {
			files = append(files, file)
		}
	}
	return files
}

var snapshots = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|/)(__snapshots__|__image_snapshots__|snapshots)/|\.(snap|ambr|approved\.\w+|golden|snap\.new)$`)
})

// readBy are the configuration files that tools read, by a prefix of the tool's name. Of the files in inParts only the
// part about the tool counts.
var readBy = sync.OnceValue(func() map[string][]string { // not at every start of cairn
	return map[string][]string{
		"pytest":        {"pytest.ini", ".pytest.ini", "conftest.py", "tox.ini", "setup.cfg", "pyproject.toml"},
		"unittest":      {"setup.cfg"},
		"tox":           {"tox.ini", "pyproject.toml", "setup.cfg"},
		"nox":           {"noxfile.py"},
		"mypy":          {"mypy.ini", ".mypy.ini", "setup.cfg", "pyproject.toml"},
		"pyright":       {"pyrightconfig.json", "pyproject.toml"},
		"ruff":          {"ruff.toml", ".ruff.toml", "pyproject.toml"},
		"flake8":        {".flake8", "setup.cfg", "tox.ini"},
		"pylint":        {".pylintrc", "pylintrc", "pyproject.toml", "setup.cfg"},
		"jest":          {"jest.config.*", "package.json"},
		"vitest":        {"vitest.config.*", "vite.config.*", "vitest.workspace.*"},
		"mocha":         {".mocharc.*", "package.json"},
		"playwright":    {"playwright.config.*"},
		"cypress":       {"cypress.config.*"},
		"ava":           {"ava.config.*", "package.json"},
		"eslint":        {"eslint.config.*", ".eslintrc*", ".eslintignore", "package.json"},
		"tsc":           {"tsconfig*.json"},
		"biome":         {"biome.json*"},
		"prettier":      {".prettierrc*", ".prettierignore"},
		"npm":           {"package.json"},
		"yarn":          {"package.json"},
		"pnpm":          {"package.json"},
		"golangci-lint": {".golangci.*"},
		"cargo":         {"clippy.toml", ".clippy.toml", "nextest.toml"},
		"rspec":         {".rspec", "spec_helper.rb", "rails_helper.rb"},
		"rubocop":       {".rubocop*.yml"},
		"phpunit":       {"phpunit.xml*"},
		"make":          {"Makefile", "makefile", "GNUmakefile"},
		"just":          {"justfile", "Justfile", ".justfile"},
		"gradle":        {"build.gradle*", "settings.gradle*"},
		"maven":         {"pom.xml"},
	}
})

// inParts are files with parts for several tools.
var inParts = []string{"pyproject.toml", "setup.cfg", "tox.ini", "package.json"}

// config are the changed files that configure a check.
func (j *judge) config(ctx context.Context, c Check, r *result.ToolResult) (files []string, err error) {
	of := j.command(c)
	tools := []string{of.tool, programOf(of.words)}
	if r != nil {
		tools = append(tools, r.Tool, r.ToolFamily)
	}
	var names []string
	for name, files := range readBy() {
		if slices.ContainsFunc(tools, func(tool string) bool { return tool == name || strings.HasPrefix(tool, name+"-") }) {
			names = append(names, files...)
		}
	}
	own, err := filter.Paths(c.Config)
	if err != nil {
		return nil, err
	}
	for _, file := range j.changed {
		base := path.Base(file)
		known := slices.ContainsFunc(names, func(pattern string) bool { return filter.Match(pattern, base) })
		if known && slices.Contains(inParts, base) {
			if known, err = j.partChanged(ctx, file, tools); err != nil {
				return nil, err
			}
		}
		script := file == path.Join(c.Dir, of.words[0]) // the check is a script of the repository
		if known || script || len(own) > 0 && own.Path(file) {
			files = append(files, file)
		}
	}
	return files, nil
}

func programOf(words []string) string { return path.Base(words[0]) }

// partChanged says whether the part of a file about one of the tools was changed.
func (j *judge) partChanged(ctx context.Context, file string, tools []string) (bool, error) {
	was, err := j.baseText(ctx, file)
	if err != nil {
		return false, err
	}
	is, err := j.text(ctx, file)
	if err != nil {
		return false, err
	}
	if path.Base(file) == "package.json" {
		return packagePart(was) != packagePart(is), nil
	}
	return sections(string(was), tools) != sections(string(is), tools), nil
}

// packagePart is package.json without the lists of packages to install.
func packagePart(text []byte) string { return dependencies().ReplaceAllString(string(text), "") }

var dependencies = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(\w*[dD]ependencies|version|description|keywords|license|author)"\s*:\s*(\{[^{}]*\}|"[^"]*"|\[[^\[\]]*\])\s*,?`)
})

// sections are the sections of a file whose headers name one of the tools.
func sections(text string, tools []string) string {
	var b strings.Builder
	in := false
	for line := range strings.Lines(text) {
		if head := strings.TrimSpace(line); strings.HasPrefix(head, "[") {
			in = slices.ContainsFunc(tools, func(tool string) bool {
				family, _, _ := strings.Cut(tool, "-")
				return family != "" && strings.Contains(head, family)
			})
		}
		if in {
			b.WriteString(line)
		}
	}
	return b.String()
}
