//go:build !unix

package stage

import "os"

// Memory returns 0: the largest resident set of a process is not known here.
func Memory(*os.ProcessState) int64 { return 0 }

// OwnMemory returns 0: it is not known here.
func OwnMemory() int64 { return 0 }
