//go:build !unix

package journal

import "os"

// lock cannot tell here whether another process has the file.
func lock(*os.File) bool { return true }
