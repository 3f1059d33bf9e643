//go:build unix && !solaris && !aix

package journal

import (
	"errors"
	"os"
	"syscall"
)

// lock takes a file for this process, until it ends or closes it.
func lock(file *os.File, m mode) state {
	how := syscall.LOCK_EX
	if m == shared {
		how = syscall.LOCK_SH
	}
	for {
		switch err := syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB); {
		case err == nil:
			return taken
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return busy
		default: // a file system without locks
			return unknown
		}
	}
}
