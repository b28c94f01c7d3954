//go:build unix && !linux

package main

import "syscall"

func dup2(from, to int) { syscall.Dup2(from, to) }

func bound() *syscall.SysProcAttr { return nil }

// toDefault says whether a signal has its default action. The runtime of this program handles those that mean a crash.
func toDefault(s syscall.Signal) bool {
	switch s {
	case syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGTRAP, syscall.SIGABRT, syscall.SIGSYS, syscall.SIGQUIT:
		return false
	}
	return true
}

// restoreIgnored does nothing: this system does not show which signals a shell ignores.
func restoreIgnored() {}
