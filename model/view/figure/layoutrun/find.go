package layoutrun

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Program is the name of the program that runs Graphviz.
const Program = "turnproof-layout"

// ErrMissing is returned, wrapped, if the program is not found.
var ErrMissing = errors.New(Program + " is neither beside this program nor on the PATH")

// find returns the path of the program. The folder of the running executable comes before
// the PATH, so that both programs are of one version.
func find() (string, error) {
	if self, err := os.Executable(); err == nil {
		if path, err := exec.LookPath(beside(self)); err == nil {
			return path, nil
		}
		if real, err := filepath.EvalSymlinks(self); err == nil {
			if path, err := exec.LookPath(beside(real)); err == nil {
				return path, nil
			}
		}
	}
	path, err := exec.LookPath(Program)
	if err != nil {
		return "", fmt.Errorf("%w; install it: go install github.com/turnproof/turnproof/cmd/%s@latest", ErrMissing, Program)
	}
	return path, nil
}

// beside returns the path that the program has if it is in the folder of executable.
func beside(executable string) string {
	name := Program
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(filepath.Dir(executable), name)
}
