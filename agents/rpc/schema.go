package rpc

import _ "embed"

// Schema is the JSON Schema of the protocol.
//
//go:embed schema.json
var Schema []byte
