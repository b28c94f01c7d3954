package jvm

import (
	"path"
	"strings"

	"cairn/result"
)

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
