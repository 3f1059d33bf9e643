//go:build unix

package stage

import (
	"os"
	"runtime"
	"syscall"
)

// Memory is the most that was resident of a process that has ended, in bytes; 0: not known.
func Memory(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return resident(u)
}

// OwnMemory is the same of this process so far. A process that it starts is told to have had as
// much, since it is this one until it is the other.
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
