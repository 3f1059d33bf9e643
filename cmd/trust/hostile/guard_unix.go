//go:build unix

package hostile

// guarded limits the address space and the processor time of a command line, so that a defect
// cannot stop the machine. The limits are generous, since Go reserves more memory than it uses; the
// judge compares the memory and time in use with the real limits.
func guarded(line []string) []string {
	return append([]string{"sh", "-c", `ulimit -v 8388608 2>/dev/null; ulimit -t 60 2>/dev/null; exec "$@"`, "sh"}, line...)
}
