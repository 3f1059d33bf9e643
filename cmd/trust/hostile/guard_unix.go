//go:build unix

package hostile

import (
	"os"
	"runtime"
	"syscall"
)

// guarded keeps a command line that eats memory from taking the machine with it: what it may
// address is bounded, generously, since Go and libraries reserve more than they use. What it
// takes up is judged afterwards. Who takes three times the time that is allowed is ended.
func guarded(line []string) []string {
	return append([]string{"sh", "-c", `ulimit -v 8388608 2>/dev/null; ulimit -t 60 2>/dev/null; exec "$@"`, "sh"}, line...)
}

// own is the most that was resident of this process. A process that it starts is told to have
// had as much, since it is this one until it is the other.
func own() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return resident(&u)
}

// memory is the most that was resident, in bytes.
func memory(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return resident(u)
}

func resident(u *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
