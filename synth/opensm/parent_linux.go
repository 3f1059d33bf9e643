package opensm

import (
	"os/exec"
	"syscall"
)

// endWithParent lets the kernel end a program if this process is killed. Signals of the terminal do not reach the program: after Ctrl-C this
// process ends it, and knows why.
func endWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
