// Package gitrepo is everything cairn asks of git.
package gitrepo
