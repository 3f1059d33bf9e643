// Package graphcache moves the files that go-graphviz keeps out of the folder for
// temporary files, which all users of a machine share: there anybody could put in
// others, and whoever comes second cannot read those of the first.
//
// That library opens its folder when its packages are initialised, so this must
// happen before: a package that imports no more than syscall is initialised before
// any that needs unicode, by the order of import paths (Go specification, Program
// initialization). A test holds that.
package graphcache

import "syscall"

// variable is what os.TempDir reads; on Windows the library keeps to its own.
const variable = "TMPDIR"

// before is the variable as it was.
var before, given = syscall.Getenv(variable)

func init() {
	folder, ok := home()
	if !ok {
		folder = "/dev/null" // nothing can be kept there
	}
	_ = syscall.Mkdir(folder, 0o700) // mostly there; where it cannot be made nothing is kept
	_ = syscall.Mkdir(folder+"/turnproof", 0o700)
	_ = syscall.Setenv(variable, folder+"/turnproof")
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
}
