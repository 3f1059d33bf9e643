package layoutrun

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/turnproof/turnproof/model/view/figure/graphcache"
)

// running is the process that serves this one, or nil. The holder of the token of busy may
// use it.
var (
	running *process
	busy    = make(chan struct{}, 1)
)

// process is a running turnproof-layout.
type process struct {
	cmd      *exec.Cmd
	stdin    io.WriteCloser
	requests *json.Encoder
	replies  *json.Decoder
	cache    *graphcache.Cache // nil after the first reply
	said     start
}

// Layout lays out DOT text with a program of Graphviz, such as neato, and returns
// Graphviz's plain format. It may be called concurrently; one layout runs at a time. If
// ctx ends, the process is killed, and the next layout starts another.
func Layout(ctx context.Context, dot, program string) ([]byte, error) {
	select {
	case busy <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-busy }()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if running == nil {
		p, err := launch()
		if err != nil {
			return nil, err
		}
		running = p
	}
	r, err := running.ask(ctx, request{program, dot})
	if err != nil {
		running = nil
		return nil, err
	}
	if r.Error != "" {
		return nil, errors.New(r.Error)
	}
	return []byte(r.Plain), nil
}

// launch starts the program with a private folder for temporary files, in which
// go-graphviz keeps what it compiles.
func launch() (*process, error) {
	path, err := find()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(path), cache: graphcache.Open()}
	p.cmd.Env = append(os.Environ(), p.cache.Environment()...)
	p.cmd.Stderr = &p.said
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		p.stdin, err = p.cmd.StdinPipe()
	}
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		p.cache.Close()
		return nil, fmt.Errorf("cannot start %s: %w", path, err)
	}
	p.requests, p.replies = json.NewEncoder(p.stdin), json.NewDecoder(out)
	return p, nil
}

// ask sends a request and returns the reply. After an error the process has ended.
func (p *process) ask(ctx context.Context, q request) (r reply, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err = p.requests.Encode(q); err == nil {
			err = p.replies.Decode(&r)
		}
	}()
	select {
	case <-done:
	case <-ctx.Done():
		_ = p.end() // makes Decode return
		<-done
		return reply{}, ctx.Err()
	}
	if err != nil {
		return reply{}, fmt.Errorf("%s ended without a layout: %v%s", p.cmd.Path, p.end(), p.said.line())
	}
	p.started()
	return r, nil
}

// started marks what go-graphviz keeps as complete, after the first reply.
func (p *process) started() {
	if p.cache != nil {
		p.cache.Keep()
		p.cache.Close()
		p.cache = nil
	}
}

// end kills the process and returns its exit status.
func (p *process) end() error {
	_ = p.stdin.Close()
	_ = p.cmd.Process.Kill() // fails if the process has already ended
	err := p.cmd.Wait()
	if p.cache != nil {
		p.cache.Close()
		p.cache = nil
	}
	return err
}

// start holds the first bytes that a process printed on its standard error.
type start struct{ text []byte }

func (s *start) Write(text []byte) (int, error) {
	s.text = append(s.text, text[:min(len(text), 300-len(s.text))]...)
	return len(text), nil
}

// line returns the first line after a separator, or nothing.
func (s *start) line() string {
	text, _, _ := bytes.Cut(bytes.TrimSpace(s.text), []byte("\n"))
	if len(text) == 0 {
		return ""
	}
	return ": " + string(text)
}
