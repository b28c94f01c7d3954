package jvm

import (
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// rules adds a finding for each rule of the enforcer.
func (w *stopped) rules(s *read.Sink) (found bool) {
	for i, text := range w.reasons {
		class, ok := strings.CutSuffix(text, " failed with message:")
		_, class, numbered := strings.Cut(class, ": ")
		if !ok || !numbered || !strings.HasPrefix(text, "Rule ") {
			continue
		}
		var said, leaves []string // what is above a deeper row of a tree is not what the rule is about
		for j, next := range w.reasons[i+1:] {
			if strings.HasPrefix(next, "Rule ") && strings.HasSuffix(next, " failed with message:") {
				break
			}
			said = append(said, strings.TrimSpace(next))
			if below := w.reasons[min(i+2+j, len(w.reasons)-1)]; lex.LeadingBlanks(below) <= lex.LeadingBlanks(next) {
				leaves = append(leaves, strings.TrimSuffix(strings.TrimSpace(next), ":"))
			}
		}
		s.Find(w.lines[i], result.Finding{
			Kind: result.BuildError, ID: w.goal + w.module, Rule: class[strings.LastIndexByte(class, '.')+1:], Message: strings.Join(leaves[:min(len(leaves), 4)], ": "),
			Detail: lex.JoinBounded(said, 4<<10),
		})
		w.through(s, i+len(said))
		found = true
	}
	s.Break()
	return found
}

// files adds the files in a list such as that below "The following files had format violations:".
func (w *stopped) files(s *read.Sink) (found bool) {
	if !strings.HasSuffix(w.why, ":") {
		return false
	}
	for i, text := range w.reasons {
		file := strings.TrimSpace(text)
		if indent := len(text) - len(strings.TrimLeft(text, " ")); indent != 4 || !strings.Contains(path.Base(file), ".") || strings.ContainsAny(file, " :") {
			continue
		}
		s.Find(w.line, result.Finding{Kind: result.BuildError, ID: w.goal + w.module, Message: strings.TrimSuffix(w.why, ":"), At: &result.Location{Path: file}})
		w.through(s, i)
		found = true
	}
	s.Break()
	return found
}

// listed adds the rows of lists that a plugin printed before it stopped the build: rows below a head, and rows that
// end with a file. If any row has a file, only rows with files are findings.
//
//	[WARNING] Unused declared dependencies found:
//	[WARNING]    org.apache.commons:commons-lang3:jar:3.17.0:compile
//	[ERROR] Non complying file: /src/main/java/ex/A.java
func (w *stopped) listed(s *read.Sink, printed []tool.Line) (found bool) {
	for _, placed := range [...]bool{true, false} {
		head := ""
		for _, l := range printed {
			_, text := cutLevel(l.Text)
			if f, row := w.row(&head, text); row && (f.At != nil) == placed {
				found = s.Find(l, f)
			}
		}
		if found {
			break
		}
	}
	s.Break()
	return found
}

// row reads a row of a list, or sets head if the line is the head of a list.
func (w *stopped) row(head *string, text string) (f result.Finding, ok bool) {
	f = result.Finding{Kind: result.BuildError, ID: w.goal}
	said := strings.TrimSpace(text)
	if below := strings.HasPrefix(text, "   "); below {
		of, isHead := strings.CutSuffix(*head, ":")
		if isHead && strings.HasPrefix(of, "Files ") {
			f.At = &result.Location{Path: said}
		}
		f.Message, ok = of+": "+said, isHead
		said = of
	} else {
		*head = said
		f.Message, _, ok = strings.Cut(said, ": ")
	}
	if file := lastWord(said); f.At == nil && isMavenSource(file) {
		f.At = &result.Location{Path: file}
		return f, ok
	}
	return f, ok && strings.HasPrefix(text, "   ")
}

// crashed adds the tests that ran when the forked process crashed.
func (w *stopped) crashed(s *read.Sink) (found bool) {
	why, code, listed := -1, "", false
	seen := map[string]bool{}
	for i, text := range w.reasons {
		switch {
		case strings.HasPrefix(text, "The forked VM terminated"):
			why = i
		case strings.HasPrefix(text, "Process Exit Code: "):
			code = text
		case text == "Crashed tests:":
			listed = true
		case listed && !strings.Contains(text, " ") && !strings.Contains(text, "\t") && why >= 0:
			if !seen[text] {
				s.Find(w.lines[why], result.Finding{Kind: result.Panic, Severity: result.SevFailure, ID: text, Message: strings.TrimSpace(w.reasons[why] + " " + code)})
				w.through(s, i)
			}
			seen[text], found = true, true
		default:
			listed = false
		}
	}
	s.Break()
	return found
}

// through extends the span of the last finding to the line of a reason, given by its index.
func (w *stopped) through(s *read.Sink, reason int) {
	if f := s.Last(); f != nil {
		f.RawSpan.End = max(f.RawSpan.End, w.lines[reason].End)
	}
}

// orText returns nil if the command asks for a list, a tree or a value, so that the output itself is shown.
// A report with findings or counts is always kept.
func (m *maven) orText(rep *tool.Report) *tool.Report {
	if m.asked && rep != nil && len(rep.Findings)+len(rep.Counts) == 0 {
		return nil
	}
	return rep
}

// isMavenQuestion reports whether a goal of the command line prints a list, a tree or a value, as in
// "--- maven-dependency-plugin:2.8:tree (default-cli) @ shop ---".
func isMavenQuestion(row string) bool {
	call, _, typed := strings.Cut(strings.TrimPrefix(row, "--- "), " (default-cli) @ ")
	plugin, _, _ := strings.Cut(call, ":")
	goal := call[strings.LastIndexByte(call, ':')+1:]
	return typed && (lex.IsOneOf(plugin, "help maven-help-plugin") || lex.HasAnyPrefix(goal, "tree", "list", "display", "analyze", "describe", "help"))
}

// modules keeps the directories of a build's modules. The tests of a module print paths
// relative to it, and only other lines name its directory:
//
//	[INFO] ------------------------< com.acme:a >------------------------
//	[INFO]   from a/pom.xml
//	[ERROR] Failed to execute goal … on project a: There are test failures.
//	[ERROR] Please refer to /src/top/a/target/surefire-reports for the …
type modules struct {
	building string            // the module whose tests run
	failing  string            // the module whose goal failed
	many     bool              // the build has several modules
	parallel bool              // the lines of several modules are mixed
	of       map[int]string    // the module of a finding, by the finding's index
	refers   string            // the last directory that a failed goal referred to …
	several  bool              // … which is used only if there was no other
	dirs     map[string]string // the directories of the modules
}

func newModules() modules { return modules{of: map[int]string{}, dirs: map[string]string{}} }

// see takes a line, without its level, which may name a module or a directory.
func (m *modules) see(text string) {
	text = strings.TrimSpace(text)
	if rule := strings.TrimLeft(text, "-"); strings.HasPrefix(rule, "< ") && len(rule) < len(text) {
		name, _, _ := strings.Cut(rule[2:], " >")
		m.building = name[strings.LastIndexByte(name, ':')+1:]
		return
	}
	m.many = m.many || lex.HasAnyPrefix(text, "Reactor Summary", "mvn <args> -r", "mvn [args] -r")
	if strings.HasPrefix(text, "Using the MultiThreadedBuilder") {
		m.parallel = true
	}
	if pom, ok := strings.CutPrefix(text, "from "); ok && strings.HasSuffix(pom, "pom.xml") && m.building != "" {
		m.dirs[m.building] = path.Dir(pom)
	}
	for _, start := range [...]string{"Please refer to ", "See "} {
		rest, ok := strings.CutPrefix(text, start)
		dir, _, found := strings.Cut(rest, "/target/surefire-reports")
		if ok && found && m.failing != "" {
			m.several = m.several || m.refers != "" && m.refers != dir
			m.dirs[m.failing], m.failing, m.refers = dir, "", dir
		}
	}
}

// found records that the finding at an index is a test of the current module.
func (m *modules) found(index int) { m.of[index] = m.building }

// place puts the directory of the module before the places of its tests.
func (m *modules) place(all []result.Finding) {
	for i, name := range m.of {
		dir := m.dirs[name]
		if m.parallel || name == "" { // the module is known only from the failed goals
			dir = m.refers
		}
		if (m.parallel || name == "") && m.several || dir == "" || dir == "." || i >= len(all) {
			continue
		}
		if at := all[i].At; at != nil && strings.HasPrefix(at.Path, "src/") {
			at.Path = dir + "/" + at.Path
		}
		for j := range all[i].Frames {
			if at := &all[i].Frames[j]; strings.HasPrefix(at.Path, "src/") {
				at.Path = dir + "/" + at.Path
			}
		}
	}
}

// placeTest completes the path of a test from its class, if the trace has only the name of the file.
func placeTest(f *result.Finding) {
	class := classOf(f.ID)
	outer, _, _ := strings.Cut(class, "$")
	if i := strings.LastIndexByte(outer, '.'); f.At != nil && i > 0 && f.At.Path == outer[i+1:]+".java" {
		f.At.Path = "src/test/java/" + strings.ReplaceAll(outer, ".", "/") + ".java"
	}
}

// isOld reports whether a line without a level is one of surefire's before 2.20, which Maven 3.8 and earlier use unless
// the POM says otherwise. The lines that set m.old are those that no test prints.
//
//	Running com.acme.AccountTest
//	Tests run: 10, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 6.592 sec <<< FAILURE!
//	adds(com.acme.AccountTest)  Time elapsed: 1.253 sec  <<< FAILURE!
func (m *maven) isOld(text string) bool {
	total := strings.HasPrefix(text, "Tests run: ")
	m.old = m.old || text == " T E S T S" || text == "Results :" || lex.HasAnyPrefix(text, "Failed tests: ", "Tests in error: ") || total && strings.Contains(text, ", Time elapsed: ") && strings.Contains(text, " sec")
	if !m.old || total || strings.Contains(text, " sec  <<< ") || lex.HasAnyPrefix(text, " T E S T S", "Results :", "Running ", "Failed tests: ", "Tests in error: ") {
		return m.old
	}
	name, rest, _ := strings.Cut(strings.TrimPrefix(text, "  "), " ") // of a row, or the test whose runs follow
	if m.results.list == "" || !strings.HasPrefix(text, "  ") {
		return m.results.list != "" && rest == "" && strings.Contains(name, "(") && strings.HasSuffix(name, ")")
	}
	return name == "Run" || strings.Contains(name, ".") || strings.Contains(text, "): ")
}
