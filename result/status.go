package result

// Exit is the observed end of a command. Nothing in it is inferred.
type Exit struct {
	Observed bool   // the command ended and its exit code is known
	Code     int    // the exit code, if Observed
	Signal   string // "SIGKILL", if a signal ended the command
	TimedOut bool   // cairn ended the command because its time was up
	Unheard  bool   // the code is that of another command than the tool: a pipe, a list, "|| true"
}

// Derive is the only rule that turns facts into a status. The first row that
// matches decides:
//
//	the time was up                                           error    timeout
//	a signal ended it                                         error    signal
//	no exit was observed                                      unknown  none
//	126, 127                                                  error    exit_code
//	not 0, and the tool's table says usage, internal,
//	  interrupted, crashed, not_found or not_executable       error    exit_code
//	any other code but 0                                      failed   exit_code
//	0, and a finding says that something failed               failed   findings
//	0, of a recognised and complete test run                  passed   exit_code
//	0                                                         ok       exit_code
//
// A shell reports a child's signal as 128+n, but so does a tool that simply
// exits with 130 failures: such a code is an error only where the caller saw
// the text of a signal and says MeansCrashed.
//
// tested means that a parser recognised a complete run of at least one test. A
// run that selected no tests is ok, never passed, and so is a run whose output
// was not accounted for in full (conf is not Parsed).
func Derive(e Exit, kind Kind, meaning Meaning, conf Confidence, tested bool, findings []Finding) (Status, StatusSource) {
	switch {
	case e.TimedOut:
		return Error, FromTimeout
	case e.Signal != "":
		return Error, FromSignal
	case !e.Observed:
		return Unknown, FromNothing
	case e.Code == 126 || e.Code == 127:
		return Error, FromExit
	case e.Code != 0 && meaning.couldNotRun():
		return Error, FromExit
	case e.Code != 0:
		return Failed, FromExit
	case anyFailed(findings, conf, e.Unheard):
		return Failed, FromFindings
	case kind == Test && tested && conf == Parsed && meaning == "":
		return Passed, FromExit
	}
	return OK, FromExit
}

// couldNotRun says whether the tool never came to a verdict of its own.
func (m Meaning) couldNotRun() bool {
	switch m {
	case MeansUsage, MeansInternal, MeansInterrupted, MeansCrashed, MeansNotFound, MeansNotExec:
		return true
	}
	return false
}

// anyFailed says whether the findings contradict an exit code of 0: a pipe such as
// "pytest | tail" reports the code of tail.
//
// A finding of severity failure counts whatever the confidence, since a reader of "ok"
// looks no further. A build error or a panic counts by its kind only if the output was
// fully understood: a test may print the panic that it provoked. A test that could not
// be run, and a tool that could not run at all (a generic finding: usage,
// configuration), count as errors. Warnings never count, and neither do a linter's
// errors: the tool chose to exit 0 (--exit-zero, a SARIF mode). If the exit code is
// another command's (unheard), the tool did not choose it: every error counts.
func anyFailed(findings []Finding, conf Confidence, unheard bool) bool {
	for i := range findings {
		f := &findings[i]
		if f.Severity == SevFailure || unheard && f.Severity == SevError {
			return true
		}
		if f.Severity == SevError && (f.Kind == TestFailure || f.Kind == GenericFinding) {
			return true
		}
		fatal := f.Kind == BuildError || f.Kind == Panic
		mild := f.Severity == SevWarning || f.Severity == SevInfo
		if fatal && !mild && conf == Parsed {
			return true
		}
	}
	return false
}
