//go:build unix

package hostile

// guarded keeps a command line that eats memory from taking the machine with it: what it may
// address is bounded, generously, since Go and libraries reserve more than they use. What it
// takes up is judged afterwards. Who takes three times the time that is allowed is ended.
func guarded(line []string) []string {
	return append([]string{"sh", "-c", `ulimit -v 8388608 2>/dev/null; ulimit -t 60 2>/dev/null; exec "$@"`, "sh"}, line...)
}
