//go:build unix && !solaris && !aix

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Lock locks a file for this process until the file is closed.
func Lock(file *os.File, m Mode) State {
	how := syscall.LOCK_EX
	if m == Shared {
		how = syscall.LOCK_SH
	}
	for {
		switch err := syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB); {
		case err == nil:
			return Taken
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return Busy
		default: // a file system without locks
			return Unknown
		}
	}
}
