package result

import (
	_ "embed"
	"slices"
)

//go:embed schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of a sealed ToolResult. It allows fields
// that it does not name, since a later version may add some, and forbids
// contradictions: success without an exit code of 0, and findings where no parser
// recognised the output.
func Schema() []byte { return slices.Clone(schema) }
