package parsers

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/result"
)

// TestUnseenTests: runners that could not be run here name their tests as their manuals show.
func TestUnseenTests(t *testing.T) {
	for _, c := range []struct {
		line, file string
		code       int
		want       []string
	}{
		{"dotnet test --logger console;verbosity=normal", "dotnet-test-verbose.txt", 1, []string{
			"failed Ledger.CartTests.Adds", "passed Ledger.CartTests.Fast", "skipped Ledger.CartTests.Later", `passed Ledger.CartTests.Rounds(value: 1, text: "a [b]")`}},
		{"npx cypress run", "cypress-run.txt", 1, []string{
			"passed cart adds", "skipped login page is skipped", "passed login page loads", "failed login page logs in", "passed login page with a user shows the name"}},
		{"vendor/bin/pest", "pest.txt", 1, []string{
			`passed Tests\Unit\CartTest::` + "`totals` → it rounds with (1.5, 2)", `skipped Tests\Unit\CartTest::` + "`totals` → it ships", `failed Tests\Unit\CartTest::it adds`,
			`skipped Tests\Unit\CartTest::it writes`, `passed Tests\Unit\ExampleTest::that true is true`}},
	} {
		t.Run(c.file, func(t *testing.T) {
			stdout, err := os.ReadFile(filepath.Join("testdata", "unseen", c.file))
			if err != nil {
				t.Fatal(err)
			}
			list, said := testsOf(Input{Argv: strings.Fields(c.line), Source: Separate(stdout, nil), Workspace: result.Workspace{Root: "/src"}}, c.code)
			var got []string
			for _, one := range list {
				got = append(got, string(one.Outcome)+" "+one.ID)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			if said == nil || said.Complete || len(said.Unnamed) > 0 {
				t.Errorf("a form that was not seen is called complete, or tests are left out: %+v", said)
			}
		})
	}
}
