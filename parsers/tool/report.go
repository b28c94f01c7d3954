package tool

import "cairn/result"

func WithExtra(extra map[string]any, key string, value any) map[string]any {
	if extra == nil {
		extra = map[string]any{}
	}
	extra[key] = value
	return extra
}

func SetExtra(f *result.Finding, key string, value any) {
	if f.Extra == nil {
		f.Extra = map[string]any{}
	}
	f.Extra[key] = value
}
