package main

import (
	"github.com/spf13/cobra"

	"cairn/agents/shell"
	"cairn/internal/build"
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
