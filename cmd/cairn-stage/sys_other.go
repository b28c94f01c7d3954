//go:build unix && !linux

package main

import "syscall"

func dup2(from, to int) { syscall.Dup2(from, to) }

func bound() *syscall.SysProcAttr { return nil }

// restoreIgnored: this system does not say which signals a shell ignores.
func restoreIgnored() {}
