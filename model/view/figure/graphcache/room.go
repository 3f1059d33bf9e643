//go:build linux || darwin

package graphcache

import "syscall"

// room reports whether the file system of a folder, and the limit on file sizes, leave room
// for most bytes.
func room(dir string) bool {
	var fs syscall.Statfs_t
	if syscall.Statfs(dir, &fs) != nil || fs.Bavail*uint64(fs.Bsize) < most {
		return false
	}
	if fs.Files > 0 && fs.Ffree < 8 { // Files is 0 in file systems that do not count files
		return false
	}
	var limit syscall.Rlimit
	return syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit) == nil && limit.Cur >= most
}
