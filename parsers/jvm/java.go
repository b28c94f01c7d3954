package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/junit"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("java | javaw kotlin scala groovy", func(p *tool.Parser) {
	p.Is("java", result.Generic, 1, "java 8 to 25: exceptions that nobody caught, and what the launcher says")
	p.Interprets = tool.Always
	p.Reads(tool.Format{Name: "text", Starts: []string{`Exception in thread "`, groovyCaught[0], groovyCaught[1], groovyCaught[2], "Error: Could not find or load main class", "Error: Unable to access jarfile", bootLayer, javaDeadlock, javaCrash, "Exception: java.lang.OutOfMemoryError thrown from ", "Terminating due to java.lang.OutOfMemoryError", "Aborting due to java.lang.OutOfMemoryError"}, Named: true, Parse: parseJava})
})

const bootLayer = "Error occurred during initialization of boot layer"

var groovyCaught = [...]string{"Caught: java.", "Caught: groovy.", "Caught: Assertion failed:"}

// java reads the trace of an exception with its causes, and the launcher's own errors. If the
// launcher runs a source file, the errors of javac are among them.
type java struct {
	in    *tool.Input
	javac javac
	text  []string
	open  bool
	head  bool        // in Groovy's message, which has several lines, and is printed twice, before the first frame
	usage bool        // the launcher refused the command; the next lines may complete the message
	more  []tool.Line // the lines below an exception, which are its message if a frame follows

	caught caught
	dump   string // see dumped
}

func parseJava(in *tool.Input) *tool.Report {
	j := &java{in: in}
	j.caught.on = strings.Contains(in.Shell+" "+strings.Join(in.Argv, " ")+" "+strings.Join(in.Echoed(), " "), "java ")
	return read.Text{Line: j.line, Turn: j.explainLast, End: j.explainLast}.Parse(in)
}

func (j *java) line(s *read.Sink, l tool.Line) bool {
	if j.head = j.head && len(j.text) < 100 && !strings.HasPrefix(l.Text, "\tat "); j.head && l.Text == j.text[0] {
		j.text = j.text[:0]
	}
	if j.open && (j.head || len(j.text) == 0 || isTrace(l.Text)) {
		for _, above := range j.more {
			j.text = append(j.text, above.Text)
			s.More(above)
		}
		j.more, j.text = nil, append(j.text, strings.Clone(l.Text))
		return s.More(l)
	} else if j.open && j.maySay(l.Text) {
		l.Text = strings.Clone(l.Text)
		j.more = append(j.more, l)
		return false
	}
	j.explainLast(s)
	if j.dumped(s, l) || j.logged(s, l) {
		return true
	}
	switch text := l.Text; {
	case strings.HasPrefix(text, `Exception in thread "`), strings.HasPrefix(text, "Exception in thread main"), lex.HasAnyPrefix(text, groovyCaught[:]...):
		_, thrown, _ := strings.Cut(text, `" `)
		if j.head = text[0] == 'C'; j.head {
			thrown = text[len("Caught: "):]
		}
		s.Find(l, result.Finding{Kind: result.Panic, Severity: result.SevError})
		j.open, j.text = true, []string{strings.Clone(thrown)}
	case text == bootLayer: // a module is missing: the exception is on the next line
		s.Find(l, result.Finding{Kind: result.Panic, Severity: result.SevError})
		j.open, j.text = true, nil
	case strings.Contains(text, " java.lang.OutOfMemoryError") && lex.HasAnyPrefix(text, "Exception: ", "Terminating due to ", "Aborting due to "):
		return s.Find(l, result.Finding{Kind: result.Panic, Rule: "OutOfMemoryError", Message: text}) && s.Break()
	case strings.HasPrefix(text, "Error: LinkageError occurred"), strings.HasPrefix(text, "Error: Could not find or load main class"):
		s.Refuse(l, result.Finding{Kind: result.Panic, Message: strings.TrimPrefix(text, "Error: ")})
		j.usage = true
	case lex.HasAnyPrefix(text, "Unrecognized option:", "Error: Unable to access jarfile", "Unrecognized VM option", "Error: Main method not found", "Invalid maximum heap size", "no main manifest attribute"):
		s.Misuse(l, strings.TrimPrefix(text, "Error: "))
		j.usage = true
	case j.usage && lex.HasAnyPrefix(text, "Error: ", "Caused by: ", "\t"):
		if f := s.Last(); f != nil && f.Detail == "" && text[0] != 'E' {
			f.Message += ": " + strings.TrimPrefix(strings.TrimSpace(text), "Caused by: ")
		}
		s.More(l)
	default:
		return j.javac.line(s, l)
	}
	return true
}

// maySay reports whether a line may continue the message of the exception above.
func (j *java) maySay(text string) bool {
	_, head := javacHead(text)
	begun := len(j.text) == 1 || lex.HasAnyPrefix(strings.TrimLeft(j.text[len(j.text)-1], "\t"), "Caused by: ", "Suppressed: ")
	return begun && len(j.more) < 8 && !head && !isStamped(text) && !isThrown(text) &&
		!lex.HasAnyPrefix(text, "Exception in ", "Error", "Caught: ", "#", "make", "SEVERE", "WARN", "[ERROR]", "[INFO]", "[WARNING]")
}

// isTrace reports whether a line is part of a trace, or continues a message.
func isTrace(text string) bool {
	s := strings.TrimLeft(text, " \t")
	return lex.HasAnyPrefix(s, "at ", "... ", "Caused by: ", "Suppressed: ") || text != "" && text[0] == '\t'
}

// explainLast completes the finding of the last exception from its lines.
func (j *java) explainLast(s *read.Sink) {
	if f := s.Last(); j.open && f != nil {
		logged := f.Message
		junit.Explain(j.in, f, j.text, "", "")
		f.Message = strings.TrimPrefix(logged+": "+f.Message, ": ")
		if n := len(f.Related); n > 0 {
			f.Message += "; " + f.Related[n-1].Message
		}
		s.Break()
	}
	j.open, j.more = false, nil
}

// caught is what a program logs with logback, log4j or java.util.logging, and the traces that it prints itself. Such an
// error does not say that the program failed: the exit does.
//
//	12:40:30.247 [main] ERROR s.Orders - Could not replay order 3
//	svc.Orders$StoreException: order 3 was not stored
//	    at svc.Orders.save(Orders.java:14)
type caught struct {
	on     bool           // the command runs java: the log of a test is not read
	log    result.Finding // the logger's line above
	found  bool           // it is a finding
	thrown tool.Line      // the line above, if it may be the head of a trace
}

// logged takes a line of a log, or the head of a trace with its first frame.
func (j *java) logged(s *read.Sink, l tool.Line) bool {
	c, head := &j.caught, j.caught.thrown
	c.thrown.Text = ""
	switch {
	case strings.HasSuffix(l.Text, "Application run failed"), strings.Contains(l.Text, "LoggingFailureAnalysisReporter"): // Spring Boot's, which is read elsewhere
		c.on = false
	case c.on && strings.HasPrefix(l.Text, "\tat ") && head.Text != "":
		if !c.found {
			s.Find(head, c.log)
		}
		j.open, j.text = true, []string{head.Text, strings.Clone(l.Text)}
		*c = caught{on: true}
		return s.More(l)
	case isThrown(l.Text):
		c.thrown = l
		c.thrown.Text = strings.Clone(l.Text)
		return c.found && s.More(l)
	case c.on:
		word, message := cutJavaLog(l.Text)
		*c = caught{on: true, log: result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Message: strings.Clone(message)}}
		if c.found = lex.IsOneOf(word, "ERROR FATAL SEVERE"); c.found {
			return s.Break() && s.Find(l, c.log)
		}
	}
	return false
}

// cutJavaLog returns the level and the message of a line of a log, in the layouts of logback, log4j, Spring Boot and
// java.util.logging, without the thread and the logger: "s.Orders - text", "26007 --- [main] o.s.boot.App : text",
// "[2026-11-28 12:59:40,723] web.ShopApp: text". Only levels of warnings and above count.
func cutJavaLog(text string) (level, message string) {
	rest := text
	for range 7 {
		rest = strings.TrimLeft(rest, " ")
		word, behind, _ := strings.Cut(rest, " ")
		before := text[:len(text)-len(rest)]
		level = strings.Trim(word, "[]:")
		first := before == "" && (strings.HasPrefix(behind, "[2") || lex.IsOneOf(word, "SEVERE: WARNING:")) // before the time, or below it
		if lex.IsOneOf(level, "ERROR FATAL SEVERE WARN WARNING") && (strings.Count(before, ":") > 1 || strings.HasSuffix(before, "] ") || first) {
			for _, sep := range [...]string{" - ", " : ", ": "} {
				name, message, ok := strings.Cut(strings.TrimSpace(behind), sep)
				if ok && !strings.Contains(strings.TrimLeft(name[strings.LastIndexByte(name, ']')+1:], " "), " ") {
					return level, message
				}
			}
			return level, strings.TrimSpace(behind)
		}
		rest = behind
	}
	return "", ""
}

// isStamped reports whether a line begins with a time, as a line of a log does.
func isStamped(text string) bool {
	return text != "" && lex.IsDigits(text[:1]) && strings.Count(text[:min(len(text), 20)], ":") > 1
}

const (
	javaDeadlock = "Found one Java-level deadlock:"
	javaCrash    = "# A fatal error has been detected by the Java Runtime Environment:"
)

// dumped reads why the virtual machine crashed, and that threads wait for each other. j.dump is the line above, or the
// one that is being read: "#  SIGSEGV (0xb) at pc=0x00007effb80d2f94, pid=18452, tid=18462", "# Problematic frame:".
func (j *java) dumped(s *read.Sink, l tool.Line) bool {
	f, above := s.Last(), j.dump
	text := strings.Trim(l.Text, "# \t")
	switch {
	case l.Text == javaDeadlock:
		j.dump = l.Text
		return s.Find(l, result.Finding{Kind: result.Panic, Message: "deadlock"})
	case l.Text == javaCrash:
		j.dump = l.Text
		return s.Find(l, result.Finding{Kind: result.Panic})
	case above == "" || f == nil:
		return false
	case above == javaDeadlock && strings.HasPrefix(text, "at "):
		if at, ok := frame.JVM(text); ok && !at.External && f.At == nil {
			frame.InPackage(&at)
			f.At = &at
		}
	case above == javaDeadlock:
		if strings.HasPrefix(text, "Found 1 deadlock") {
			j.dump = ""
		}
	case !strings.HasPrefix(l.Text, "#"):
		j.dump = ""
		return s.Break() && false
	case text != "" && (above == javaCrash || above == "Problematic frame:" || strings.HasPrefix(above, "Internal Error (")): // the latter has its reason below
		why, _, _ := strings.Cut(strings.Replace(text, ", pid=", " at pc=", 1), " at pc=")
		if above == "Problematic frame:" {
			why = "in " + why
		}
		f.Message, j.dump = strings.TrimSpace(f.Message+" "+why), text
	case text != "":
		j.dump = text
	}
	return s.More(l)
}

var _ = Room.Add("jlink jmod jpackage keytool jarsigner jar | jdeps javap", func(p *tool.Parser) {
	p.Is("jdk-tools", result.Build, 1, "the JDK 11 to 25: what jar, jlink, jdeps, jmod, jpackage, javap, keytool and jarsigner refuse")
	p.Reads(tool.Format{Name: "text", Starts: []string{"\tat jdk.jartool/sun.tools.jar.", "\tat jdk.jlink/jdk.tools.", "keytool error: java.", "jarsigner: ", "can not validate ", "Error: no jmod file found: "}, Named: true, Parse: read.Rows{
		Kind: result.BuildError,
		Rows: []read.Row{
			{Form: "keytool error: {}: {message}"},
			{Form: "jarsigner: {message}"},
			{Form: "jarsigner error: {message}"},
			{Form: "Error: {message}"},
			{Form: "error: {message}"},
			{Form: "can not validate {path}: {message}"},
			{Form: "Bundler {} skipped because of a configuration problem: {message}"},
			{Form: "Advice to fix: {}", As: read.More},
			{Form: "java.lang.module.FindException: Module {}", As: read.More}, // jlink has said so above
			{Form: "java.{rule}: {message}", Fit: withoutPackage},
			{Form: "Warning: {message}", As: read.Warning},
			{Form: "{path} : no such file or directory", Fit: func(f *result.Finding) { f.Message = "no such file or directory" }},
		},
		Below: func(_ *read.Sink, l tool.Line) bool { return isTrace(l.Text) },
	}.Parse})
})
