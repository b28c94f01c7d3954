// Command bare is what bench/run holds cairn's start against: a program with
// one cobra command and nothing else. What cairn costs beyond it is cairn's.
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
