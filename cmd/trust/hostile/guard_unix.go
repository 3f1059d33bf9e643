//go:build unix

package hostile

import (
	"os"
	"runtime"
	"syscall"
)

// guarded keeps a command line that eats memory from taking the machine with it: what it may
// address is bounded, generously, since Go and libraries reserve more than they use. What it
// takes up is judged afterwards.
func guarded(line []string) []string {
	return append([]string{"sh", "-c", `ulimit -v 8388608 2>/dev/null; exec "$@"`, "sh"}, line...)
}

// memory is the most that was resident, in bytes.
func memory(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
