package redact

import (
	b64 "encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
)

// known are values that are secrets because of their variables' names.
var known atomic.Pointer[[]string]

// minKnown is the length in bytes below which a variable's value does not count as a secret: "1" and "none" occur in
// any text.
const minKnown = 8

// keyNames are the ends of the names of variables with keys, among them those of model providers, which agents leave in
// the environment of every command.
var keyNames = []string{"_API_KEY", "_APIKEY", "_TOKEN", "_SECRET", "_SECRET_KEY", "_ACCESS_KEY", "_PASSWORD", "_BEARER_TOKEN_BEDROCK"}

// Know makes the values of such variables secrets from now on, in this process: as they are, in base64, in hex and as
// part of a URL. Rules find keys by their form; a value that looks like words is found only by this.
func Know(environ []string) {
	var values []string
	for _, kv := range environ {
		name, value, ok := strings.Cut(kv, "=")
		if !ok || len(value) < minKnown || !slices.ContainsFunc(keyNames, func(end string) bool { return strings.HasSuffix(strings.ToUpper(name), end) }) {
			continue
		}
		for _, form := range []string{value, b64.StdEncoding.EncodeToString([]byte(value)), b64.URLEncoding.EncodeToString([]byte(value)),
			hex.EncodeToString([]byte(value)), url.QueryEscape(value)} {
			if !slices.Contains(values, form) {
				values = append(values, form)
			}
		}
	}
	// A longer value may contain a shorter one.
	slices.SortStableFunc(values, func(a, b string) int { return len(b) - len(a) })
	known.Store(&values)
}

// withoutKnown replaces the values of known in s.
func (r *Redactor) withoutKnown(s string) string {
	values := known.Load()
	if values == nil {
		return s
	}
	for _, v := range *values {
		if n := strings.Count(s, v); n > 0 {
			for range n - 1 {
				r.placeholder("environment") // each occurrence counts
			}
			s = strings.ReplaceAll(s, v, r.placeholder("environment"))
		}
	}
	return s
}
