//go:build unix

package stage

import (
	"os"
	"runtime"
	"syscall"
)

// Memory returns the largest resident set of a process that has ended, in bytes; 0 if it is not known.
func Memory(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return resident(u)
}

// OwnMemory returns the largest resident set of this process. The system reports at least as much for
// each process that it starts, since a new process begins as a copy.
func OwnMemory() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return resident(&u)
}

func resident(u *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
