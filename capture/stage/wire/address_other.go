//go:build !linux

package wire

const addressPrefix = "/tmp/."
