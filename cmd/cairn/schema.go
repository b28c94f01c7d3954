package main

import (
	"github.com/spf13/cobra"

	"cairn/result"
)

func newSchema(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "the JSON Schema of a ToolResult",
		Long: `Print the JSON Schema (draft 2020-12) that every result in JSON satisfies.

Exit status:
  0  always`,
		Example: `  cairn schema | jq '.properties.status'`,
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := a.out.Write(result.Schema())
			return err
		},
	}
}
