// Package nobodytest is for tests of what a user may not do: it runs one of them as an
// ordinary user, since root may read and write anywhere. Nothing else goes in.
package nobodytest
