//go:build !race

package objects_test

const raced = false
