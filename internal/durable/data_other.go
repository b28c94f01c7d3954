//go:build !linux

package durable

import "os"

// syncData makes the content and the size of f durable.
func syncData(f *os.File) error { return f.Sync() }
