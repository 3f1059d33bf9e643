package proved

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file asks the two checkers.

// A prover is a running turnproof-proved.
type prover struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func start(program string) (*prover, error) {
	p := &prover{command: exec.Command(program)}
	var err error
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	return p, p.command.Start()
}

// stop ends it; the program's exit status tells of the last answers, and is of no interest here.
func (p *prover) stop() error {
	if err := p.in.Close(); err != nil {
		return err
	}
	var status *exec.ExitError
	if err := p.command.Wait(); err != nil && !(errors.As(err, &status) && status.Exited()) {
		return err
	}
	return nil
}

// ask gives the program's answer on a file, a line.
func (p *prover) ask(file []byte) (string, error) {
	if _, err := fmt.Fprintf(p.in, "%d\n%s", len(file), file); err != nil {
		return "", fmt.Errorf("turnproof-proved: %w", err)
	}
	line, err := p.out.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("turnproof-proved: no answer: %w", err)
	}
	return strings.TrimSuffix(line, "\n"), nil
}

// inGo gives the claim for which the checker in Go rejects a file, "" if it accepts.
func inGo(file []byte) string {
	c, err := cert.Read(bytes.NewReader(file))
	if err == nil {
		err = cert.Check(c)
	}
	var rejection *cert.Rejection
	switch {
	case err == nil:
		return ""
	case errors.As(err, &rejection):
		return rejection.Claim
	}
	return "file"
}

// What both have said.
type outcome int

const (
	bothAccept outcome = iota
	bothReject
	notJudged
	differ
)

// compare holds the answers against each other. Not judged is what is not known to be wrong: whatever Go
// says agrees with it. Of what is accepted in part, Go may reject the claims alone that are not judged.
func compare(rejected, answer string) outcome {
	rest, inPart := strings.CutPrefix(answer, "accepted in part, not judged: ")
	switch {
	case strings.HasPrefix(answer, "not judged: "):
		return notJudged
	case inPart && (rejected == "" || slices.ContainsFunc(strings.Split(rest, "; "), func(claim string) bool { return strings.HasPrefix(claim, rejected+" ") })):
		return notJudged
	case answer == "accepted" && rejected == "":
		return bothAccept
	case strings.HasPrefix(answer, "rejected: ") && rejected != "":
		return bothReject
	}
	return differ
}
