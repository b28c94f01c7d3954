package shell

import (
	"testing"
)

func TestIsRecall(t *testing.T) {
	for _, test := range []struct {
		argv  []string
		shell string
		want  bool
	}{
		{argv: []string{"cairn", "recall", "objects"}, want: true},
		{argv: []string{"/usr/bin/cairn", "manifest", "log"}, want: true},
		{argv: []string{"env", "A=b", "cairn", "recall", "diff"}, want: true},
		{argv: []string{"cairn", "capture", "run", "--", "make"}, want: false},
		{argv: []string{"cairn"}, want: false},
		{argv: []string{"grep", "cairn", "recall"}, want: false},
		{shell: "cairn recall objects", want: true},
		{shell: "cairn recall object 01M7 2>&1 | grep -n 'FAILED|x' | head -20", want: true},
		{shell: "cd sub && cairn recall objects --format json | jq .", want: true},
		{argv: []string{"bash", "-c", "cairn recall objects | wc -l"}, want: true},
		{shell: "cairn recall object 01M7 | xargs rm", want: false},
		{shell: "cairn recall object 01M7 | sh", want: false},
		{shell: "cairn recall objects; pytest", want: false},
		{shell: "pytest | cairn recall objects", want: false},
		{shell: "cairn recall object $ID | cat", want: false}, // not known what it says: kept
		{shell: "cairn recall objects |", want: false},
		{shell: "| cairn recall objects", want: false},
		{shell: "", want: false},
	} {
		if got := IsRecall(test.argv, test.shell); got != test.want {
			t.Errorf("IsRecall(%q, %q) = %v", test.argv, test.shell, got)
		}
	}
}
