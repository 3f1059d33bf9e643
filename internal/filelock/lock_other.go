//go:build !windows && (!unix || solaris || aix)

package filelock

import "os"

// Lock returns Unknown, because this system has no file locks.
func Lock(*os.File, Mode) State { return Unknown }
