package rust

import (
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Errors that cargo prints before it does anything, about options, manifests or versions that do not
// fit together. They look like rustc's diagnostics without a place.

// cargoUsages are beginnings of errors by which cargo and rustup (1.30 to 1.95) say that the command line, the
// manifest, the configuration or the lock file is wrong.
var cargoUsages = []string{"package ID specification ", "no such command: ", "could not find `Cargo.toml` in ", "unexpected argument ", "no test target ", "no bin target ",
	"no example target ", "no bench target ", "no library targets found in package", "manifest path ", "Unrecognized option: ", "invalid value ", "the argument ", "Found argument ", "unrecognized subcommand ",
	"a value is required for ", "the following required arguments were not provided", "unknown option ",
	"cannot create the lock file ", "cannot update the lock file ", "the lock file ", "failed to parse lock file at", "failed to parse manifest at ", "failed to load manifest ", "could not load Cargo configuration",
	"failed to parse value from --config ", "error in ", "toolchain '", "custom toolchain '", "override toolchain '", "could not parse `", "none of the selected packages contains ", "a bin target must be available for ",
	"`cargo run` could not determine which binary to run", "the `-Z` flag is only accepted ", "unknown `-Z` flag specified: ", "jobs may not be ", "--exclude can only be used ", "can't mix --doc with ", "can't skip doc tests with --no-run",
	"current package believes it's in a workspace when it's not", "multiple workspace roots found ", "found a virtual manifest at ", "There are multiple `", "cannot specify features for packages outside of workspace"}

// isCargoUsage says whether an error means that cargo did not understand what to do.
func isCargoUsage(f result.Finding) bool {
	m := f.Message
	if f.Severity == result.SevWarning || f.At != nil && configFile(f.At.Path) == "" {
		return false
	}
	return lex.HasAnyPrefix(m, cargoUsages...) || strings.HasPrefix(m, "profile `") && strings.HasSuffix(m, "` is not defined") ||
		strings.HasPrefix(m, "the package '") && strings.Contains(m, "' does not contain th") ||
		strings.HasPrefix(m, "Package `") && strings.Contains(m, "` does not have ") ||
		strings.HasPrefix(m, `"--`) && strings.HasSuffix(m, ` takes one argument.`)
}

// isManifestError says whether an error has a place in Cargo.toml, as since Rust 1.80.
func isManifestError(f result.Finding) bool {
	return f.At != nil && (f.At.Path == "Cargo.toml" || strings.HasSuffix(f.At.Path, "/Cargo.toml"))
}

// refused says whether cargo did nothing because the command or the configuration is wrong.
func refused(all []result.Finding) bool {
	if slices.ContainsFunc(all, isCargoUsage) {
		return true
	}
	any := false
	for _, f := range all {
		if f.Severity == result.SevWarning {
			continue
		}
		if any = isManifestError(f); !any {
			return false
		}
	}
	return any
}

// unresolved begins an error about versions. Its reason follows a blank line, and its last line
// repeats the first:
//
//	error: failed to select a version for `foo`.
//	    ... required by package `shop v0.1.0 (/src/shop)`
//	versions that meet the requirements `*` are: 0.1.0
//
//	package `shop` depends on `foo` with feature `zip` but `foo` does not have that feature.
//
//	failed to select a version for `foo` which could resolve this conflict
const unresolved = "failed to select a version for `"

func (d *rustcDiag) resolving() bool {
	return d.code == "" && strings.HasPrefix(d.message, unresolved) && !d.resolved
}

// unresolvedReason is the first line after a blank one; if packages conflict, it is the first conflict.
func unresolvedReason(lines []string) string {
	i := slices.Index(lines, "")
	if i < 0 {
		return ""
	}
	reason := lex.FirstOf(lines[i:])
	if strings.HasPrefix(reason, "all possible versions conflict with previously selected packages") {
		if j := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "  previously selected package ") }); j > i {
			return "conflicts with " + strings.TrimSpace(lines[j])
		}
	}
	if strings.HasPrefix(reason, unresolved) {
		return ""
	}
	if strings.HasSuffix(reason, ":") { // "… links to the native library `z`, but it conflicts with a previous package …:"
		if j := slices.Index(lines, reason); j >= 0 {
			reason += " " + lex.FirstOf(lines[j+1:])
		}
	}
	return strings.TrimSpace(reason)
}

// advice takes a proposal of cargo ("help: ") after a blank line, or of clap ("tip: ").
func (s *cargoStream) advice(l tool.Line) bool {
	i := s.closed - 1
	if i < 0 || s.diag != nil || s.run.diags[i].At != nil || s.run.diags[i].Rule != "" {
		return false
	}
	d := &s.run.diags[i]
	said, ok := lex.CutAnyPrefix(l.Text, "help: ", "  tip: ", "\t")
	if !ok || l.Text[0] == '\t' && !strings.HasPrefix(said, "Did you mean ") {
		return false
	}
	lex.Keep(&d.Suggestions, result.MaxSuggestions, said)
	d.RawSpan.End = max(d.RawSpan.End, l.End)
	return true
}

// placeConfig sets the place of an error in a manifest, a configuration or a lock file. Before Rust 1.80 the place was
// only in the text: "TOML parse error at line 5, column 1", "expected an equals, found eof at line 1 column 8".
func placeConfig(f *result.Finding, file, said string) {
	if file == "" || f.At != nil && f.At.Line > 0 {
		return
	}
	if f.At == nil && strings.HasPrefix(f.Message, "failed to parse manifest at ") {
		f.At = &result.Location{Path: file}
	}
	_, position, ok := strings.Cut(said, " at line ")
	if !ok || strings.HasPrefix(said, "duplicate key: ") { // its line is always 1
		return
	}
	line, column, _ := strings.Cut(strings.ReplaceAll(position, ", column ", " column "), " column ")
	if at, ok := cutRustcPosition(file + ":" + line + ":" + column); ok {
		f.At = &at
	}
}

// configFile returns the path of a manifest, lock file or configuration of cargo that the line names.
func configFile(s string) string {
	for w := range strings.FieldsFuncSeq(strings.TrimPrefix(s, "failed to parse lock file at: "), func(r rune) bool { return r == '`' }) {
		if strings.HasSuffix(w, ".toml") || strings.HasSuffix(w, "Cargo.lock") || strings.HasSuffix(w, ".cargo/config") || strings.HasSuffix(w, `.cargo\config`) {
			return w
		}
	}
	return ""
}

// quotesCompiler reports whether a warning of a build script is one line of a diagnostic of the C compiler that it ran, as
// the crate cc passes them on, and not the diagnostic itself: "crc@0.1.0:    5 |   return c", "crc@0.1.0: 2 errors generated."
func quotesCompiler(message string) bool {
	crate, line, ok := strings.Cut(message, ": ")
	if !ok || !strings.Contains(crate, "@") || strings.Contains(crate, " ") {
		return false
	}
	_, scope, _ := strings.Cut(line, ": ")
	return lex.HasAnyPrefix(line, "  ", "In file included from ") || strings.Contains(line, ": note: ") || strings.HasSuffix(line, " generated.") ||
		strings.HasSuffix(line, ":") && lex.HasAnyPrefix(scope, "In function ", "In member function ", "At top level", "At global scope")
}

// maxSeen bounds the diagnostics whose repetitions are recognized. In a run with more, the count may be too high.
const maxSeen = 4 * tool.MaxFindings

// addDiag adds a diagnostic, unless it repeats one: a library and its tests print the same ones. It
// returns the index from 1, or 0 if the diagnostic was not added.
func (run *cargoRun) addDiag(f result.Finding) int {
	if f.At != nil && run.repeated(f.Message, f.Severity, *f.At) {
		run.duplicates++
		return 0
	}
	if strings.HasPrefix(f.Rule, "clippy::") {
		run.clippy = true
	}
	if len(run.diags) >= run.report.Most() {
		run.dropped++
		return 0
	}
	run.diags = append(run.diags, f)
	return len(run.diags)
}

// overflows counts a one-line diagnostic if there is no room for it, and says whether it did.
func (run *cargoRun) overflows(d *rustcDiag, at result.Location) bool {
	if len(run.diags) < run.report.Most() {
		return false
	}
	if severity, _ := rustcSeverity(d.level); run.repeated(d.message, severity, at) {
		run.duplicates++
	} else {
		run.dropped++
	}
	return true
}

// repeated says whether a diagnostic with a place has been read before.
func (run *cargoRun) repeated(message string, severity result.Severity, at result.Location) bool {
	key := lex.NewHash().Text(message).Text(string(severity)).Text(at.Path).Number(at.Line).Number(at.Column)
	if run.seen[key] {
		return true
	}
	if len(run.seen) < maxSeen {
		run.seen[key] = true
	}
	return false
}
