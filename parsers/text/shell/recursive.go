package shell

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/term"
	"cairn/result"
)

// This file reads the directories that recursive makes print, in the languages into which GNU make is translated,
// and which source files are compiled in each directory.

// MakeDirectory reads "make[1]: Entering directory '/src/api'" and the line about leaving it. level is the number
// in brackets, 0 without one.
func MakeDirectory(line string) (level int, dir string, entering, ok bool) {
	who, what, _ := strings.Cut(line, ":")
	who = strings.TrimRight(who, " \u00a0")
	if open := strings.IndexByte(who, '['); open > 0 {
		level, who = min(lex.Atoi(strings.Trim(who[open:], "[]")), 64), who[:open]
	}
	if !strings.HasPrefix(line, "ninja: ") && !lex.IsOneOf(who[strings.LastIndexByte(who, '/')+1:], "make gmake mingw32-make") || strings.Contains(what, "***") {
		return 0, "", false, false
	}
	entering, leaving := holdsAny(what, entersWords), false
	if !entering {
		leaving = holdsAny(what, leavesWords)
	}
	from := strings.IndexAny(what, "'`‘„\"«“”「")
	if !entering && !leaving || from < 0 {
		return 0, "", false, false
	}
	dir = strings.TrimLeft(what[from:], "'`‘„\"«“”「 \u00a0")
	if end := strings.IndexAny(dir, "'’“”\"»」"); end >= 0 {
		dir = strings.TrimRight(dir[:end], " \u00a0")
	}
	return level, dir, entering, dir != ""
}

const (
	entersWords = "Entering directory|wird betreten|on entre dans|se entra en|ingresso nella|Entrando no|a entrar na|wordt binnengegaan|Wejście do|Vstupuje se|Går ti|Siirrytään|вход в каталог|входимо до|влизане в|に入ります|进入目录|進入目錄|들어감|Vào thư mục"
	leavesWords = "Leaving directory|wird verlassen|on quitte|se sale del|uscita dalla|Saindo do|a sair da|wordt verlaten|Opuszczenie|Opouští se|Lämnar|Forlader|Poistutaan|выход из каталога|Залишаю каталог|излизане от|から出ます|离开目录|離開目錄|나감|Rời khỏi"
)

// holdsAny reports whether text contains one of words, which are separated by "|".
func holdsAny(text, words string) bool {
	for word := range strings.SplitSeq(words, "|") {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// make notes the directory that a make enters or leaves; it returns false for any other line.
func (d *Directories) make(line string, i term.Stream, end int64) bool {
	level, dir, entering, ok := MakeDirectory(line)
	if !ok {
		return false
	}
	if entering && !result.IsAbsolute(dir) {
		dir = d.Began.entered(dir)
	}
	for len(d.open[i]) <= level {
		d.open[i] = append(d.open[i], nil)
	}
	here := &d.open[i][level]
	if !entering {
		for k, open := range *here {
			if open == dir {
				*here = append((*here)[:k], (*here)[k+1:]...)
				break
			}
		}
	} else if len(*here) < maxOpen {
		*here = append(*here, dir)
		d.name(dir)
		d.fresh[i] = dir
	}
	d.change(i, dirChange{at: end, dir: d.deepest(i)})
	return true
}

// entered resolves a directory that the command prints on entering it ("make -C DIR" prints DIR): it is "." if the
// command line already changed to it.
func (c Command) entered(dir string) string {
	named := func(in string) bool {
		return strings.HasSuffix("/"+strings.TrimSuffix(in, "/"), "/"+strings.TrimSuffix(dir, "/"))
	}
	if named(c.Dir) {
		return "."
	}
	for _, one := range c.Listed {
		if named(one.Dir) {
			return one.Dir
		}
	}
	return dir
}

// compiles notes the source files that a command of make names: "gcc -c x.c", "  CC       x.o". The compiler
// reports them on the other stream, where make prints no directories. If several makes run at the same time, the
// first command behind an "Entering" line belongs to that make.
func (d *Directories) compiles(line []byte, i term.Stream) {
	if len(line) < 8 || strings.IndexByte(" gcl/", line[0]) < 0 || len(line) > 1<<14 {
		return
	}
	if line[0] == ' ' && !bytes.HasPrefix(line, []byte("  CC ")) && !bytes.HasPrefix(line, []byte("  CXX ")) || line[0] != ' ' && !bytes.Contains(line, []byte(" -c ")) {
		return
	}
	dir := d.deepest(i)
	if dir == "" {
		if dir = d.fresh[i]; dir == "" && d.isOpen(i) {
			return
		}
	}
	for _, word := range bytes.Fields(line)[1:] {
		ext := bytes.LastIndexByte(word, '.')
		if ext <= 0 || word[0] == '-' || len(d.compiled) >= maxDirChanges {
			continue
		}
		if d.compiled == nil {
			d.compiled = map[string]string{}
		}
		name, here := string(word[:ext]), dir
		here = cmp.Or(here, ".")
		if before, known := d.compiled[name]; known && before != here {
			here = "" // compiled in several directories
		}
		d.compiled[name] = here
	}
}

// isOpen reports whether a make is in a directory that it entered.
func (d *Directories) isOpen(i term.Stream) bool {
	return slices.ContainsFunc(d.open[i], func(open []string) bool { return len(open) > 0 })
}

// OfSource is the only directory in which a source file of this name was compiled; "" if there are several or none
// is known.
func (d *Directories) OfSource(at *result.Location) string {
	if at == nil || len(d.entered) == 0 || result.IsAbsolute(at.Path) {
		return ""
	}
	ext := path.Ext(at.Path)
	if !lex.IsOneOf(ext, ".c .cc .cpp .cxx .c++ .C .m .mm .s .S .f .F .f90 .F90") {
		return ""
	}
	return d.compiled[strings.TrimSuffix(at.Path, ext)]
}
