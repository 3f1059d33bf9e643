// Package graphcache moves the files that go-graphviz keeps out of the folder for
// temporary files, which all users of a machine share: there anybody could put in
// others, and whoever comes second cannot read those of the first. It also sees to it that
// the library finds there what it can read, and room: it panics otherwise, before main.
//
// That library opens its folder when its packages are initialised, so this must
// happen before: a package that imports nothing that needs unicode is initialised before
// any that does, by the order of import paths (Go specification, Program
// initialization). A test holds that.
package graphcache

import (
	"os"
	"syscall"
)

// variable is what os.TempDir reads; on Windows the library keeps to its own.
const variable = "TMPDIR"

// before is the variable as it was.
var before, given = syscall.Getenv(variable)

// nowhere is a folder in which nothing can be kept.
const nowhere = "/dev/null"

func init() {
	folder := nowhere
	if cache, ok := home(); ok {
		_ = os.Mkdir(cache, 0o700) // mostly there; where it cannot be made nothing is kept
		if usable(cache + "/turnproof") {
			folder = cache + "/turnproof"
		}
	}
	_ = syscall.Setenv(variable, folder)
}

// home is the user's folder for what can be made again.
func home() (string, bool) {
	if folder, ok := syscall.Getenv("XDG_CACHE_HOME"); ok && folder != "" && folder[0] == '/' {
		return folder, true
	}
	folder, ok := syscall.Getenv("HOME")
	return folder + "/.cache", ok && folder != "" && folder[0] == '/'
}

// Restore puts the variable back. It is to be called once the library is there.
func Restore() {
	if given {
		_ = syscall.Setenv(variable, before)
	} else {
		_ = syscall.Unsetenv(variable)
	}
	leave()
}
