package main

import (
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/agents/shell"
	"cairn/capture"
	"cairn/internal/build"
	"cairn/prove"
	"cairn/render"
)

const attestLong = `Sign what the record says of runs: an in-toto statement about the tree that ran and what
came of it, in a DSSE envelope, signed with the SSH key that git signs with (gpg.format ssh,
user.signingkey; Ed25519 or ECDSA, from its file or the SSH agent). It is kept beside the
record, on its branch. A run that failed, was killed or timed out is attested like any other.

The predicate is test-result (https://in-toto.io/attestation/test-result/v0.1), or tool-result:
the whole result that the record holds (urn:cairn:tool-result:v1). Where there is no key, as in
CI, --bundle writes a folder a run, for the attestation step of the CI to sign.

The work is done by cairn-attest, which is installed beside cairn.`

const verifyLong = `Verify what was attested of a run: the signature, against gpg.ssh.allowedSignersFile or
--key; that the record says what was signed, and its branch never said otherwise; that the
output has its digest; and that the parsers derive the same result from it again. What
cannot be checked is told, too. ENVELOPE is a file, or - for standard input; a range A..B
stands for the runs of its commits.

Exit status:
  0  all holds
  1  the question could not be answered
  2  the command line is not right
  3  there is no such run
  4  something is false
  5  nothing is false, and something could not be checked`

func newAttest(a *app) *cobra.Command {
	var format render.Format
	var bundle string
	predicate := "test-result"
	cmd := &cobra.Command{
		Use:   "attest [flags] RUN...",
		Short: "sign what the record says of runs",
		Long:  attestLong + exitHelp("all are attested", "there is no key, or something could not be read or written", "there is no such run"),
		Example: `  cairn attest 01M8AJMDKXQP
  cairn attest --predicate tool-result --format json 01M8AJMDKXQP > envelope.json
  cairn attest --bundle out 01M8AJMDKXQP`,
		Args: takes(1, many, "a run, or several"),
		RunE: func(cmd *cobra.Command, args []string) error {
			predicates := map[string]string{"test-result": "https://in-toto.io/attestation/test-result/v0.1", "tool-result": "urn:cairn:tool-result:v1"}
			return a.attest(cmd, format, append([]string{"attest", "--predicate", predicates[predicate], "--bundle", bundle}, args...))
		},
	}
	f := cmd.Flags()
	formatFlag(cmd, &format)
	oneOf(cmd, &predicate, "predicate", "what is stated: `NAME` is ", "test-result", "tool-result")
	f.StringVar(&bundle, "bundle", "", "sign nothing: write what another signer needs to this `DIR`")
	return cmd
}

func newVerify(a *app) *cobra.Command {
	var format render.Format
	var key string
	cmd := &cobra.Command{
		Use:   "verify [flags] (RUN | ENVELOPE | A..B)",
		Short: "check what was attested, and derive it again",
		Long:  verifyLong,
		Example: `  cairn verify 01M8AJMDKXQP
  cairn verify --key signer.pem envelope.json
  cairn verify --format json main..HEAD`,
		Args: takes(1, 1, "one run, one envelope, or one range A..B"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.attest(cmd, format, []string{"verify", "--key", key, "--", args[0]})
		},
	}
	f := cmd.Flags()
	formatFlag(cmd, &format)
	f.StringVar(&key, "key", "", "a public key that is trusted, instead of git's: `FILE` in PEM or a line of SSH")
	return cmd
}

// attest runs cairn-attest in place of this process.
func (a *app) attest(cmd *cobra.Command, format render.Format, args []string) error {
	program, err := build.Companion("cairn-attest")
	if err != nil {
		return err
	}
	site, err := a.recallSite(cmd) // finishes and folds pending records first
	if err != nil {
		return err
	}
	site.Close()
	a.flush()
	argv := append([]string{program, args[0]}, args[1:]...)
	if format != render.FormatCompact {
		argv = append([]string{program, args[0], "--json"}, args[1:]...)
	}
	return shell.Exec(argv, a.environ)
}

const proveLong = `Tell of each check that the repository declares whether it is proven for a tree: whether
its command was run on exactly that tree, completely, and passed. Without an argument the
tree is that of all files here that git does not ignore; else it is a commit's, or the end
of a range A..B.

Checks stand in .cairn/checks.toml:

  [[check]]
  name = "unit"
  command = "pytest -q"
  paths = ["src", "tests", "pyproject.toml"]   # the files it answers for; without: all
  config = ["ci/limits.json"]                  # further files that decide what it does
  dir = "."                                    # where it is run, below the root
  fresh = "commit"                             # an equal tree of another commit is not enough
  exit_is_enough = true                        # of a command whose output cairn cannot read

Each check is proven, failed, stale (it passed, then files that it answers for changed),
weakened (it passed, but was narrower than declared, its exit status was thrown away, what
configures it or its declaration was changed, tests are gone or newly skipped, it failed on
the same tree, too, ...), unread (it passed by its exit status alone) or missing. What is
weakened is found by comparing with a base: where the branch left the default branch, the
first parent of a commit, the beginning of a range, or --base.

Nothing is run without --run, which runs what a run could prove. No record says more than
who owns the machine lets it say: see docs/proof.md.`

type proveOptions struct {
	format                 render.Format
	base                   string
	run, suggest, trailers bool
}

func newProve(a *app) *cobra.Command {
	var o proveOptions
	cmd := &cobra.Command{
		Use:   "prove [flags] [COMMIT | A..B]",
		Short: "which of the checks are proven for this tree",
		Long:  proveLong + exitHelp("all checks are proven", "the question could not be answered; a checks file that is broken proves nothing", "some check is not proven, or none is declared"),
		Example: `  cairn prove
  cairn prove --run
  cairn prove --format json origin/main..HEAD
  cairn prove --suggest`,
		Args: takes(0, 1, "one commit, or one range A..B"),
		RunE: func(cmd *cobra.Command, args []string) error { return runProve(a, cmd, o, args) },
	}
	f := cmd.Flags()
	formatFlag(cmd, &o.format)
	f.StringVar(&o.base, "base", "", "compare with this `COMMIT`")
	f.BoolVar(&o.run, "run", false, "run the checks that are not proven and that a run could prove, then tell")
	f.BoolVar(&o.trailers, "trailers", false, "print a trailer a check for a commit's message: Checked: NAME RUN STATE")
	f.BoolVar(&o.suggest, "suggest", false, "show what could be declared, from CI files and the record; change nothing")
	return cmd
}

func runProve(a *app, cmd *cobra.Command, o proveOptions, args []string) error {
	switch {
	case o.run && len(args) > 0:
		return usageError{cmd, errors.New("--run runs on the files that are here: leave the commit out")}
	case o.suggest:
		return a.suggest(cmd)
	}
	ask := prove.Options{Base: o.base, Now: time.Now()}
	ask.Rev = strings.Join(args, "")
	answer, err := a.prove(cmd, ask)
	if err == nil && o.run && !answer.Proven {
		a.runChecks(cmd, answer)
		ask.Now = time.Now()
		answer, err = a.prove(cmd, ask)
	}
	switch {
	case errors.Is(err, prove.ErrNoChecks):
		return notFound{err}
	case err != nil:
		return err
	}
	text := answer.Text()
	if o.trailers {
		o.format, text = render.FormatCompact, answer.Trailers()
	}
	if err := a.print(o.format, answer, text); err != nil || answer.Proven {
		return err
	}
	return status(statusNotFound)
}

func (a *app) prove(cmd *cobra.Command, o prove.Options) (*prove.Answer, error) {
	site, err := a.recallSite(cmd)
	if err != nil {
		return nil, err
	}
	defer site.Close()
	return prove.Ask(cmd.Context(), site, o)
}

// runChecks runs the commands of those checks that a run could prove.
func (a *app) runChecks(cmd *cobra.Command, answer *prove.Answer) {
	for _, c := range answer.Checks {
		if !c.WouldHelp() {
			continue
		}
		root, err := a.root(cmd)
		if err != nil {
			a.warn(err.Error())
			return
		}
		argv, line := c.Argv()
		options := captureRunOptions{shell: line}.capturing(a, argv)
		options.Command.Dir, options.Progress = filepath.Join(root, filepath.FromSlash(c.Dir)), nil
		out := capture.Run(cmd.Context(), options)
		_ = a.show(cmd, render.FormatCompact, standingOptions{}, out) // the checks report how it ended
	}
}

// root is the top of the working tree.
func (a *app) root(cmd *cobra.Command) (string, error) {
	site, err := a.recallSite(cmd)
	if err != nil {
		return "", err
	}
	defer site.Close()
	return site.Workspace.Root, nil
}

func (a *app) suggest(cmd *cobra.Command) error {
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	found, err := prove.Suggest(cmd.Context(), site)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return notFound{errors.New("neither CI files nor the record show a check")}
	}
	return a.put(render.FormatCompact, []byte(prove.SuggestedText(found)))
}
