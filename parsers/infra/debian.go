package infra

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("dpkg-buildpackage debuild gbp dpkg-source quilt dh autopkgtest | dpkg-gensymbols dpkg-shlibdeps dpkg-checkbuilddeps", func(p *tool.Parser) {
	p.Is("debian-build", result.Build, 1, "what builds a Debian package: dpkg-buildpackage, debuild, gbp, dpkg-source, debhelper 10 to 13, quilt, and autopkgtest 5; compilers and tests are their own tools'")
	p.Family = "dpkg"
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"dpkg-buildpackage: error: ", "dpkg-source: error: ", "dpkg-checkbuilddeps: error: ", "gbp:error: ", "autopkgtest ["}, Named: true,
		Parse: read.Fresh(func(d *debianBuild) read.Text { return read.Text{Line: d.line, End: d.end} })})
})

// debianBuild reads errors of Debian's build programs, "dh_install: error: missing files, aborting", and the lists
// that explain some of them:
//
//	dpkg-source: info: local changes detected, the modified files are:
//	 hello/README
//	dpkg-source: error: aborting due to unexpected upstream changes, see /tmp/hello.diff.563bMT
//
//	dpkg-gensymbols: error: some symbols or patterns disappeared in the symbols file: see diff output below
//	--- debian/libpopt0.symbols (libpopt0_1.19_amd64)
//	- poptStrippedArgv@LIBPOPT_0 1.14
//
//	patching file examples/csvfix.c
//	1 out of 1 hunk FAILED -- rejects in file examples/csvfix.c
//	Patch debian/patches/include.patch does not apply (enforce with -f)
type debianBuild struct {
	listing bool     // a list of changed files follows
	changed []string // the changed files, or the files that a patch does not apply to
	diff    bool     // a difference of symbols follows
	failed  string   // the first message that says only that a started program failed
	at      tool.Line
	debianTests
}

func (d *debianBuild) line(s *read.Sink, l tool.Line) bool {
	t := l.Text
	program, message, _ := strings.Cut(t, ":")
	word, message, said := strings.Cut(strings.TrimSpace(message), ": ")
	debian := said && !strings.Contains(program, " ") && (program == "gbp" || lex.HasAnyPrefix(program, "dh_", "dpkg-"))
	patch, fails := strings.CutSuffix(strings.TrimPrefix(t, "Patch "), " does not apply (enforce with -f)")
	_, rejected, hunks := strings.Cut(t, " FAILED -- rejects in file ")
	switch {
	case d.test(s, l):
	case debian && (word == "error" || word == "warning"):
		d.says(s, l, word, message)
	case debian && strings.HasPrefix(message, "local changes detected, the modified files are:"):
		d.listing, d.changed = true, nil
	case d.listing && strings.HasPrefix(t, " "):
		d.changed = append(d.changed, strings.TrimSpace(t))
	case hunks:
		d.changed = append(d.changed, rejected)
	case fails:
		f := result.Finding{Kind: result.BuildError, ID: patch, At: &result.Location{Path: patch}, Message: "does not apply to " + strings.Join(d.changed, ", ")}
		d.changed = nil
		s.Find(l, f)
		s.Break()
	case d.diff && lex.HasAnyPrefix(t, "--- ", "+++ ", "@@ ", " "):
	case d.diff && lex.HasAnyPrefix(t, "-", "+"):
		if f := s.Last(); f != nil && len(f.Message) < 1000 {
			f.Message += "; " + strings.TrimSpace(t)
		}
		s.More(l)
	default:
		d.diff, d.listing = false, false
		return s.Break() && false
	}
	return true
}

// says adds an error or a warning. The list of files above an error becomes part of its message.
func (d *debianBuild) says(s *read.Sink, l tool.Line, word, message string) {
	program, _, _ := strings.Cut(l.Text, ":")
	d.diff = program == "dpkg-gensymbols"
	if f := s.Last(); f != nil && f.Rule == program && strings.HasSuffix(f.Message, ":") { // gbp prints the rest on a further line
		f.Message += " " + message
		s.More(l)
		return
	}
	if i := strings.LastIndex(message, " returned exit "); i > 0 && word == "error" || message == "failing due to earlier errors" {
		if s.Sign(l); d.failed == "" {
			d.failed, d.at = program+": "+message, l
		}
		return
	}
	message, _, _ = strings.Cut(message, ", see /") // refers to a temporary file
	f := result.Finding{Kind: read.KindOf(read.SeverityOf(word)), Severity: read.SeverityOf(word), Rule: program, Message: message}
	if d.listing && word == "error" {
		f.Message += ": " + strings.Join(d.changed, ", ")
		d.listing, d.changed = false, nil
	}
	s.Find(l, f)
	if !d.diff && !strings.HasSuffix(f.Message, ":") {
		s.Break()
	}
}

// end adds "dh_auto_test: make check returned exit code 2" as a finding if there is no other.
func (d *debianBuild) end(s *read.Sink) {
	if d.failed != "" && len(s.Findings) == 0 {
		s.Find(d.at, result.Finding{Kind: result.BuildError, Message: d.failed})
	}
}

var _ = Room.Add("rpm | rpmbuild rpmspec", func(p *tool.Parser) {
	p.Is("rpm", result.Package, 1, "rpm, rpmbuild and rpmspec 4.14 to 4.20: errors, and what a build needs")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"RPM build errors:"}, Named: true, Parse: read.Lines((*rpm).line)})
})

var _ = Room.Add("rpmlint", func(p *tool.Parser) {
	p.Is("rpmlint", result.Lint, 1, "rpmlint 1 and 2: specs and packages, with -v and -i")
	p.Reads(tool.Format{Name: "text", Starts: []string{"============================ rpmlint session starts"}, Named: true, Parse: rpmLint.Parse})
})

// rpmLint reads "x.spec:12: W: macro-in-comment %{x}" and "x.x86_64: E: no-binary".
var rpmLint = read.Rows{
	Kind: result.Diagnostic, Closes: true,
	Rows: []read.Row{
		{Form: "{path}:{line}: E: {rule} {message}", As: read.Error}, {Form: "{path}:{line}: W: {rule} {message}", As: read.Warning},
		{Form: "{path}:{line}: E: {rule}", As: read.Error, Fit: ruleSays}, {Form: "{path}:{line}: W: {rule}", As: read.Warning, Fit: ruleSays},
		{Form: "{id}: E: {rule} {message}", As: read.Error}, {Form: "{id}: W: {rule} {message}", As: read.Warning},
		{Form: "{id}: E: {rule}", As: read.Error, Fit: ruleSays}, {Form: "{id}: W: {rule}", As: read.Warning, Fit: ruleSays},
		{Form: "{} packages and {} specfiles checked; {#error} errors, {#warning} warnings{}", As: read.Close},
		{Form: "The file or directory '{}' does not exist", As: read.Misuse},
	},
	Below: func(_ *read.Sink, l tool.Line) bool { return l.Text != "" }, // the explanations that -v and -i print
}

// ruleSays makes the message of a diagnostic without a text from its rule: "no-binary" becomes "no binary".
func ruleSays(f *result.Finding) { f.Message = strings.ReplaceAll(f.Rule, "-", " ") }

// rpm reads errors. An error in the spec has a line; missing packages of a build are in the lines below. At the end
// of a build the errors are printed again.
//
//	error: line 2: Unknown tag: Bogus: z
//	error: Failed build dependencies:
//		nope-devel is needed by x-1-1.x86_64
//	error: Bad exit status from /var/tmp/rpm-tmp.LWiBVk (%build)
type rpm struct{ again bool } // the errors are being printed again

func (r *rpm) line(s *read.Sink, l tool.Line) bool {
	word, message := read.CutSeverity(strings.TrimPrefix(l.Text, "rpmbuild: "))
	f := s.Last()
	switch {
	case l.Text == "RPM build errors:", l.Text == "RPM build warnings:":
		r.again = true
		return s.Close(l)
	case (word == "error" || word == "warning") && strings.HasPrefix(l.Text, word+": "):
		return s.Find(l, rpmFinding(s.In.Command().Argv, word, message))
	case strings.HasPrefix(l.Text, "Executing(%"), strings.HasPrefix(l.Text, "Wrote: "):
		return s.Break() || s.Sign(l)
	case strings.HasPrefix(l.Text, "package ") && strings.HasSuffix(l.Text, " is not installed"):
		return s.Find(l, result.Finding{Kind: result.GenericFinding, ID: strings.TrimSuffix(l.Text[8:], " is not installed"), Message: l.Text})
	case f != nil && strings.HasPrefix(l.Text, "\t"):
		f.Message += " " + strings.TrimSpace(l.Text)
		return s.More(l)
	case r.again && strings.HasPrefix(l.Text, "    "):
		return true
	}
	s.Break()
	return false
}

// rpmFinding makes "line 2: " of a message a place in the spec that the command names. The message of a failed
// script, whose temporary name differs in each run, becomes "the script of %build failed".
func rpmFinding(argv []string, word, message string) result.Finding {
	f := result.Finding{Kind: read.KindOf(read.SeverityOf(word)), Severity: read.SeverityOf(word), RawSeverity: word, Message: message}
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		number, text, told := strings.Cut(rest, ": ")
		if i := slices.IndexFunc(argv, func(a string) bool { return strings.HasSuffix(a, ".spec") }); i > 0 && told && lex.IsDigits(number) {
			f.At, f.Message = &result.Location{Path: argv[i], Line: lex.Atoi(number)}, text
		}
	}
	if _, part, ok := strings.Cut(message, "rpm-tmp."); ok {
		_, part, _ = strings.Cut(part, " ")
		f.Message = "the script of " + strings.Trim(part, "()") + " failed"
		f.ID = strings.Trim(part, "()")
	}
	return f
}
