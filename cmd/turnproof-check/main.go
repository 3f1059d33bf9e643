// Command turnproof-check checks a certificate of turnproof. It shares no code with the
// programs that find evidence. See package verify/cert.
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/verify/cert"
	_ "github.com/turnproof/turnproof/verify/cert/kinds" // registers the judges
	"github.com/turnproof/turnproof/verify/cert/summary"
)

const help = `usage: turnproof-check [--quiet] [--list LISTED] CERTIFICATE [FILE...]

Checks a certificate that turnproof has written. It rebuilds the network,
enumerates every state that a packet can reach, or all paths that a set of turns
allows, and compares them with the evidence of each claim. For class turns on all
networks of a family it compares every step between directions with the ranks.
CERTIFICATE may be packed by gzip.
Each FILE must be one of the files that the certificate was made from.
One of the files may be -, which is standard input.

  --list LISTED  also write the certificate to LISTED with all states of a relation
                 in one list (version 1 of the format), which the checker that
                 is proved in Coq reads
  --quiet        print nothing except errors of status 2
  --help         print this

Exit status: 0 accepted (each claim is proved or refuted: it prints which),
1 rejected (it prints why), 2 not a certificate, or wrong usage.

Examples:

  turnproof check fabric.ibnetdiscover --routing lfts.dump --certificate fabric.cert
  turnproof-check fabric.cert fabric.ibnetdiscover lfts.dump
  turnproof check mesh:4x4 --routing dor --quiet --certificate - | turnproof-check -
`

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run runs the program with these arguments and streams, and returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, files, err := parse(args)
	if err == nil && len(files) == 0 {
		err = errors.New("no certificate given")
	} else if err == nil && dashes(files) > 1 {
		err = errors.New("cannot read standard input twice: only one of the files may be -")
	} else if err == nil && o.list != "" && files[0] == "-" {
		err = errors.New("--list reads the certificate twice, so it cannot be standard input")
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, help)
		return 0
	case err != nil:
		fail(stderr, fmt.Sprintf("%v (see turnproof-check --help)", err))
		return 2
	}
	if o.quiet {
		stdout = io.Discard
	}
	text, err := check(files[0], files[1:], stdin)
	if err == nil && o.list != "" {
		err = list(files[0], o.list)
	}
	var rejection *cert.Rejection
	switch {
	case errors.As(err, &rejection):
		fmt.Fprintf(stdout, "rejected: %s\n", oneLine(rejection.Error()))
		return 1
	case err != nil:
		fail(stderr, fmt.Sprintf("%s: %v", files[0], err))
		return 2
	}
	if _, err := io.WriteString(stdout, text); err != nil {
		fail(stderr, err.Error())
		return 2
	}
	return 0
}

// maxReason bounds the bytes of a reason, which may quote the certificate.
const maxReason = 1500

// oneLine returns text as one line of printable characters. It omits the middle of a long text.
func oneLine(text string) string {
	line := cert.Plain(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' }), "; "))
	if len(line) <= maxReason {
		return line
	}
	head, tail := strings.ToValidUTF8(line[:maxReason/2], ""), strings.ToValidUTF8(line[len(line)-maxReason/4:], "")
	return fmt.Sprintf("%s... (%d bytes) ...%s", head, len(line)-len(head)-len(tail), tail)
}

// fail prints on one line why there is no verdict.
func fail(stderr io.Writer, why string) {
	fmt.Fprintf(stderr, "turnproof-check: %s\n", oneLine(why))
}

// options are the flags.
type options struct {
	quiet bool
	list  string
}

// parse parses flags, which may come after files.
func parse(args []string) (o options, files []string, err error) {
	flags := flag.NewFlagSet("turnproof-check", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&o.quiet, "quiet", false, "")
	flags.StringVar(&o.list, "list", "", "")
	for {
		if err := flags.Parse(args); err != nil {
			return o, nil, err
		}
		if args = flags.Args(); len(args) == 0 {
			return o, files, nil
		}
		files, args = append(files, args[0]), args[1:]
	}
}

// dashes returns the number of files that are standard input.
func dashes(files []string) (k int) {
	for _, name := range files {
		if name == "-" {
			k++
		}
	}
	return k
}

// check reads and checks a certificate. It returns the text to print.
func check(name string, inputs []string, stdin io.Reader) (string, error) {
	c, closing, err := read(name, stdin)
	if err != nil {
		return "", err
	}
	defer closing()
	if err := cert.Check(c); err != nil {
		return "", err
	}
	text := fmt.Sprintf("accepted: digest %s\n%s", c.Digest, summary.Text(c))
	for _, name := range inputs {
		if err := compare(c, name, stdin); err != nil {
			return "", err
		}
		text += fmt.Sprintf("file: %s is one of the inputs\n", cert.Plain(name))
	}
	return text, nil
}

// list writes an accepted certificate in version 1. It reads the file again.
func list(name, to string) error {
	c, closing, err := read(name, nil)
	if err != nil {
		return err
	}
	defer closing()
	if c, err = cert.List(c); err != nil {
		return err
	}
	if err := cert.Check(c); err != nil {
		return fmt.Errorf("listed: %w", err)
	}
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	return errors.Join(cert.Write(file, c), file.Close())
}

// read opens a certificate, and unpacks it if it is packed by gzip. The certificate can be checked
// until closing is called.
func read(name string, stdin io.Reader) (c *cert.Certificate, closing func(), err error) {
	source, closing := stdin, func() {}
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, nil, err
		}
		source, closing = file, func() { _ = file.Close() } // reading only
	}
	text, err := unpacked(bufio.NewReader(source))
	if err == nil {
		c, err = cert.Read(text)
	}
	if err != nil {
		closing()
	}
	return c, closing, err
}

// compare rejects a file whose SHA-256 is not that of an input.
func compare(c *cert.Certificate, name string, stdin io.Reader) error {
	source := stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }() // reading only
		source = file
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, source); err != nil {
		return err
	}
	sum := hex.EncodeToString(hash.Sum(nil))
	if !slices.ContainsFunc(c.Subject.Inputs, func(in cert.Input) bool { return in.SHA256 == sum }) {
		return &cert.Rejection{Claim: "subject", Reason: fmt.Sprintf("%s, with SHA-256 %s, is none of its inputs", name, sum)}
	}
	return nil
}
