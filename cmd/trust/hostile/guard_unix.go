//go:build unix

package hostile

import (
	"os"
	"runtime/debug"
)

// guarded limits the address space and the processor time of a command line, so that a defect
// cannot stop the machine. The limits are generous, since Go reserves more memory than it uses; the
// judge compares the memory and time in use with the real limits.
func guarded(line []string) []string {
	return append([]string{"sh", "-c", `ulimit -v 8388608 2>/dev/null; ulimit -t 60 2>/dev/null; exec "$@"`, "sh"}, line...)
}

// forgetPeak resets the peak of the memory of this process, where the system can do it (Linux 4.0). A process that is started
// begins with the peak of the one that starts it, and the judge would take this for its own.
func forgetPeak() {
	debug.FreeOSMemory()
	if f, err := os.OpenFile("/proc/self/clear_refs", os.O_WRONLY, 0); err == nil {
		_, _ = f.WriteString("5")
		_ = f.Close()
	}
}
