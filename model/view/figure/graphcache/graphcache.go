// Package graphcache gives turnproof-layout a private folder for what go-graphviz keeps.
//
// By default go-graphviz keeps its files in the folder for temporary files, which all users
// of a machine share: other users could put files there, or could not read them.
// The folder is turnproof in the user's cache folder. In it are
//
//	go-graphviz/VERSION/NAME  what go-graphviz keeps, some megabytes
//	sums/NAME                 the CRC of that file, once go-graphviz has read it
//	lock                      shared by all processes in which go-graphviz starts
//
// A file without a correct sum is damaged, or comes from a process that was killed. Open
// removes such files while no other process starts. If this fails, or there is no room,
// go-graphviz keeps nothing and takes 0.7 s longer to start.
//
// Read first: graphcache.go, then files.go.
package graphcache

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/turnproof/turnproof/internal/filelock"
)

// most is the required free space in bytes; go-graphviz needs half of it.
const most = 16 << 20

// Cache is a folder in which go-graphviz may keep its files. It is locked until Close.
type Cache struct {
	dir  string
	lock *os.File // nil if no files can be kept
}

// Open locks the user's folder and removes damaged files from it. It always returns a Cache. If
// the folder cannot be used, the cache keeps no files.
func Open() *Cache {
	c := &Cache{}
	if home, ok := home(); ok {
		_ = os.Mkdir(home, 0o700) // usually exists; if it cannot be created, locking fails
		c.dir = filepath.Join(home, "turnproof")
		c.use()
	}
	return c
}

// home returns the user's folder for caches.
func home() (string, bool) {
	if dir := os.Getenv("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return dir, true
	}
	dir := os.Getenv("HOME")
	return filepath.Join(dir, ".cache"), filepath.IsAbs(dir)
}

// Environment returns the variables that make go-graphviz use the folder, or no folder.
// On Windows the folder for temporary files is private already.
func (c *Cache) Environment() []string {
	switch {
	case c.lock != nil && runtime.GOOS == "windows":
		return []string{"TMP=" + c.dir}
	case c.lock != nil:
		return []string{"TMPDIR=" + c.dir}
	case runtime.GOOS == "windows":
		return nil
	}
	return []string{"TMPDIR=" + os.DevNull}
}

// use locks the folder, and unlocks it if go-graphviz cannot use it.
func (c *Cache) use() {
	_ = os.Mkdir(c.dir, 0o700) // usually exists; if it cannot be created, locking fails
	if !room(c.dir) {
		return
	}
	lock, err := os.OpenFile(filepath.Join(c.dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	c.lock = lock
	if filelock.Lock(lock, filelock.Shared) == filelock.Busy || !c.sound() {
		c.Close()
	}
}

// Close releases the lock.
func (c *Cache) Close() {
	if c.lock != nil {
		_ = c.lock.Close() // no data can be lost
		c.lock = nil
	}
}
