package rust

import (
	"strings"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/tool"
	"cairn/result"
)

// TestCargoSaid: what cargo says before it does anything is one finding with the
// reason in its message, and an error where the command or a file of cargo's is wrong.
func TestCargoSaid(t *testing.T) {
	const shop = "(/src/shop)"
	for _, c := range []struct {
		name, shell, stderr, want string
		status                    result.Status
	}{
		{
			name: "a feature that is not there",
			stderr: "error: failed to select a version for `foo`.\n    ... required by package `shop v0.1.0 " + shop + "`\nversions that meet the requirements `*` are: 0.1.0\n\n" +
				"package `shop` depends on `foo` with feature `zip` but `foo` does not have that feature.\n\n\nfailed to select a version for `foo` which could resolve this conflict\n",
			want:   "nowhere: failed to select a version for `foo`: package `shop` depends on `foo` with feature `zip` but `foo` does not have that feature.",
			status: result.Failed,
		},
		{
			name: "two versions that conflict",
			stderr: "    Updating crates.io index\nerror: failed to select a version for `semver`.\n    ... required by package `foo v0.1.0 (/src/shop/foo)`\nversions that meet the requirements `=1.0.1` are: 1.0.1\n\n" +
				"all possible versions conflict with previously selected packages.\n\n  previously selected package `semver v1.0.2`\n    ... which satisfies dependency `semver = \"=1.0.2\"` of package `shop v0.1.0 " + shop + "`\n\n" +
				"failed to select a version for `semver` which could resolve this conflict\n",
			want:   "nowhere: failed to select a version for `semver`: conflicts with previously selected package `semver v1.0.2`",
			status: result.Failed,
		},
		{
			name: "two packages with one native library",
			stderr: "error: failed to select a version for `foo`.\n    ... required by package `shop v0.1.0 " + shop + "`\nversions that meet the requirements `*` are: 0.1.0\n\n" +
				"package `foo` links to the native library `z`, but it conflicts with a previous package which links to `z` as well:\npackage `bar v0.1.0 (/src/shop/bar)`\n    ... which satisfies path dependency `bar`\n\n" +
				"failed to select a version for `foo` which could resolve this conflict\n",
			want: "nowhere: failed to select a version for `foo`: package `foo` links to the native library `z`, but it conflicts with a previous package which links to `z` as well: " +
				"package `bar v0.1.0 (/src/shop/bar)`",
			status: result.Failed,
		},
		{
			name: "the place in a manifest, before 1.80",
			stderr: "warning: unused manifest key: package.x\nerror: failed to parse manifest at `/src/shop/Cargo.toml`\n\nCaused by:\n  could not parse input as TOML\n\n" +
				"Caused by:\n  TOML parse error at line 5, column 1\n    |\n  5 | name = \"b\"\n    | ^\n  duplicate key `name` in table `package`\n",
			want: "nowhere: unused manifest key: package.x\nCargo.toml:5:1: failed to parse manifest at `/src/shop/Cargo.toml`: could not parse input as TOML: TOML parse error at line 5, column 1: " +
				"duplicate key `name` in table `package`",
			status: result.Error,
		},
		{
			name:   "the place in a lock file",
			stderr: "error: failed to parse lock file at: /src/shop/Cargo.lock\n\nCaused by:\n  could not parse input as TOML\n\nCaused by:\n  expected an equals, found eof at line 1 column 8\n",
			want:   "Cargo.lock:1:8: failed to parse lock file at: /src/shop/Cargo.lock: could not parse input as TOML: expected an equals, found eof at line 1 column 8",
			status: result.Error,
		},
		{
			name:   "a manifest without a place in it",
			stderr: "error: failed to parse manifest at `/src/shop/Cargo.toml`\n\nCaused by:\n  unknown Cargo.toml feature `nope`\n\n  See https://example.com/x for more information.\n",
			want:   "Cargo.toml: failed to parse manifest at `/src/shop/Cargo.toml`: unknown Cargo.toml feature `nope`",
			status: result.Error,
		},
		{
			name:   "advice below a blank line",
			stderr: "error: package ID specification `shp` did not match any packages\n\nhelp: a package with a similar name exists: `shop`\n",
			want:   "nowhere: package ID specification `shp` did not match any packages {a package with a similar name exists: `shop`}",
			status: result.Error,
		},
		{
			name: "advice over several lines",
			stderr: "warning: patch `foo v0.1.0` was not used in the crate graph\nhelp: Check that the patched package version and available features are compatible\n      with the dependency requirements.\n" +
				"error: the `-Z` flag is only accepted on the nightly channel of Cargo, but this is the `stable` channel\nSee https://example.com/y\n",
			want: "nowhere: patch `foo v0.1.0` was not used in the crate graph {Check that the patched package version and available features are compatible with the dependency requirements.}\n" +
				"nowhere: the `-Z` flag is only accepted on the nightly channel of Cargo, but this is the `stable` channel",
			status: result.Error,
		},
		{
			name:   "a command that has no parser of its own",
			shell:  "cargo fetch --locked",
			stderr: "error: cannot update the lock file /src/shop/Cargo.lock because --locked was passed to prevent this\n",
			want:   "nowhere: cannot update the lock file /src/shop/Cargo.lock because --locked was passed to prevent this",
			status: result.Error,
		},
		{
			name:   "a command that cargo does not have",
			shell:  "cargo tset",
			stderr: "error: no such command: `tset`\n\nhelp: a command with a similar name exists: `test`\n\nhelp: view all installed commands with `cargo --list`\n",
			want:   "nowhere: no such command: `tset` {a command with a similar name exists: `test`; view all installed commands with `cargo --list`}",
			status: result.Error,
		},
		{
			name:  "cargo-hack says again that cargo failed",
			shell: "cargo hack check --each-feature",
			stderr: "info: running `cargo check` on hk (1/2)\n    Checking hk v0.1.0 (/src/shop)\nerror[E0308]: mismatched types\n --> src/lib.rs:2:21\n  |\n\nerror: could not compile `hk` (lib) due to 1 previous error\n" +
				"error: process didn't exit successfully: `/home/dev/.rustup/toolchains/stable/bin/cargo check --manifest-path Cargo.toml` (exit status: 101)\n\nerror: failed to run 1 commands\n\nfailed commands:\n    hk:\n        `cargo check`\n",
			want:   "src/lib.rs:2:21: mismatched types",
			status: result.Failed,
		},
		{
			name:   "a build script logged errors",
			shell:  "cargo build",
			stderr: "   Compiling d v0.1.0 (/src/shop/d)\nwarning: d@0.1.0: disk is slow\nerror: d@0.1.0: no libfoo\nerror: build script logged errors\n",
			want:   "nowhere: d@0.1.0: disk is slow\nnowhere: d@0.1.0: no libfoo",
			status: result.Failed,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.shell == "" {
				c.shell = "cargo test"
			}
			in := tool.Input{Shell: c.shell, Source: tool.Separate(nil, []byte(c.stderr)), Workspace: result.Workspace{Root: "/src/shop", Dir: "/src/shop"}}
			r := casetest.ParseKnown(in, result.Exit{Observed: true, Code: 101})
			var got []string
			for _, f := range r.Findings {
				said := placeText(f.At) + ": " + f.Message
				if len(f.Suggestions) > 0 {
					said += " {" + strings.Join(f.Suggestions, "; ") + "}"
				}
				got = append(got, said)
			}
			if strings.Join(got, "\n") != c.want || r.Status != c.status {
				t.Errorf("%s\n%s\nwant %s\n%s", r.Status, strings.Join(got, "\n"), c.status, c.want)
			}
		})
	}
}

func placeText(at *result.Location) string {
	if at == nil {
		return "nowhere"
	}
	return at.String()
}
