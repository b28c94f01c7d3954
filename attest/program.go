package attest

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"cairn/capture"
	"cairn/internal/build"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/result"
)

// Exit statuses of cairn attest and cairn verify.
const (
	statusError    = 1
	statusUsage    = 2
	statusNotFound = 3
	statusFalse    = 4 // a check is false
	statusPartly   = 5 // no check is false, but some could not be made
)

// program is the state of one call.
type program struct {
	ctx         context.Context
	site        *place.Site
	env         place.Env
	in          io.Reader
	out, err    io.Writer
	agent       string // the socket of the SSH agent
	json        bool
	predicate   string
	bundle, key string
	later       capture.Later // brings the new records into the branch
}

// Run is the program cairn-attest. args are "attest" and the runs, or "verify" and what to verify.
func Run(ctx context.Context, args, environ []string, in io.Reader, out, errs io.Writer) int {
	p := &program{ctx: ctx, env: place.FromEnviron(environ), in: in, out: out, err: errs}
	if self, err := os.Executable(); err == nil && strings.TrimSuffix(filepath.Base(self), ".exe") == "cairn-attest" {
		p.later = capture.Following(filepath.Join(filepath.Dir(self), "cairn"), environ)
	}
	for _, kv := range environ {
		if socket, ok := strings.CutPrefix(kv, "SSH_AUTH_SOCK="); ok {
			p.agent = socket
		}
	}
	if len(args) == 1 && args[0] == "--version" {
		fmt.Fprintln(out, "cairn-attest", build.Version())
		return 0
	}
	if len(args) == 0 || args[0] != "attest" && args[0] != "verify" {
		return p.fail(statusUsage, errors.New("call it as cairn attest or cairn verify"))
	}
	f := flag.NewFlagSet(args[0], flag.ContinueOnError)
	f.SetOutput(errs)
	f.BoolVar(&p.json, "json", false, "")
	f.StringVar(&p.predicate, "predicate", TestResult, "")
	f.StringVar(&p.bundle, "bundle", "", "")
	f.StringVar(&p.key, "key", "", "")
	if f.Parse(args[1:]) != nil {
		return statusUsage
	}
	dir, err := os.Getwd()
	if err == nil {
		p.site, err = place.OpenToRead(ctx, dir, p.env, func(w manifest.Warning) { fmt.Fprintln(errs, "cairn: "+w.String()) })
	}
	if err != nil {
		return p.fail(statusError, err)
	}
	defer p.site.Close()
	if args[0] == "attest" {
		return p.attest(f.Args())
	}
	return p.verify(f.Args())
}

func (p *program) fail(status int, err error) int {
	fmt.Fprintf(p.err, "cairn: %s\n", result.CleanLine(err.Error()))
	return status
}

func (p *program) failed(err error) int {
	if errors.Is(err, manifest.ErrNotFound) {
		return p.fail(statusNotFound, err)
	}
	return p.fail(statusError, err)
}

// attest signs the records of runs, or writes statements for another signer.
func (p *program) attest(runs []string) int {
	var key signer
	var err error
	if p.bundle == "" {
		if key, err = gitKey(p.ctx, p.site.Repo, p.env.Home, p.agent); err != nil {
			return p.fail(statusError, err)
		}
	}
	for _, run := range runs {
		rec, err := p.site.Manifest.Find(p.ctx, run)
		if err != nil {
			return p.failed(err)
		}
		s, err := newStatement(rec, p.predicate, commitTree(p.ctx, p.site, rec))
		if err == nil && p.bundle != "" {
			err = p.writeBundle(s, rec)
		} else if err == nil {
			err = p.sign(s, rec, key)
		}
		if err != nil {
			return p.failed(err)
		}
	}
	for _, note := range capture.CatchUp(p.ctx, p.site, true, p.later) {
		fmt.Fprintln(p.err, "cairn: "+note)
	}
	return 0
}

func (p *program) sign(s *Statement, rec *manifest.Record, key signer) error {
	e, err := seal(s, key)
	if err != nil {
		return err
	}
	if err := keep(p.ctx, p.site, rec.ID, "signed by "+key.id(), e); err != nil {
		return err
	}
	text, err := result.Marshal(e)
	if err == nil && p.json {
		_, err = fmt.Fprintf(p.out, "%s\n", text)
	} else if err == nil {
		_, err = fmt.Fprintf(p.out, "attested %s: %s, signed by %s\n", rec.ID, result.CleanLine(saysOf(rec)), key.id())
	}
	return err
}

// writeBundle writes files for another signer: the statement, its predicate, and one line each for the inputs of a CI
// system's attestation step.
func (p *program) writeBundle(s *Statement, rec *manifest.Record) error {
	dir := filepath.Join(p.bundle, rec.ID)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the bundle: %w", err)
	}
	statement, err := result.Marshal(s)
	if err != nil {
		return err
	}
	files := map[string]string{"statement.json": string(statement), "predicate.json": string(s.Predicate), "predicate-type": s.PredicateType}
	if rec.Raw != nil {
		files["subject-name"], files["subject-digest"] = "output-of-"+rec.ID, rec.Raw.OID
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o644); err != nil {
			return fmt.Errorf("writing the bundle: %w", err)
		}
	}
	_, err = fmt.Fprintln(p.out, dir)
	return err
}

// verify checks a run, an envelope or the runs of a range of commits.
func (p *program) verify(args []string) int {
	if len(args) != 1 {
		return p.fail(statusUsage, errors.New("give one run, one envelope, or one range A..B"))
	}
	v := &verifier{site: p.site}
	var err error
	if v.keys, err = trustedKeys(p.ctx, p.site.Repo, p.env.Home, p.key); err != nil {
		return p.fail(statusError, err)
	}
	reports, err := p.reports(v, args[0])
	if err != nil {
		return p.failed(err)
	}
	if len(reports) == 0 {
		return p.fail(statusNotFound, fmt.Errorf("no run is on record of the commits of %s", args[0]))
	}
	status := 0
	for _, r := range reports {
		if err := p.print(r); err != nil {
			return p.fail(statusError, err)
		}
		switch {
		case r.Is(False):
			status = statusFalse
		case r.Is(Unchecked) && status == 0:
			status = statusPartly
		}
	}
	return status
}

func (p *program) reports(v *verifier, what string) (all []*Report, err error) {
	switch {
	case strings.Contains(what, "..") && !strings.ContainsAny(what, `/\`) || p.site.Repo != nil && isRange(what):
		return p.ofRange(v, what)
	case what == "-":
		return p.ofEnvelope(v, p.in)
	}
	if f, err := os.Open(what); err == nil {
		defer f.Close()
		return p.ofEnvelope(v, f)
	}
	rec, err := p.site.Manifest.Find(p.ctx, what)
	if errors.Is(err, manifest.ErrNotFound) && strings.ContainsAny(what, "./\\") {
		return nil, fmt.Errorf("there is no file %s: %w", what, manifest.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	r, err := v.run(p.ctx, rec)
	return []*Report{r}, err
}

// isRange says whether the argument is a range A..B and not a file; names of branches may contain slashes.
func isRange(what string) bool {
	from, to, ok := strings.Cut(what, "..")
	_, err := os.Stat(what)
	return ok && err != nil && !strings.HasPrefix(from, ".") && !strings.HasPrefix(to, "/")
}

func (p *program) ofEnvelope(v *verifier, from io.Reader) ([]*Report, error) {
	e, err := ReadEnvelope(from)
	if err != nil {
		return nil, err
	}
	r, err := v.given(p.ctx, e)
	return []*Report{r}, err
}

func (p *program) ofRange(v *verifier, span string) (all []*Report, err error) {
	if p.site.Repo == nil {
		return nil, errors.New("there is no git repository here, so there is no range of commits")
	}
	commits, err := p.site.Repo.Range(p.ctx, span)
	if err != nil {
		return nil, err
	}
	in := map[string]bool{}
	for _, c := range commits {
		in[c] = true
	}
	for rec, err := range p.site.Manifest.Records(p.ctx, manifest.Query{}) {
		if err != nil {
			return nil, err
		}
		if rec.Type != manifest.TypeCapture || rec.Git == nil || !in[rec.Git.Commit] {
			continue
		}
		r, err := v.run(p.ctx, rec)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

func (p *program) print(r *Report) error {
	if p.json {
		text, err := json.Marshal(r)
		if err == nil {
			_, err = fmt.Fprintf(p.out, "%s\n", text)
		}
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", r.Run, result.CleanLine(r.Says))
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "  %-9s %-9s %s\n", f.State, f.Of, f.Text)
		for _, line := range f.Differs.lines() {
			fmt.Fprintf(&b, "      %s\n", line)
		}
	}
	_, err := io.WriteString(p.out, b.String())
	return err
}
