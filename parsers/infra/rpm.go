package infra

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
