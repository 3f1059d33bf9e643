package paper

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// WithFile calls use with the name of a copy of an embedded file, for functions that read files by name.
func WithFile(files fs.FS, name string, use func(file string) error) error {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "turnproof")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // only a copy
	file := filepath.Join(dir, path.Base(name))
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	return use(file)
}
