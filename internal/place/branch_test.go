package place

import "testing"

// TestBranchOfCI: the branch of a change for review goes before the one that the host made of it; a tag is no branch.
func TestBranchOfCI(t *testing.T) {
	for want, environ := range map[string][]string{
		"":        {"HOME=/h", "GITHUB_REF_TYPE=tag", "GITHUB_REF_NAME=v1"},
		"main":    {"GITHUB_REF_TYPE=branch", "GITHUB_REF_NAME=main", "GITHUB_HEAD_REF="},
		"topic":   {"GITHUB_REF_NAME=7/merge", "GITHUB_HEAD_REF=topic"},
		"feature": {"CI_COMMIT_BRANCH=", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME=feature"},
	} {
		if got := FromEnviron(environ).Branch; got != want {
			t.Errorf("%v: %q, want %q", environ, got, want)
		}
	}
}
