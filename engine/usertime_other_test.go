//go:build !unix

package engine

import "time"

var began = time.Now()

// userSeconds returns the elapsed time of this process, since this operating system does not
// report processor time.
func userSeconds() float64 { return time.Since(began).Seconds() }
