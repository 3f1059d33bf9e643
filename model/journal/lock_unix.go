//go:build unix

package journal

import (
	"os"
	"syscall"
)

// lock takes a file for this process, until it ends or closes it; false if another
// has it.
func lock(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != syscall.EWOULDBLOCK
}
