package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A flood is an output of only failures, as from a missing header or a broken fixture; the last flood is a clean log of
// a program that fails. It is printed by a program with the tool's name, so that the tool's own parser reads it; "job"
// has no parser.
type flood struct {
	program string
	argv    []string
	head    string
	item    func(i int) string
	between string
	tail    string
}

var floods = []flood{
	{program: "gcc", argv: []string{"-c", "all.c"}, item: func(i int) string {
		return fmt.Sprintf("src/part%d.c:%d:%d: %s: implicit declaration of function 'cart%d' [-Wimplicit-function-declaration]\n", i/10%5003, i*7%1999+1, i*3%97+1, [...]string{"error", "error", "warning"}[i%3], i)
	}},
	{program: "g++", argv: []string{"-c", "all.cc"}, item: func(i int) string {
		return fmt.Sprintf("src/part%d.cc: In function 'int f%d()':\nsrc/part%[1]d.cc:%[3]d:12: error: 'cart%[2]d' was not declared in this scope\n %4[3]d |     return cart%[2]d(x);\n      |            ^~~~~~~\n", i/10%5003, i, i*7%1999+1)
	}},
	{program: "job", item: func(i int) string {
		return fmt.Sprintf("src/part%d.x:%d:%d: error: nothing is called 'cart%d'\n", i/10%5003, i*7%1999+1, i*3%97+1, i)
	}},
	{program: "job", argv: []string{"--log"}, item: func(i int) string {
		return fmt.Sprintf("2026-11-20T12:00:%02dZ ERROR worker-%d failed on item %d after %d.5ms: cannot connect\n", i%60, i%9, i, i*7%1999)
	}},
	{program: "eslint", argv: []string{"-f", "json", "src"}, head: "[", between: ",", tail: "]\n", item: func(i int) string {
		return fmt.Sprintf(`{"filePath":"/home/dev/shop/src/part%d.js","messages":[{"ruleId":"no-unused-vars","severity":2,"message":"'cart%[1]d' is assigned a value but never used.","line":%[2]d,"column":7,"messageId":"unusedVar","endLine":%[2]d,"endColumn":12}],"suppressedMessages":[],"errorCount":1,"fatalErrorCount":0,"warningCount":0,"fixableErrorCount":0,"fixableWarningCount":0,"source":"var cart%[1]d = make();\n","usedDeprecatedRules":[]}`, i, i*7%1999+1)
	}},
	{program: "eslint", argv: []string{"src"}, tail: "\n✖ 900000 problems (900000 errors, 0 warnings)\n\n", item: func(i int) string {
		head := ""
		if i%4 == 0 {
			head = fmt.Sprintf("\n/home/dev/shop/src/part%d.js\n", i/4)
		}
		return head + fmt.Sprintf("  %4d:7   error  'cart%d' is assigned a value but never used  no-unused-vars\n", i%4*31+1, i)
	}},
	{program: "mypy", argv: []string{"src"}, item: func(i int) string {
		return fmt.Sprintf("src/part%d.py:%d: error: Incompatible types in assignment (expression has type \"str\", variable has type \"Cart%d\")  [assignment]\n", i/10%5003, i*7%1999+1, i)
	}},
	{program: "pytest", head: rule('=', "test session starts") + "collected 900000 items\n\n" + rule('=', "FAILURES"), tail: rule('=', "900000 failed in 9.02s"), item: func(i int) string {
		return rule('_', fmt.Sprint("test_case_", i)) + fmt.Sprintf("\n    def test_case_%d():\n>       assert total() == %[1]d\nE       assert 3 == %[1]d\nE        +  where 3 = total()\n\ntests/test_part%[2]d.py:%[3]d: AssertionError\n", i, i/10%5003, i*7%1999+1)
	}},
	{program: "job", argv: []string{"--fine"}, item: func(i int) string {
		return fmt.Sprintf("2026-11-20T12:00:%02dZ INFO  worker-%d processed item %d in %d ms\n", i%60, i%9, i, i*7%1999)
	}},
}

// rule returns a title between equally many marks, 80 columns wide, as pytest writes it; pytest's parser requires that
// width.
func rule(mark byte, title string) string {
	side := strings.Repeat(string(mark), (78-len(title))/2)
	line := side + " " + title + " " + side
	return line + strings.Repeat(string(mark), 80-len(line)) + "\n"
}

// errorFloods compares captures of floods with tee, by wall and CPU time.
func errorFloods(ctx context.Context, b *bench) error {
	if !b.has("git") || !b.has("sh") {
		return nil
	}
	size := int64(b.pick(200<<20, 1<<20))
	for i, f := range floods {
		jobs, err := b.floodJobs(ctx, fmt.Sprintf("flood-%d", i), f, size)
		if err != nil {
			return err
		}
		samples, err := b.inTurn(ctx, b.pick(3, 1), jobs)
		if err != nil {
			return err
		}
		name := strings.Join(append([]string{f.program}, f.argv...), " ")
		b.table(fmt.Sprintf("%d MB of failures of %s", size>>20, name), jobs, samples)
		tee, cairn := samples[0], samples[1]
		b.hold("a flood of "+name+", wall time against CMD | tee FILE", 4, ratio(cairn, tee), "×",
			fmt.Sprintf("CPU %.1f ×: %.2f s against %.2f s", cairn.cpu().Seconds()/tee.cpu().Seconds(), cairn.cpu().Seconds(), tee.cpu().Seconds()))
		b.hold("memory, a flood of "+name, memoryBudget, float64(cairn.memory())/(1<<20), "MB", "")
		if err := removeAll(b.path(fmt.Sprintf("flood-%d", i))); err != nil {
			return err
		}
	}
	return nil
}

// floodJobs makes the program that prints a flood, and a repository for captures.
func (b *bench) floodJobs(ctx context.Context, name string, f flood, size int64) ([]job, error) {
	dir, err := b.repo(ctx, name)
	if err != nil {
		return nil, err
	}
	text, program := filepath.Join(dir, "text"), filepath.Join(dir, f.program)
	if err := f.write(text, size); err != nil {
		return nil, fmt.Errorf("making a flood: %w", err)
	}
	if err := os.WriteFile(program, fmt.Appendf(nil, "#!/bin/sh\ncat '%s'\nexit 1\n", text), 0o777); err != nil {
		return nil, fmt.Errorf("making a program that prints a flood: %w", err)
	}
	tee := filepath.Join(dir, "tee")
	reset := func() error {
		err := removeAll(tee)
		flush(ctx)
		return err
	}
	argv := append([]string{program}, f.argv...)
	return []job{
		{name: "CMD | tee FILE", dir: dir, argv: append([]string{"sh", "-c", `f=$1; shift; "$@" | tee "$f"`, "sh", tee}, argv...), reset: reset},
		{name: "cairn capture run -- CMD", dir: dir, argv: append([]string{b.cairn, "capture", "run", "--"}, argv...), exit: 1,
			reset: func() error {
				if err := removeAll(filepath.Join(dir, ".git", "cairn")); err != nil {
					return err
				}
				if err := b.forgetBranch(ctx, dir); err != nil {
					return err
				}
				return reset()
			}},
	}, nil
}

// write writes whole items, at least size bytes in all, to a file.
func (f flood) write(path string, size int64) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	n, _ := w.WriteString(f.head) // an error is kept, and returned by Flush
	for i, at := 0, int64(n); at < size; i++ {
		if i > 0 {
			w.WriteString(f.between)
		}
		n, _ := w.WriteString(f.item(i))
		at += int64(n)
	}
	w.WriteString(f.tail)
	if err := w.Flush(); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
