package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// SetExtra sets a value of an Extra, and makes the map if it is nil.
func SetExtra(extra *map[string]any, key string, value any) {
	if *extra == nil {
		*extra = map[string]any{}
	}
	(*extra)[key] = value
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// plainExtra converts the values of an Extra to the few types that decoding JSON
// returns, so that a result and its decoded JSON are equal: nil, bool, string, int64,
// []any and map[string]any. A number that is not an integer becomes a string, because a
// floating-point number has several spellings.
func plainExtra(extra map[string]any) map[string]any {
	if extra == nil {
		return nil
	}
	return plainValue(extra).(map[string]any)
}

func plainValue(v any) any {
	switch v := v.(type) {
	case nil, bool, string, int64:
		return v
	case int:
		return int64(v)
	case float64:
		return plainFloat(v)
	case json.Number:
		return plainNumber(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plainValue(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key := range v {
			out[key] = plainValue(v[key])
		}
		return out
	}
	return plainOther(v)
}

func plainFloat(f float64) any {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return int64(f)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func plainNumber(n json.Number) any {
	if i, err := strconv.ParseInt(string(n), 10, 64); err == nil {
		return i
	}
	if f, err := n.Float64(); err == nil && strings.ContainsAny(string(n), ".eE") {
		return plainFloat(f)
	}
	return string(n) // an integer beyond 64 bits keeps its digits
}

// plainOther converts a value of any other type through its JSON. A value without JSON
// (a channel, NaN inside a struct) becomes the text that Go prints.
func plainOther(v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	var out any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&out); err != nil {
		return string(data)
	}
	return plainValue(out)
}
