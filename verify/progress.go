package verify

import "sync/atomic"

// step begins a long step with a number of parts. It returns a function that counts a part as done.
func (r *Report) step(name string, total int) func() {
	if r.progress == nil {
		return func() {}
	}
	var done atomic.Int64
	return func() { r.progress(name, int(done.Add(1)), total) }
}
