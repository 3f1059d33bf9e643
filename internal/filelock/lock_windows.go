package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Lock locks a file for this process until the file is closed. Windows denies access to locked
// bytes. Therefore Lock locks one byte far behind the end, so that other processes can read the
// file.
func Lock(file *os.File, m Mode) State {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if m == Exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	behind := &windows.Overlapped{OffsetHigh: 1 << 30}
	switch err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, behind); {
	case err == nil:
		return Taken
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return Busy
	default: // a file system without locks
		return Unknown
	}
}
