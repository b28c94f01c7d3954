package main

import (
	"errors"

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

The work is done by cairn-attest, which is installed beside cairn.

Exit status:
  0  all are attested
  1  there is no key, or something could not be read or written
  2  the command line is not right
  3  there is no such run`

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
	var format, predicate, bundle string
	cmd := &cobra.Command{
		Use:   "attest [flags] RUN...",
		Short: "sign what the record says of runs",
		Long:  attestLong,
		Example: `  cairn attest 01M8AJMDKXQP
  cairn attest --predicate tool-result --format json 01M8AJMDKXQP > envelope.json
  cairn attest --bundle out 01M8AJMDKXQP`,
		RunE: func(cmd *cobra.Command, args []string) error {
			predicates := map[string]string{"test-result": "https://in-toto.io/attestation/test-result/v0.1", "tool-result": "urn:cairn:tool-result:v1"}
			if predicates[predicate] == "" {
				return usageError{cmd, errors.New("--predicate is test-result or tool-result")}
			}
			if len(args) == 0 {
				return usageError{cmd, errors.New("give a run, or several")}
			}
			return a.attest(cmd, format, append([]string{"attest", "--predicate", predicates[predicate], "--bundle", bundle}, args...))
		},
	}
	f := cmd.Flags()
	formatFlag(f, &format)
	f.StringVar(&predicate, "predicate", "test-result", "what is stated: `NAME` is test-result or tool-result")
	f.StringVar(&bundle, "bundle", "", "sign nothing: write what another signer needs to this `DIR`")
	return cmd
}

func newVerify(a *app) *cobra.Command {
	var format, key string
	cmd := &cobra.Command{
		Use:   "verify [flags] (RUN | ENVELOPE | A..B)",
		Short: "check what was attested, and derive it again",
		Long:  verifyLong,
		Example: `  cairn verify 01M8AJMDKXQP
  cairn verify --key signer.pem envelope.json
  cairn verify --format json main..HEAD`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{cmd, errors.New("give one run, one envelope, or one range A..B")}
			}
			return a.attest(cmd, format, []string{"verify", "--key", key, "--", args[0]})
		},
	}
	f := cmd.Flags()
	formatFlag(f, &format)
	f.StringVar(&key, "key", "", "a public key that is trusted, instead of git's: `FILE` in PEM or a line of SSH")
	return cmd
}

// attest becomes cairn-attest.
func (a *app) attest(cmd *cobra.Command, format string, args []string) error {
	f, err := render.ParseFormat(format)
	if err != nil {
		return usageError{cmd, err}
	}
	program, err := build.Companion("cairn-attest")
	if err != nil {
		return err
	}
	site, err := a.recallSite(cmd) // what waits is taken in
	if err != nil {
		return err
	}
	site.Close()
	a.flush()
	argv := append([]string{program, args[0]}, args[1:]...)
	if f != render.FormatCompact {
		argv = append([]string{program, args[0], "--json"}, args[1:]...)
	}
	return shell.Exec(argv, a.environ)
}
