// Package cart is a small project whose tests fail, to show what cairn answers. It
// is a module of its own, so that the tests of cairn do not run it; its two mistakes
// stay as they are.
package cart

import "fmt"

// Total is the price of all items in cents, with ten percent off from 100 euros on.
func Total(cents ...int) int {
	sum := 0
	for _, c := range cents {
		sum += c
	}
	if sum > 10_000 { // the first mistake: exactly 100 euros get nothing off
		sum -= sum / 10
	}
	return sum
}

// Label says how many items are in the cart. The second mistake: "1 items".
func Label(items int) string { return fmt.Sprintf("%d items", items) }
