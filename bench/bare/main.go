// Command bare is the program with which bench/run compares cairn's start: one cobra command and nothing else. The
// difference is cairn's own cost.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

func main() {
	root := &cobra.Command{Use: "bare", Version: "dev"}
	if err := root.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
