package graphcache

import (
	"hash/crc32"
	"os"
	"strconv"

	"github.com/turnproof/turnproof/internal/filelock"
)

// This file decides whether the library may use a folder. In it are
//
//	go-graphviz/VERSION/NAME  what the library keeps, some megabytes
//	sums/NAME                 the CRC of that, once the library has come up with it
//	lock                      shared by all processes in which the library comes up
//
// What has no right sum was damaged, or is what a process left that was killed. It is removed
// while no other process comes up. Where that cannot be, or there is no room, the library
// keeps nothing this time: it takes a second longer to come up.

// most is the room that is wanted; the library needs half of it.
const most = 16 << 20

// held is the lock; nil: the library keeps nothing.
var (
	held   *os.File
	folder string
)

// usable reports whether the library can come up with a folder; if so it is locked.
func usable(dir string) bool {
	_ = os.Mkdir(dir, 0o700) // mostly there; else the lock cannot be made
	if !room(dir) {
		return false
	}
	lock, err := os.OpenFile(dir+"/lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return false
	}
	held, folder = lock, dir
	ok := filelock.Lock(held, filelock.Shared) != filelock.Busy && sound()
	if !ok {
		_ = held.Close() // nothing was written
		held = nil
	}
	return ok
}

// sound removes what is not whole, and reports whether nothing such is left, and room where it
// is needed.
func sound() bool {
	kept := files()
	for _, f := range kept {
		if f.whole() {
			continue
		}
		if filelock.Lock(held, filelock.Exclusive) != filelock.Taken {
			return false
		}
		for _, f := range files() {
			if f.whole() {
				continue
			}
			_ = os.Remove(f.record()) // of what was there before
			if os.RemoveAll(f.path) != nil {
				return false
			}
		}
		return probe() && filelock.Lock(held, filelock.Shared) == filelock.Taken
	}
	return len(kept) > 0 || probe()
}

// file is one that the library keeps.
type file struct{ path, name string }

// files are all of them.
func files() (list []file) {
	kept := folder + "/go-graphviz"
	versions, _ := os.ReadDir(kept) // those that can be read
	for _, v := range versions {
		names, _ := os.ReadDir(kept + "/" + v.Name())
		for _, f := range names {
			list = append(list, file{kept + "/" + v.Name() + "/" + f.Name(), f.Name()})
		}
	}
	return list
}

// record is where the CRC of a file stands.
func (f file) record() string { return folder + "/sums/" + f.name }

// begun reports whether a process is writing it.
func (f file) begun() bool { return len(f.name) > 4 && f.name[len(f.name)-4:] == ".tmp" }

// sum is the CRC of a file, "" if it cannot be read.
func (f file) sum() string {
	text, err := os.ReadFile(f.path)
	if err != nil {
		return ""
	}
	return strconv.FormatUint(uint64(crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli))), 16)
}

// whole reports whether a file is as it was when the library came up with it.
func (f file) whole() bool {
	sum, err := os.ReadFile(f.record())
	return err == nil && len(sum) > 0 && string(sum) == f.sum()
}

// probe reports whether so much can be written.
func probe() bool {
	name := folder + "/room"
	defer func() { _ = os.Remove(name) }() // the next probe does it
	return os.WriteFile(name, make([]byte, most/2), 0o600) == nil
}

// leave notes what the library has come up with.
func leave() {
	if held == nil {
		return
	}
	_ = os.Mkdir(folder+"/sums", 0o700) // mostly there; else nothing is noted, and made again
	for _, f := range files() {
		if _, err := os.Stat(f.record()); err != nil && !f.begun() {
			_ = os.WriteFile(f.record(), []byte(f.sum()), 0o600)
		}
	}
	_ = held.Close() // nothing was written
	held = nil
}
