package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/build"
	"cairn/internal/place"
	"cairn/internal/remotes"
	"cairn/manifest"
	"cairn/objects"
	"cairn/recall"
	"cairn/recall/filter"
)

const remoteAddLong = `Add a place for the bytes of outputs, which otherwise stay in the clone that
captured them. URL is one of

  oci://HOST/REPOSITORY                        any registry for containers
  s3://BUCKET/PREFIX?endpoint=https://HOST     any server of the S3 protocol
  git+lfs:                                     the git LFS server of the project's own remote
  git+lfs:REMOTE, git+lfs://HOST/PATH          that of another remote or repository
  file:///DIRECTORY                            a directory, also one of a network

Credentials are never part of URL: they are those of "docker login", of the AWS
variables and files, or of git.

What is pushed is encrypted, since it is not redacted as the record is: for the keys
given by --recipient, for those in .cairn/recipients, or for your own key of SSH; if you
have none, a key is made. --clear turns that off for this remote.`

func newRemoteAdd(a *app) *cobra.Command {
	var s remotes.Settings
	var maxAge string
	cmd := &cobra.Command{
		Use:   "add NAME URL",
		Short: "add a place for objects",
		Long:  remoteAddLong + exitHelp("added", "the place cannot be listed, or the settings could not be written"),
		Example: `  cairn remote add team oci://ghcr.io/example/cairn
  cairn remote add store 's3://cairn/app?endpoint=https://s3.example.com' --failed --max-size 50000000
  cairn remote add lfs git+lfs:
  cairn remote add share file:///srv/cairn --clear`,
		Args: takes(2, 2, "a NAME and a URL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s.URL = args[1]
			oldest, err := filter.Time("max-age", maxAge, time.Now())
			if err == nil && s.MaxSize < 0 {
				err = errors.New("--max-size must not be below zero")
			}
			if err != nil {
				return usageError{cmd, err}
			}
			if !oldest.IsZero() {
				s.MaxAge = time.Since(oldest).Round(time.Minute)
			}
			return a.remote(cmd, remotes.Request{Do: remotes.Add, Name: args[0], Settings: s})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&s.Clear, "clear", false, "do not encrypt what is pushed there")
	f.StringArrayVar(&s.Recipients, "recipient", nil, "a public `KEY` (age or SSH) that may read what is pushed; may be given again")
	f.BoolVar(&s.Failed, "failed", false, "push outputs of runs that did not succeed only")
	f.StringArrayVar(&s.Tools, "tool", nil, "push outputs of this `TOOL` only; may be given again")
	f.Int64Var(&s.MaxSize, "max-size", 0, "push objects of up to so many `BYTES` only")
	f.StringVar(&maxAge, "max-age", "", "push outputs of runs of this `AGE` or younger only: 72h, 30d")
	return cmd
}

func newRemoteList(a *app) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "list", Short: "the places there are",
		Long:    `List the remotes of this clone: name, address, whether what is pushed is encrypted.` + exitHelp("listed", "there are none, or the settings could not be read"),
		Example: `  cairn remote list`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.remote(cmd, remotes.Request{Do: remotes.List, JSON: format == "json"})
		},
	}
	remoteFormat(cmd, &format)
	return cmd
}

// remoteFormat declares --format for the output of cairn-remote.
func remoteFormat(cmd *cobra.Command, format *string) {
	*format = "text"
	oneOf(cmd, format, "format", "`FORM` of the output: ", "text", "json")
}

func newRemoteRemove(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "remove NAME", Short: "forget a place; what lies there stays",
		Long:    `Take the settings of a remote away. What was pushed to it stays where it is.` + exitHelp("removed", "there is no such remote"),
		Example: `  cairn remote remove share`,
		Args:    takes(1, 1, "one NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.remote(cmd, remotes.Request{Do: remotes.Remove, Name: args[0]})
		},
	}
}

const remoteGCLong = `Remove from a remote what no record names any more. The record of every clone counts:
so it is shared first, as by "cairn sync", and nothing is removed if that fails.
Anything younger than --grace stays, and so does a pack of which one object is needed.
What goes is written down in the remote, in tombstones/.`

func newRemoteGC(a *app) *cobra.Command {
	r := remotes.Request{Do: remotes.GC}
	cmd := &cobra.Command{
		Use: "gc NAME", Short: "remove from a place what no record names",
		Long:    remoteGCLong + exitHelp("done", "something could not be removed, or the record could not be shared"),
		Example: `  cairn remote gc team --dry-run`,
		Args:    takes(1, 1, "one NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if r.Grace < 0 {
				return usageError{cmd, errors.New("--grace must not be below zero")}
			}
			r.Name = args[0]
			if err := a.shareFirst(cmd); err != nil {
				return fmt.Errorf("what other clones recorded is not known, so nothing was removed: %w", err)
			}
			return a.remote(cmd, r)
		},
	}
	cmd.Flags().BoolVarP(&r.DryRun, "dry-run", "n", false, "say what would go, remove nothing")
	cmd.Flags().DurationVar(&r.Grace, "grace", 14*24*time.Hour, "keep everything younger than this `DURATION`")
	return cmd
}

// shareFirst syncs the records with all git remotes, if there are any.
func (a *app) shareFirst(cmd *cobra.Command) error {
	site, err := a.site(cmd.Context())
	if err != nil {
		return err
	}
	defer site.Close()
	if site.Home == nil {
		return nil
	}
	names, err := site.Home.RemoteNames(cmd.Context())
	if err != nil || len(names) == 0 {
		return err
	}
	for _, name := range names {
		if err := a.share(cmd.Context(), []string{name}); err != nil {
			return err
		}
	}
	return nil
}

func newObjectsPush(a *app) *cobra.Command {
	r := &remotes.Request{Do: remotes.Push}
	cmd := carrier(a, r, "push", "send objects to the remotes", `Send what the record names and the remotes do not have: to the remote of --remote, or
to all. A push that is interrupted loses nothing; the next one sends the rest.`+exitHelp("every object of this clone that is to be there is there", "it is not; the reason is printed"))
	cmd.Flags().BoolVar(&r.Again, "again", false, "also what is there: encrypted anew, for recipients who were added since")
	return cmd
}

func newObjectsPull(a *app) *cobra.Command {
	return carrier(a, &remotes.Request{Do: remotes.Pull}, "pull", "bring objects here from the remotes", `Bring here what the record names and the remotes have. Every byte is checked against
its digest before it counts. "cairn recall object" does this for one object by itself.`+exitHelp("what the remotes have is here", "it is not; the reason is printed"))
}

// carrier makes a command that moves all objects, or the named ones.
func carrier(a *app, r *remotes.Request, use, short, long string) *cobra.Command {
	cmd := &cobra.Command{
		Use: use + " [OID...]", Short: short, Long: long,
		Example: "  cairn objects " + use + "\n  cairn objects " + use + " --remote team",
		Args:    objectIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.IDs = args
			return a.remote(cmd, *r)
		},
	}
	cmd.Flags().StringVar(&r.Name, "remote", "", "the remote `NAME` alone")
	cmd.Flags().BoolVar(&r.Lists, "lists", false, "only lists of tests and whole results, of which the tables of export and fleet are made")
	return cmd
}

// objectIDs checks that all arguments are whole object ids.
func objectIDs(cmd *cobra.Command, args []string) error {
	for _, arg := range args {
		if _, err := objects.ParseID(arg); err != nil {
			return usageError{cmd, err}
		}
	}
	return nil
}

func newObjectsList(a *app) *cobra.Command {
	r := remotes.Request{Do: remotes.Show}
	var format string
	cmd := &cobra.Command{
		Use: "ls", Short: "which objects the remotes have",
		Long:    `List the objects of the remotes, one a line.` + exitHelp("listed", "a remote cannot be listed"),
		Example: `  cairn objects ls --remote team --format json`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r.JSON = format == "json"
			return a.remote(cmd, r)
		},
	}
	cmd.Flags().StringVar(&r.Name, "remote", "", "the remote `NAME` alone")
	remoteFormat(cmd, &format)
	return cmd
}

// remote runs cairn-remote with a request.
func (a *app) remote(cmd *cobra.Command, r remotes.Request) error {
	r.Dir, r.Terminal = a.dir, isTerminal(a.stderr)
	argument, err := r.Argument()
	if err != nil {
		return err
	}
	return a.hand(cmd, remotes.Program, nil, argument)
}

// hand runs another program of cairn's, whose output and exit status become this program's.
func (a *app) hand(cmd *cobra.Command, name string, stdin io.Reader, args ...string) error {
	program, err := build.Companion(name)
	if err != nil {
		return err
	}
	run := exec.CommandContext(cmd.Context(), program, args...)
	run.Dir, run.Env, run.Stdin, run.Stdout, run.Stderr = a.dir, a.environ, stdin, a.stdout, a.stderr
	run.Cancel = func() error { return run.Process.Signal(os.Interrupt) }
	run.WaitDelay = 10 * time.Second
	err = run.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return status(exit.ExitCode())
	}
	return err
}

// pushObjects sends the objects that the record names to the remotes, if there are any.
func (a *app) pushObjects(cmd *cobra.Command) error {
	site, err := a.site(cmd.Context())
	if err != nil {
		return err
	}
	names, err := site.Home.LocalConfig(cmd.Context(), remotes.Names)
	site.Close()
	if err != nil || len(names) == 0 {
		return err
	}
	return a.remote(cmd, remotes.Request{Do: remotes.Push})
}

// fetch fetches missing objects from a remote, if there is one. It does not report
// objects that no remote has; opening them does.
func (a *app) fetch(cmd *cobra.Command, site *place.Site, oids ...string) error {
	var ids []string
	for _, oid := range oids {
		if id, err := objects.ParseID(oid); err == nil && !site.Objects.Has(id) {
			ids = append(ids, oid)
		}
	}
	if len(ids) == 0 || site.Home == nil || site.ReadOnly || a.visiting {
		return nil
	}
	names, err := site.Home.LocalConfig(cmd.Context(), remotes.Names)
	if err != nil || len(names) == 0 {
		return err
	}
	err = a.remote(cmd, remotes.Request{Do: remotes.Fetch, IDs: ids})
	if errors.Is(err, status(statusNotFound)) {
		return nil
	}
	return err
}

// fetchOutput fetches an output and the order of its streams.
func (a *app) fetchOutput(cmd *cobra.Command, site *place.Site, out *recall.Output) error {
	if out.ID.IsZero() || site.Objects.Has(out.ID) {
		return nil
	}
	ids := []string{out.ID.String()}
	if out.Record != nil && out.Record.Raw != nil && out.Record.Raw.OID == ids[0] {
		ids = append(ids, out.Record.Raw.Order)
	}
	return a.fetch(cmd, site, ids...)
}

// fetchTests fetches the list of a run's tests or, without a list, the output that names them.
func (a *app) fetchTests(cmd *cobra.Command, site *place.Site, rec *manifest.Record) error {
	switch {
	case rec.Outcomes != nil:
		return a.fetch(cmd, site, rec.Outcomes.OID)
	case rec.Raw != nil:
		return a.fetch(cmd, site, rec.Raw.OID)
	}
	return nil
}
