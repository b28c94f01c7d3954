// Command cairn-stage does nothing on Windows: it needs a Bourne shell.
package main

import "os"

func main() { os.Exit(2) }
