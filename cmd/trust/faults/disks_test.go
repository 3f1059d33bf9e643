//go:build unix

package faults

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// This file fills disks, and limits the size of files.

// refuses runs a command under a fault, which it must survive or report in a line with one of the
// words, and then without the fault. strike may be nil.
func (x *trial) refuses(v victim, p *place, begin, end func(), strike striker, words ...string) bool {
	v.ready(x, p)
	begin()
	r := x.run(p, strike, v.line(x)...)
	end()
	if r.code != 0 {
		x.ask("under the fault", r.refused(words...))
	}
	v.judge(x, p, false)
	v.finish(x, p)
	return r.code != 0
}

// fullDisks gives commands a disk that is full, has no inodes left, or becomes read-only.
func (x *trial) fullDisks() {
	s := x.newSpace("size=4m,nr_inodes=200")
	for _, v := range x.victims() {
		x.try("full disk", v.name(), 0.1, func(x *trial) bool {
			s.empty(x)
			return x.refuses(v, s.place, func() { s.fill(x, x.random.IntN(pages(v))) }, func() { s.free(x) }, nil, "no space left on device")
		})
		x.try("no inodes left", v.name(), 0.03, func(x *trial) bool {
			s.empty(x)
			return x.refuses(v, s.place, func() {
				list, err := os.ReadDir(s.dir)
				x.must(err)
				s.remount(x, fmt.Sprintf("nr_inodes=%d", 2+len(list)+x.random.IntN(2)))
			}, func() { s.remount(x, "nr_inodes=200") }, nil, "no space left on device")
		})
		x.try("read-only disk", v.name(), 0.02, func(x *trial) bool {
			s.empty(x)
			return x.refuses(v, s.place, func() { s.remount(x, "ro") }, func() { s.remount(x, "rw") }, nil, "read-only file system")
		})
	}
	// A disk with an open file cannot become read-only, so that the fault hits the end of the sweep.
	v := newSweep(x)
	x.try("disk that becomes read-only", v.name(), 0.03, func(x *trial) bool {
		s.empty(x)
		return x.refuses(v, s.place, func() {}, func() { s.remount(x, "rw") }, func(_ int, done <-chan struct{}) bool {
			return until(done, func() bool { return size(s.path(sweepJournal)) > 0 }) &&
				until(done, func() bool { return s.mount("remount,ro") == nil })
		}, "read-only file system")
	})
}

// pages returns a number of pages of 4096 bytes with which a command can end.
func pages(v victim) int {
	if s, ok := v.(*sweep); ok {
		return int(s.size/4096) + 2
	}
	return 4
}

// sizeLimits limits the size of files, so that writing stops at any byte.
func (x *trial) sizeLimits() {
	prlimit := x.needs("file size limits", "prlimit")
	for _, v := range x.victims() {
		most, share := int64(1000), 0.03
		switch v := v.(type) {
		case *sweep:
			most, share = v.size+1000, 0.2
		case *writer:
			for _, text := range v.want {
				most = max(most, int64(len(text)))
			}
		}
		x.try("file size limit (RLIMIT_FSIZE)", v.name(), share, func(x *trial) bool {
			p := x.place()
			limit := x.random.Int64N(most)
			if x.random.IntN(4) == 0 {
				limit = x.random.Int64N(200) // in the first line
			}
			return x.refuses(v, p, func() { p.prefix = []string{prlimit, fmt.Sprintf("--fsize=%d", limit)} },
				func() { p.prefix = nil }, nil, "file too large")
		})
	}
}

const (
	nsenter  = "nsenter"
	fillFile = "fill"
)

// space is a place on a file system in memory. Only processes in its namespace see it.
type space struct {
	*place
	inside string // its folder, as processes in the namespace see it
}

// newSpace mounts a file system with options of tmpfs until the end of the test.
func (x *trial) newSpace(options string) *space {
	inside := x.TempDir()
	holder := exec.CommandContext(x.Context(), "unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
		`mount -t tmpfs -o "$1" tmpfs "$2" && echo ready && exec cat`, "sh", options, inside)
	hold, err := holder.StdinPipe()
	x.must(err)
	out, err := holder.StdoutPipe()
	x.must(err)
	started := holder.Start()
	if started == nil {
		x.Cleanup(func() {
			_ = hold.Close() // it may have ended
			_ = holder.Wait()
		})
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); started != nil || line != "ready\n" {
		x.skip("full disks", "unshare --user --mount does not work here")
	}
	pid := holder.Process.Pid
	return &space{&place{fmt.Sprintf("/proc/%d/root%s", pid, inside), []string{nsenter, "--user", "--mount",
		"--preserve-credentials", "--wdns=" + inside, fmt.Sprintf("--target=%d", pid)}}, inside}
}

// mount changes an option of the file system.
func (s *space) mount(option string) error {
	line := append(append([]string{}, s.prefix...), "mount", "-o", option, s.inside)
	if text, err := exec.Command(line[0], line[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("mount -o %s: %w, %s", option, err, text)
	}
	return nil
}

func (s *space) remount(x *trial, option string) { x.must(s.mount("remount," + option)) }

// empty removes all files.
func (s *space) empty(x *trial) {
	list, err := os.ReadDir(s.dir)
	x.must(err)
	for _, f := range list {
		x.must(os.RemoveAll(s.path(f.Name())))
	}
}

// fill leaves some pages of 4096 bytes free.
func (s *space) fill(x *trial, pages int) {
	file, err := os.Create(s.path(fillFile))
	x.must(err)
	size, page := int64(0), make([]byte, 4096)
	for ; err == nil; size += 4096 {
		_, err = file.Write(page)
	}
	x.must(errors.Join(file.Truncate(max(0, size-4096*int64(pages+1))), file.Close()))
}

func (s *space) free(x *trial) { x.must(os.RemoveAll(s.path(fillFile))) }
