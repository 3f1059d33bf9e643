package graphcache

import (
	"hash/crc32"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/filelock"
)

// sound removes damaged files. It reports whether no damaged file is left, and whether there is
// room for a missing file.
func (c *Cache) sound() bool {
	kept := c.files()
	for _, f := range kept {
		if !c.whole(f) {
			return c.mend() && c.probe() && filelock.Lock(c.lock, filelock.Shared) == filelock.Taken
		}
	}
	return len(kept) > 0 || c.probe()
}

// mend locks the folder exclusively and removes damaged files.
func (c *Cache) mend() bool {
	if filelock.Lock(c.lock, filelock.Exclusive) != filelock.Taken {
		return false
	}
	for _, f := range c.files() {
		if c.whole(f) {
			continue
		}
		_ = os.Remove(c.record(f)) // remove the CRC of an earlier file
		if os.RemoveAll(f) != nil {
			return false
		}
	}
	return true
}

// files returns the paths of the files that go-graphviz keeps.
func (c *Cache) files() []string {
	list, _ := filepath.Glob(filepath.Join(escape(c.dir), "go-graphviz", "*", "*")) // unreadable folders are skipped
	return list
}

// escape returns a pattern with which Glob matches dir literally.
func escape(dir string) string {
	if filepath.Separator == '\\' { // on Windows Glob has no escapes
		return dir
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

// record returns the path of the file with the CRC of a kept file.
func (c *Cache) record(file string) string { return filepath.Join(c.dir, "sums", filepath.Base(file)) }

// sum returns the CRC of a file, or "" if it cannot be read.
func sum(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	return strconv.FormatUint(uint64(crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli))), 16)
}

// whole reports whether a file has its recorded CRC.
func (c *Cache) whole(file string) bool {
	recorded, err := os.ReadFile(c.record(file))
	return err == nil && len(recorded) > 0 && string(recorded) == sum(file)
}

// probe reports whether a large file can be written.
func (c *Cache) probe() bool {
	name := filepath.Join(c.dir, "room")
	defer func() { _ = os.Remove(name) }() // if it stays, the next probe overwrites it
	return os.WriteFile(name, make([]byte, most/2), 0o600) == nil
}

// Keep records the CRC of every new complete file. Call it when go-graphviz has started.
func (c *Cache) Keep() {
	if c.lock == nil {
		return
	}
	_ = os.Mkdir(filepath.Join(c.dir, "sums"), 0o700) // usually exists; if it cannot be created, the CRC is not recorded and the file will be removed
	for _, f := range c.files() {
		if _, err := os.Stat(c.record(f)); err != nil && !strings.HasSuffix(f, ".tmp") {
			_ = os.WriteFile(c.record(f), []byte(sum(f)), 0o600)
		}
	}
}
