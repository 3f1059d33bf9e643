//go:build !unix

package stage

import "os"

// Memory is the most that was resident of a process that has ended; not known here.
func Memory(*os.ProcessState) int64 { return 0 }

// OwnMemory is the same of this process; not known here.
func OwnMemory() int64 { return 0 }
