package jvm

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ecj | ecj.jar org.eclipse.jdt.internal.compiler.batch.Main org.eclipse.jdt.core.compiler.batch.jar", func(p *tool.Parser) {
	p.Is("ecj", result.Build, 1, "Eclipse's compiler for Java 3.37: its own text")
	p.Reads(tool.Format{Name: "text", Starts: []string{"1… (at line "}, Sniff: isEcj, Named: true, Parse: read.Rows{Rows: []read.Row{
		{Form: "{}. {severity} in {path} (at line {line})", Fit: func(f *result.Finding) {
			f.Kind, f.RawSeverity = read.KindOf(f.Severity), strings.ToUpper(f.RawSeverity)
		}},
		{Form: "----------", As: read.Skip},
		{Form: "{#problems} problem{} ({#error} error{}, {#warning} warning{})", As: read.Close},
		{Form: "{#problems} problem{} ({#error} error{})", As: read.Close},
		{Form: "{#problems} problem{} ({#warning} warning{})", As: read.Close},
	}, Below: ecjBelow, Usage: []string{"Unrecognized option : ", "no classpath defined", "Invalid warning token"}}.Parse})
})

// isEcj reports whether a line is the head of a problem, which may not be the first: "12. ERROR in src/A.java (at line 3)".
func isEcj(line string) bool {
	_, problem, _ := strings.Cut(line, ". ")
	return lex.HasAnyPrefix(problem, "ERROR in ", "WARNING in ")
}

// ecjBelow takes the lines below a problem. The source and the marks below the first line are indented:
//
//	----------
//	3. ERROR in /src/shop/Cart.java (at line 417)
//		return ArrayUtils.EMPTY;
//		       ^^^^^^^^^^
//	ArrayUtils cannot be resolved to a variable
//	----------
//	3 problems (2 errors, 1 warning)
func ecjBelow(s *read.Sink, l tool.Line) bool {
	if f := s.Last(); f != nil && !strings.HasPrefix(l.Text, "\t") {
		f.Message = strings.TrimSpace(f.Message + " " + l.Text)
	}
	return true
}

var _ = Room.Add("groovyc | org.codehaus.groovy.tools.FileSystemCompiler", func(p *tool.Parser) {
	p.Is("groovyc", result.Build, 1, "groovyc 2.4 to 5.0")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"org.codehaus.groovy.control.MultipleCompilationErrorsException: startup failed:"}, Named: true, Parse: read.Rows{
		Kind: result.BuildError,
		Rows: []read.Row{ // a short message and its place share a line; "[Static type checking] - The variable [extra] is undeclared."
			{Form: "{path}.groovy: {line}: {message} @ line {}, column {column}.", Fit: groovyRule},
			{Form: "{path}.groovy: {line}: {message}", Fit: groovyRule},
			{Form: "General error during {message}", Fit: func(f *result.Finding) { f.Message = "General error during " + f.Message }},
			{Form: "error: {message}"},
			{Form: "{}MultipleCompilationErrorsException{}", As: read.Skip},
			{Form: "{#problems} error{}", As: read.Close},
		},
		Below: func(s *read.Sink, l tool.Line) bool { // the rest of the message, and the source
			said, spot, placed := strings.Cut(l.Text, "@ line ")
			if f := s.Last(); placed && f != nil && f.At != nil && f.At.Column == 0 {
				f.Message = strings.TrimSpace(f.Message + " " + strings.TrimSpace(said))
				f.At.Column = lex.LeadingNumber(behind(spot, ", column "))
			}
			return true
		},
	}.Parse})
})

func groovyRule(f *result.Finding) {
	f.At.Path += ".groovy"
	if rule, text, has := strings.Cut(f.Message, "] - "); has && strings.HasPrefix(rule, "[") {
		f.Rule, f.Message = rule[1:], text
	}
}

var _ = Room.Add("kotlinc | kotlinc-jvm kotlinc-js kotlinc-native konanc org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", func(p *tool.Parser) {
	p.Is("kotlinc", result.Build, 1, "kotlinc 1.3 to 2.4: the command line compiler")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Kind: result.BuildError, Accept: isKotlinc, Below: kotlincBelow, Other: kotlincSays}.Parse})
})

// isKotlinc accepts a diagnostic of a Kotlin file. With an option, the compiler prints the rule in brackets before the
// message, which isKotlinc splits.
func isKotlinc(d *read.Diagnostic) bool {
	d.Message, d.Rule = leadingRule(d.Message)
	return d.Word != "" && (strings.HasSuffix(d.At.Path, ".kt") || strings.HasSuffix(d.At.Path, ".kts"))
}

// kotlincBelow takes the source, and what a message is about: "does not implement abstract member:", "fun say(): String".
func kotlincBelow(s *read.Sink, l tool.Line) bool {
	if f := s.Last(); f != nil && strings.HasSuffix(f.Message, ":") && l.Text != "" {
		f.Message += " " + strings.TrimSpace(l.Text)
		return true
	}
	return read.Indented(s, l)
}

// kotlincSays reads errors without a place: "error: source file or directory not found: x.kt".
func kotlincSays(s *read.Sink, l tool.Line) bool {
	word, message := read.CutSeverity(l.Text)
	switch word {
	case "error", "warning":
		if strings.HasPrefix(message, "invalid argument") || strings.HasPrefix(message, "no source files") && len(s.Findings) == 0 {
			s.Meaning = result.MeansUsage
		}
		s.Find(l, result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(word), RawSeverity: word, Message: message})
		return s.Break()
	case "info":
		return true
	}
	return s.Last() != nil && s.Last().At == nil
}

var _ = Room.Add("jshell", func(p *tool.Parser) {
	p.Is("jshell", result.Generic, 1, "jshell 9 to 25, which exits 0 whatever is wrong with the code that it is given")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*jshell).line))})
})

// jshell reads an error, whose message is on the next line, and an exception. If the code comes
// from stdin, a prompt and a bar begin the line.
//
//	jshell>  |  Error:
//	|  incompatible types: java.lang.String cannot be converted to int
//	|  int x = "s";
//	|          ^-^
type jshell struct{ head string }

func (j *jshell) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimSpace(l.Text)
	for strings.HasPrefix(t, "jshell>") || strings.HasPrefix(t, "...>") {
		_, t, _ = strings.Cut(t, ">")
		t = strings.TrimSpace(t)
	}
	t, barred := strings.CutPrefix(t, "|")
	t = strings.TrimSpace(t)
	thrown, exception := strings.CutPrefix(t, "Exception ")
	switch class, why, _ := strings.Cut(thrown, ": "); {
	case t == "Error:" || t == "Warning:":
		j.head = strings.ToLower(strings.TrimSuffix(t, ":"))
	case j.head != "":
		s.Find(l, result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(j.head), RawSeverity: j.head, Message: t})
		j.head = ""
	case exception && strings.Contains(class, ".") && !strings.Contains(class, " "):
		s.Find(l, result.Finding{Kind: result.Panic, Rule: class, Message: class[strings.LastIndexByte(class, '.')+1:] + ": " + why})
	case strings.HasPrefix(t, "File '") && strings.HasSuffix(t, " is not found."):
		s.Misuse(l, t)
	case s.Last() != nil && t != "" && (barred || t[0] == '^' || strings.HasPrefix(t, "at (") || strings.HasPrefix(t, "symbol:")):
		if symbol, ok := strings.CutPrefix(t, "symbol:"); ok {
			s.Last().Message += ": " + strings.TrimSpace(symbol)
		}
		s.More(l)
	default:
		s.Break()
		return false
	}
	return true
}

var _ = Room.Add("clojure clj lein | boot clojure.main", func(p *tool.Parser) {
	p.Is("clojure", result.Generic, 1, "Clojure 1.10 to 1.12: what stopped a program, or could not be read or compiled")
	p.Interprets = tool.Always
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(parseClojure)})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Execution error (… at ", "Syntax error … at ("}, Sniff: isClojureError, Parse: parseClojure})
})

func parseClojure(in *tool.Input) *tool.Report {
	c := &clojure{}
	return read.Said{Whole: []string{"Error encountered performing task "}, Usage: []string{"Couldn't find project.clj, which is needed for "}, Other: c.line, Below: true}.Parse(in)
}

// clojure reads a head, and below it the message and the path of the full report, or above it the report itself:
//
//	Execution error (ClassCastException) at shop/total (shop.clj:2).
//	class java.lang.String cannot be cast to class java.lang.Number
type clojure struct {
	report bool             // its lines are being read
	at     *result.Location // its first frame in a file of Clojure
}

func isClojureError(line string) bool {
	return strings.HasSuffix(line, ").") && (strings.HasPrefix(line, "Execution error") || strings.HasPrefix(line, "Syntax error "))
}

func (c *clojure) line(s *read.Sink, l tool.Line) bool {
	if strings.HasPrefix(l.Text, "{:clojure.main/message") {
		c.report, c.at = true, nil
	}
	if c.report {
		if f := strings.Fields(strings.Trim(l.Text, " []")); len(f) == 4 && c.at == nil && !strings.HasPrefix(f[0], "clojure.") { // "[shop.core$total invokeStatic "core.clj" 18]"
			ns, _, _ := strings.Cut(f[0], "$")
			c.at = clojureFile(clojurePlace("("+strings.Trim(f[2], `"`)+":"+f[3]), ns)
		}
		c.report = !strings.HasSuffix(l.Text, "}}")
		return s.Reach(l)
	}
	if isClojureError(l.Text) {
		f := result.Finding{Kind: result.BuildError, Rule: "Syntax error", Message: l.Text}
		if what, _, ok := strings.Cut(l.Text, ") at "); ok && strings.Contains(what, " (") {
			_, f.Rule, _ = strings.Cut(what, " (")
		}
		if f.At = clojurePlace(l.Text); f.At == nil {
			f.At = c.at
		}
		return s.Find(l, f)
	}
	if f := s.Last(); f != nil && isClojureError(f.Message) && l.Text != "" {
		f.Message = l.Text
		return s.More(l)
	}
	if len(s.Findings) > 0 && (strings.HasPrefix(l.Text, "Full report at:") || strings.HasPrefix(l.Text, "/tmp/clojure-")) {
		return s.Reach(l)
	}
	return strings.HasSuffix(l.Text, " is not a task. See 'lein help'.") && s.Misuse(l, l.Text)
}

// clojurePlace reads "(shop.clj:2:5)" at the end of a head. It is nil if the place is not in a file of Clojure.
func clojurePlace(head string) *result.Location {
	at := read.PlaceOf(strings.TrimRight(head[strings.LastIndexByte(head, '(')+1:], ")."))
	if at == nil || !strings.Contains(at.Path, ".clj") {
		return nil
	}
	return at
}

var _ = Room.Add("javacc jjtree", func(p *tool.Parser) {
	p.Is("javacc", result.Build, 1, "JavaCC 4 to 7")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Java Compiler Compiler Version "}, Named: true, Parse: read.Rows{
		Rows: []read.Row{
			{Form: "Reading from file {path} . . .", As: read.InPath},
			{Form: "{severity}: Line {line}, Column {column}: {message}"},
			{Form: "{}ParseException: {message} at line {line}, column {column}."},
			{Form: "{severity}: {message}"},
			{Form: "Detected {#error} errors and {#warning} warnings.", As: read.Close},
			{Form: "Parser generated with {#error} errors and {#warning} warnings.", As: read.Close},
			{Form: "Parser generated successfully.", As: read.Close},
			{Form: "Java Compiler Compiler Version {}", As: read.Skip},
		},
		Below: read.Indented,
		Kind:  result.BuildError,
	}.Parse})
})

var _ = Room.Add("jflex", func(p *tool.Parser) {
	p.Is("jflex", result.Build, 1, "JFlex 1.4 to 1.9")
	p.Reads(tool.Format{Name: "text", Starts: []string{`Error in file "…" (line `, `Warning in file "…" (line `}, Named: true, Parse: read.Rows{
		Rows: []read.Row{
			{Form: `{severity} in file "{path}" (line {line}):`},
			{Form: "{#error} error{}, {#warning} warning{}.", As: read.Close},
		},
		Below: func(s *read.Sink, l tool.Line) bool { // the message, then the source
			f := s.Last()
			f.Message = cmp.Or(f.Message, l.Text)
			return true
		},
		Kind: result.BuildError,
	}.Parse})
})
