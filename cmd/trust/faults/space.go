//go:build unix

package faults

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// This file mounts small file systems that nobody else sees, and which end with us.

// space is a file system in memory, mounted in a namespace of its own.
type space struct {
	t      *trial
	dir    string // where it is for those within
	holder *exec.Cmd
	hold   interface{ Close() error }
}

// errNoSpace says that none can be mounted here.
var errNoSpace = errors.New("no file system can be mounted here")

// newSpace mounts a file system with options of tmpfs.
func (t *trial) newSpace(options string) (*space, error) {
	dir, err := t.folder("space")
	if err != nil {
		return nil, err
	}
	s := &space{t: t, dir: dir}
	s.holder = exec.CommandContext(t.ctx, "unshare", "--user", "--map-root-user", "--mount", "sh", "-c", `mount -t tmpfs -o "$1" tmpfs "$2" && echo ready && exec cat`, "sh", options, dir)
	hold, err := s.holder.StdinPipe()
	if err != nil {
		return nil, err
	}
	s.hold = hold
	out, err := s.holder.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.holder.Start(); err != nil {
		return nil, errNoSpace
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		_ = s.close()
		return nil, errNoSpace
	}
	return s, nil
}

// close ends the namespace, and with it the file system.
func (s *space) close() error {
	_ = s.hold.Close() // it may have ended
	return s.holder.Wait()
}

// within is a command line that runs another one there.
func (s *space) within(line ...string) []string {
	return append([]string{"nsenter", "--user", "--mount", "--preserve-credentials", "--wdns=" + s.dir, fmt.Sprintf("--target=%d", s.holder.Process.Pid)}, line...)
}

// path is where one of its files is for us.
func (s *space) path(name string) string {
	return fmt.Sprintf("/proc/%d/root%s", s.holder.Process.Pid, filepath.Join(s.dir, name))
}

// run runs turnproof there.
func (s *space) run(strike func(int, <-chan struct{}) bool, args ...string) *result {
	return s.t.command("", strike, s.within(append([]string{s.t.bin}, args...)...)...)
}

// remount changes an option.
func (s *space) remount(option string) error {
	line := s.within("mount", "-o", "remount,"+option, s.dir)
	if text, err := exec.CommandContext(s.t.ctx, line[0], line[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("remount,%s: %w, %s", option, err, strings.TrimSpace(string(text)))
	}
	return nil
}

// fill leaves so many pages of 4096 bytes free.
func (s *space) fill(free int) error {
	name := s.path("fill")
	if err := os.RemoveAll(name); err != nil {
		return err
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	size := int64(0)
	for page := make([]byte, 4096); ; size += int64(len(page)) {
		if _, err := file.Write(page); err != nil {
			break // it is full
		}
	}
	return errors.Join(file.Truncate(max(0, size-int64(free)*4096)), file.Close())
}

// free takes that away again.
func (s *space) free() error { return os.RemoveAll(s.path("fill")) }
