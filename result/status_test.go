package result

import (
	"fmt"
	"testing"
)

func TestDerive(t *testing.T) {
	failure := []Finding{{Kind: TestFailure, Severity: SevFailure}}
	lint := []Finding{{Kind: Diagnostic, Severity: SevError}}
	panicked := []Finding{{Kind: Panic, Severity: SevError}}
	linker := []Finding{{Kind: BuildError, Severity: SevError}}
	mild := []Finding{{Kind: BuildError, Severity: SevWarning}}
	exit := func(code int) Exit { return Exit{Observed: true, Code: code} }

	for _, tt := range []struct {
		name     string
		exit     Exit
		kind     Kind
		meaning  Meaning
		conf     Confidence
		tested   bool
		findings []Finding
		status   Status
		source   StatusSource
	}{
		{"nothing seen", Exit{}, Test, "", Parsed, true, nil, Unknown, FromNothing},
		{"timeout without an exit", Exit{TimedOut: true}, Test, "", Parsed, true, nil, Error, FromTimeout},
		{"timeout that ended with 0", Exit{Observed: true, TimedOut: true}, Test, "", Parsed, true, nil, Error, FromTimeout},
		{"timeout wins over its own signal", Exit{Signal: "SIGKILL", TimedOut: true}, Test, "", Parsed, true, nil, Error, FromTimeout},
		{"signal", Exit{Signal: "SIGSEGV"}, Test, "", Parsed, true, nil, Error, FromSignal},
		{"signal that came with a code", Exit{Observed: true, Code: 0, Signal: "SIGTERM"}, Build, "", Parsed, false, nil, Error, FromSignal},
		{"not executable", exit(126), Generic, "", Untyped, false, nil, Error, FromExit},
		{"not found", exit(127), Generic, MeansNotFound, Untyped, false, nil, Error, FromExit},
		{"usage", exit(4), Test, MeansUsage, Parsed, false, nil, Error, FromExit},
		{"internal", exit(3), Test, MeansInternal, Parsed, true, failure, Error, FromExit},
		{"interrupted", exit(2), Test, MeansInterrupted, Parsed, true, nil, Error, FromExit},
		{"shell says a child crashed", exit(139), Test, MeansCrashed, Heuristic, false, nil, Error, FromExit},
		{"139 failures of mocha", exit(139), Test, MeansFindings, Parsed, true, failure, Failed, FromExit},
		{"139 unexplained", exit(139), Generic, "", Untyped, false, nil, Failed, FromExit},
		{"tests failed", exit(1), Test, MeansFindings, Parsed, true, failure, Failed, FromExit},
		{"log looks passed, exit does not", exit(1), Test, "", Parsed, true, nil, Failed, FromExit},
		{"no tests, as an error", exit(5), Test, MeansNoTests, Parsed, false, nil, Failed, FromExit},
		{"negative code of Windows", exit(-1073741819), Generic, "", Untyped, false, nil, Failed, FromExit},
		{"passed", exit(0), Test, "", Parsed, true, nil, Passed, FromExit},
		{"no tests", exit(0), Test, MeansNoTests, Parsed, true, nil, OK, FromExit},
		{"tests not recognised", exit(0), Test, "", Parsed, false, nil, OK, FromExit},
		{"tests not accounted for", exit(0), Test, "", Heuristic, true, nil, OK, FromExit},
		{"no parser", exit(0), Test, "", Untyped, true, nil, OK, FromExit},
		{"a build", exit(0), Build, "", Parsed, true, nil, OK, FromExit},
		{"swallowed code", exit(0), Test, "", Parsed, true, failure, Failed, FromFindings},
		{"swallowed code, not accounted for", exit(0), Test, "", Heuristic, false, failure, Failed, FromFindings},
		{"swallowed build error", exit(0), Build, "", Parsed, false, linker, Failed, FromFindings},
		{"swallowed panic", exit(0), Generic, "", Parsed, false, panicked, Failed, FromFindings},
		{"a panic in the log of a test", exit(0), Test, "", Heuristic, false, panicked, OK, FromExit},
		{"a linker's warning", exit(0), Build, "", Parsed, false, mild, OK, FromExit},
		{"lint errors with --exit-zero", exit(0), Lint, "", Parsed, false, lint, OK, FromExit},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, source := Derive(tt.exit, tt.kind, tt.meaning, tt.conf, tt.tested, tt.findings)
			if status != tt.status || source != tt.source {
				t.Errorf("got %s by %s, want %s by %s", status, source, tt.status, tt.source)
			}
		})
	}
}

// TestDeriveHonest goes through the whole product of inputs.
func TestDeriveHonest(t *testing.T) {
	var sets [][]Finding
	sets = append(sets, nil)
	for _, kind := range []FindingKind{TestFailure, Diagnostic, BuildError, Panic, GenericFinding, "unheard-of"} {
		for _, sev := range []Severity{SevFailure, SevError, SevWarning, SevInfo, ""} {
			sets = append(sets, []Finding{{Kind: kind, Severity: sev}})
		}
	}
	codes := []int{-1}
	for code := range 256 {
		codes = append(codes, code)
	}
	n := 0
	for _, code := range codes {
		for _, observed := range []bool{false, true} {
			for _, signal := range []string{"", "SIGKILL"} {
				for _, timeout := range []bool{false, true} {
					e := Exit{Observed: observed, Code: code, Signal: signal, TimedOut: timeout}
					for _, meaning := range []Meaning{"", MeansFindings, MeansUsage, MeansNoTests, MeansCrashed, "unheard-of"} {
						for _, kind := range []Kind{Test, Build, "unheard-of"} {
							for _, conf := range []Confidence{Parsed, Heuristic, Untyped} {
								for _, tested := range []bool{false, true} {
									alone, _ := Derive(e, kind, meaning, conf, tested, nil)
									for _, set := range sets {
										n++
										got, _ := Derive(e, kind, meaning, conf, tested, set)
										if err := dishonest(e, conf, tested, set, alone, got); err != "" {
											t.Fatalf("%s: %+v %s %s %s tested=%t %+v: %s without findings, %s with them",
												err, e, kind, meaning, conf, tested, set, alone, got)
										}
									}
								}
							}
						}
					}
				}
			}
		}
	}
	if n < 1_000_000 {
		t.Errorf("only %d combinations: the product has holes", n)
	}
}

func dishonest(e Exit, conf Confidence, tested bool, set []Finding, alone, got Status) string {
	good := func(s Status) bool { return s == Passed || s == OK }
	switch {
	case good(got) && (!e.Observed || e.Code != 0 || e.Signal != "" || e.TimedOut):
		return "success without an observed exit 0"
	case good(got) && !good(alone):
		return "findings turned a failure into a success"
	case got == Passed && (conf != Parsed || !tested):
		return "passed without a recognised test run"
	case good(got) && len(set) > 0 && set[0].Severity == SevFailure:
		return "a failure is hidden"
	}
	return ""
}

func ExampleDerive() {
	// pytest | tail: the shell reports the status of tail.
	fmt.Println(Derive(Exit{Observed: true, Code: 0}, Test, "", Parsed, true, []Finding{{Kind: TestFailure, Severity: SevFailure}}))
	// Output: failed findings
}
