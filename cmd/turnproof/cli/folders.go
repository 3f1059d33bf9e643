package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// This file checks the folders that commands write.

// NewFolder returns an error if the folder that a flag names exists and is not empty. Old files in it could be mistaken for new ones.
func NewFolder(c *urfave.Context, flag string) error {
	dir := c.String(flag)
	if dir == "" {
		return nil
	}
	list, err := os.ReadDir(dir)
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		return fmt.Errorf("--%s: %w", flag, err)
	case len(list) > 0:
		return fmt.Errorf("--%s %s is not empty: want the name of a new folder", flag, dir)
	}
	return nil
}

// Outside returns an error if the folder that a flag names is the folder that the command reads, or in it: its files would be read the next time.
func Outside(c *urfave.Context, flag, input string) error {
	dir := c.String(flag)
	if info, err := os.Stat(input); dir == "" || err != nil || !info.IsDir() {
		return nil
	}
	to, err := filepath.Rel(realPath(input), realPath(dir))
	if err == nil && to != ".." && !strings.HasPrefix(to, ".."+string(filepath.Separator)) {
		return fmt.Errorf("--%s %s is in the folder that is read, %s: want a folder outside of it", flag, dir, input)
	}
	return nil
}

// realPath returns the absolute path of a folder that need not exist, with the symbolic links of the part that exists resolved.
func realPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	rest := ""
	for dir := abs; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		if dir == filepath.Dir(dir) {
			return abs
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}
