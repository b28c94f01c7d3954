// Package nobodytest runs a test as an ordinary user, for tests of what a user may not
// do, since root may read and write anywhere. No other code goes in.
package nobodytest
