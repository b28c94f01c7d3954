package host

import "os/exec"

// asGroup leaves the command as it is: there are no groups here.
func asGroup(*exec.Cmd) {}
