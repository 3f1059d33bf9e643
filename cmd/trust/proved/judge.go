package proved

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file asks the two checkers.

// prover is a running turnproof-proved.
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

// stop ends the program. Its exit status says only what the last answers were.
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

// ask returns the answer of the program to a file, which is one line.
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

// inGo returns the claim for which the checker in Go rejects a file, or "" if it accepts the file.
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

// outcome compares the answers of both.
type outcome int

const (
	bothAccept outcome = iota
	bothReject
	notJudged
	differ
)

// compare compares the answers of both. Every answer in Go agrees with "not judged". If the proved
// checker accepts a file in part, Go may reject only the claims that are not judged.
func compare(rejected, answer string) outcome {
	rest, inPart := strings.CutPrefix(answer, "accepted in part, not judged: ")
	switch {
	case strings.HasPrefix(answer, "not judged: "):
		return notJudged
	case inPart && (rejected == "" || strings.Contains("; "+rest, "; "+rejected+" ")):
		return notJudged
	case answer == "accepted" && rejected == "":
		return bothAccept
	case strings.HasPrefix(answer, "rejected: ") && rejected != "":
		return bothReject
	}
	return differ
}
