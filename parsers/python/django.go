package python

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Django is run through manage.py, a script of the project's. The command "test" is left to unittest's reader.
var _ = Room.Add(tool.AnyProgram, func(p *tool.Parser) {
	p.Is("django", result.Lint, 1, "Django 3 to 6: manage.py and django-admin: check, migrate, makemigrations and what else is wrong")
	p.Matches = isDjango
	p.Programs = []string{"django-admin"}
	p.Reads(tool.Format{Name: "text", Starts: []string{"SystemCheckError: System check identified", "System check identified "}, Parse: read.IfFound(read.Text{Line: djangoLine}.Parse)})
	p.Reads(tool.Format{Name: "messages", Parse: read.Said{Errors: []string{"CommandError: "}, Usage: []string{"Unknown command: ", "No Django settings specified"}}.Parse})
})

// isDjango matches "django-admin check", "python manage.py migrate" and "./manage.py check", but not
// "manage.py test": the reader of the test runner reads that output.
func isDjango(argv []string) bool {
	if i := slices.IndexFunc(argv, func(a string) bool { return path.Base(a) == "manage.py" }); i >= 0 && i < 2 {
		argv = argv[i:]
	} else if !slices.Contains([]string{"django-admin", "django"}, argv[0]) {
		return false
	}
	return len(argv) < 2 || argv[1] != "test"
}

// djangoLine reads "shop.Item.fk: (fields.E300) text", a hint below it, "\tHINT: text", and the number of issues.
func djangoLine(s *read.Sink, l tool.Line) bool {
	object, rest, ok := strings.Cut(l.Text, ": (")
	rule, message, cut := strings.Cut(rest, ") ")
	switch {
	case ok && cut && !strings.Contains(object, " ") && isCheckID(rule):
		severity := result.SevError
		switch rule[strings.LastIndexByte(rule, '.')+1] {
		case 'W':
			severity = result.SevWarning
		case 'I', 'D':
			severity = result.SevInfo
		}
		f := result.Finding{Severity: severity, Rule: rule, Message: message}
		if object != "?" {
			f.ID = object
		}
		return s.Find(l, f)
	case strings.HasPrefix(l.Text, "System check identified "), strings.HasPrefix(l.Text, "SystemCheckError: "):
		s.Sign(l)
		return s.Break()
	case s.Last() != nil && strings.HasPrefix(l.Text, "\tHINT: "):
		return s.More(l)
	}
	s.Break()
	return false
}

// isCheckID reports whether s is the id of a system check: "fields.E300", "security.W001".
func isCheckID(s string) bool {
	app, code, ok := strings.Cut(s, ".")
	return ok && lex.IsIdentifier(app) && len(code) > 1 && strings.IndexByte("EWIDC", code[0]) >= 0 && lex.IsDigits(code[1:])
}

// unpicklable is a failure that Django's test runner could not pass on from a process of --parallel, which ends the run:
//
//	test_missing (visits.tests.VisitTests.test_missing) failed:
//
//	    DoesNotExist('Patient matching query does not exist.')
//
//	Unfortunately, tracebacks cannot be pickled, making it impossible for the
type unpicklable struct {
	head  tool.Line
	below result.Finding
}

func (u *unpicklable) line(s *read.Sink, l tool.Line) bool {
	switch test, ok := strings.CutSuffix(l.Text, " failed:"); {
	case ok:
		u.below, _ = cutUnittestHead("ERROR: " + test)
		u.head = l
	case u.below.ID == "" && len(s.Findings) == 1 && strings.HasPrefix(l.Text, "    python -m pip install "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevInfo, Message: "tracebacks need: " + l.Text[4:]})
	case u.below.ID == "":
	case strings.HasPrefix(l.Text, "    "):
		u.below.Message = strings.TrimLeft(u.below.Message+" "+l.Text[4:], " ")
	case strings.HasPrefix(l.Text, "Unfortunately, ") && strings.Contains(l.Text, " cannot be pickled, making it impossible"):
		u.below.Rule, _, _ = strings.Cut(u.below.Message, "(")
		s.Find(u.head, u.below)
		s.Doubt, u.below = "the tests' processes could not pass on their failures", result.Finding{}
	case l.Text != "":
		u.below = result.Finding{}
	}
	return false
}
