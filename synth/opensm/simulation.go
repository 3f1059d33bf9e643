package opensm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// This file starts and ends the programs.

// simulation is a running ibsim, and OpenSM as its client.
type simulation struct {
	tools  *Tools
	dir    string // the folder in which the programs run
	socket string // the name of the sockets of ibsim
	procs  []*process
}

// process is a running program.
type process struct {
	name  string
	cmd   *exec.Cmd
	out   bytes.Buffer
	ended chan struct{}
}

var simulations atomic.Uint32 // number of simulations of this process

// newSimulation returns a simulation that runs in dir.
func (t *Tools) newSimulation(dir string) *simulation {
	return &simulation{tools: t, dir: dir, socket: fmt.Sprintf("turnproof-%d-%d", os.Getpid(), simulations.Add(1))}
}

// start starts a program. It ends with ctx or with stop.
func (s *simulation) start(ctx context.Context, env []string, program string, args ...string) *process {
	p := &process{name: filepath.Base(program), cmd: exec.CommandContext(ctx, program, args...), ended: make(chan struct{})}
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = s.dir, &p.out, &p.out
	p.cmd.Env = append(append(os.Environ(), "IBSIM_SOCKNAME="+s.socket, "OSM_CACHE_DIR="+s.dir, "OSM_TMP_DIR="+s.dir), env...)
	endWithParent(p.cmd)
	if err := p.cmd.Start(); err != nil {
		p.out.WriteString(err.Error())
		close(p.ended)
		return p
	}
	s.procs = append(s.procs, p)
	go func() {
		_ = p.cmd.Wait()
		close(p.ended)
	}()
	return p
}

// stop ends all programs, the last first.
func (s *simulation) stop() {
	for i := len(s.procs) - 1; i >= 0; i-- {
		p := s.procs[i]
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

// wait waits until a file contains a text. It fails if the program ends before, or after the limit.
func (p *process) wait(ctx context.Context, file, text string, limit time.Duration) error {
	for deadline := time.Now().Add(limit); ; {
		if data, err := os.ReadFile(file); err == nil && bytes.Contains(data, []byte(text)) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.ended:
			return fmt.Errorf("%s ended: %s", p.name, lastLine(p.out.String()))
		case <-time.After(10 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s was not ready after %s", p.name, limit)
		}
	}
}

// lastLine returns the last line of a text that is not empty.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// startFabric starts ibsim on a netlist. nodes is an upper bound of switches and hosts.
func (s *simulation) startFabric(ctx context.Context, netlist string, switches, nodes int, limit time.Duration) error {
	p := s.start(ctx, nil, s.tools.ibsim, "-s", "-n", "-S", fmt.Sprint(switches+8), "-N", fmt.Sprint(nodes+8), "-P", fmt.Sprint(256*(switches+8)+8*nodes),
		netlist)
	if err := p.wait(ctx, "/proc/net/unix", s.socket+":ctl", limit); err != nil {
		return &Failed{err.Error()}
	}
	return nil
}

// Failed is the error of a network that could not be routed.
type Failed struct{ Reason string }

func (f *Failed) Error() string { return f.Reason }

// startOpenSM starts OpenSM and waits until the subnet is up. It returns the path of its log.
func (s *simulation) startOpenSM(ctx context.Context, args []string, limit time.Duration) (string, error) {
	log := filepath.Join(s.dir, "opensm.log")
	p := s.start(ctx, []string{"LD_PRELOAD=" + s.tools.library}, s.tools.opensm, append(args, "-f", log, "-D", "0x43", "-s", "0")...)
	err := p.wait(ctx, log, "SUBNET UP", limit)
	if err != nil && !errors.Is(err, ctx.Err()) {
		err = &Failed{err.Error()}
	}
	return log, err
}
