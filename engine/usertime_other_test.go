//go:build !unix

package engine

import "time"

var began = time.Now()

// userSeconds is the time of this process, since that of the processor is not told here.
func userSeconds() float64 { return time.Since(began).Seconds() }
