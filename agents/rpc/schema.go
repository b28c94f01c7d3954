package rpc

import (
	"bytes"
	_ "embed"
	"strings"

	"cairn/agents"
)

//go:embed schema.json
var schema []byte

// Schema is the JSON Schema of the protocol. The parameters of "recall" come from agents.QuestionProperties.
func Schema() []byte {
	const mark = `"op": {"$comment": "agents.Question"}`
	return bytes.Replace(schema, []byte(mark), []byte(strings.Join(agents.QuestionProperties(), ",\n        ")), 1)
}
