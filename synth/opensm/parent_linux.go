package opensm

import (
	"os/exec"
	"syscall"
)

// endWithParent lets the kernel end a program if this process is killed.
func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
