package check

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/quality"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/streams"
	"github.com/turnproof/turnproof/model/streams/aie"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	search "github.com/turnproof/turnproof/verify/streams"
)

// This file checks a finite list of packets that hold resources: a file in the neutral format of package streams, or a routed
// design of mlir-aie.

// peeked is how much of a file is looked at to recognise it.
const peeked = 1 << 16

// mostText bounds the size of such a file.
const mostText = 1 << 28

// streamsKind returns "problem" or "design" if the file at path is one, or "".
func streamsKind(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }() // it was only read
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return ""
	}
	head, _ := io.ReadAll(io.LimitReader(bufio.NewReader(f), peeked))
	switch {
	case streams.Is(string(head)):
		return "problem"
	case aie.Is(string(head)):
		return "design"
	}
	return ""
}

// forNetworks are the flags that say nothing about streams.
var forNetworks = append(quality.Names(),
	"routing", "sl", "sl2vl", "paths", "management", "hosts", "lmc", "flows", "switching", "multicast", "waiting", "mend", "sarif",
	"junit", "fail", "classes", "initiators", "targets", "fewest-networks", "gate", "flow", "packet", "atomic", "figure", "cross-check", "simulate")

// streamsCheck is one check of streams.
type streamsCheck struct {
	path, kind string
	paths      streams.Paths // between hosts of a network, or nil
	p          *streams.Problem
	r          *search.Result
	premises   []model.Premise
	inputs     []cert.Input
	certified  *cert.Certificate // nil if undecided
	seconds    float64
}

func runStreams(c *cli.Context, path, kind string) error {
	began := time.Now()
	for _, name := range forNetworks {
		if c.IsSet(name) {
			return fmt.Errorf("--%s says something of networks, and %s is a %s", name, path, kindWords(kind))
		}
	}
	if kind == "problem" && c.IsSet("buffer") {
		return errors.New("--buffer is for routed designs; a flow problem states the words of each buffer")
	}
	s := &streamsCheck{path: path, kind: kind}
	if err := s.read(c); err != nil {
		return err
	}
	return s.run(c, began)
}

// run decides, and prints the result.
func (s *streamsCheck) run(c *cli.Context, began time.Time) error {
	o, err := streamsLimits(c)
	if err != nil {
		return err
	}
	cli.ProgressOf(c.App.ErrWriter).Say("searching schedules")
	r, err := search.Check(c.Context, s.p, o)
	if err != nil {
		return err
	}
	if s.r = r; c.Bool("strict") && r.Verdict != verify.Undecided {
		s.doubt(c.String("assume"))
	}
	if s.r.Verdict != verify.Undecided {
		limited, stop := c.Context, func() {}
		if o.Time > 0 {
			limited, stop = context.WithDeadline(c.Context, began.Add(o.Time))
		}
		s.certified, err = search.CertificateWithin(limited, s.p, s.r, s.inputs, s.premises)
		if stop(); errors.Is(err, search.ErrLate) && c.Context.Err() == nil {
			s.r = &search.Result{Verdict: verify.Undecided, States: s.r.States,
				Reason: fmt.Sprintf("the search says %s, but the checker has not judged it within %v", s.r.Verdict, o.Time)}
		} else if err != nil {
			return cmp.Or(c.Context.Err(), err)
		}
		if f := c.String("certificate"); f != "" && s.certified != nil {
			if err := cli.WriteFile(c, f, func(w io.Writer) error { return cert.Write(w, s.certified) }); err != nil {
				return err
			}
		}
	}
	s.seconds = time.Since(began).Seconds()
	if c.Bool("json") {
		if err := cli.PrintJSON(c.App.Writer, s.json()); err != nil {
			return err
		}
	} else {
		s.print(c.App.Writer)
	}
	return verdict.Status(s.r.Verdict)
}

// streamsLimits reads --seconds and --memory. Without --seconds only the number of states ends a search, so that its verdict is the
// same on every machine.
func streamsLimits(c *cli.Context) (o search.Options, err error) {
	if c.IsSet("seconds") {
		if o.Time, err = cli.ReadSeconds(c, "seconds"); err != nil {
			return o, err
		}
	}
	o.Memory, err = cli.ReadMemory(c, "memory")
	return o, err
}

func kindWords(kind string) string {
	if kind == "design" {
		return "routed design"
	}
	return "flow problem"
}

// read reads the file and states the premises.
func (s *streamsCheck) read(c *cli.Context) error {
	cli.Reads(c, s.path)
	f, err := os.Open(s.path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(f, mostText+1))
	if err != nil {
		return err
	}
	if len(text) > mostText {
		return fmt.Errorf("%s: more than %d bytes", s.path, mostText)
	}
	sum := sha256.Sum256(text)
	s.inputs = append(s.inputs, cert.Input{Name: filepath.Base(s.path), SHA256: hex.EncodeToString(sum[:])})
	state := func(name, value, source string) {
		s.premises = append(s.premises, model.Premise{Name: name, Value: value, Source: source})
	}
	state(model.PremiseSwitching, string(model.Wormhole), s.path)
	waiting := s.path
	if s.kind == "design" {
		waiting = model.Assumed
	}
	state(model.PremiseWaiting, "any packet that waits for a free resource may get it, and nothing has a duration", waiting)
	if s.kind == "problem" {
		s.p, err = streams.ReadOn(string(text), s.path, s.paths)
		return err
	}
	o := aie.Options{}
	if c.IsSet("buffer") {
		if o.Receiver = c.Int("buffer"); o.Receiver < 1 || o.Receiver > streams.MostWords {
			return fmt.Errorf("--buffer %d: want 1 to %d words", o.Receiver, streams.MostWords)
		}
	}
	if s.p, err = aie.Read(string(text), s.path, o); err != nil {
		return err
	}
	source := model.Assumed
	if o.Receiver > 0 {
		source = "--buffer"
	}
	state(model.PremiseBuffers, fmt.Sprintf("%d words behind a sending channel, %d before a receiving one, none between", aie.DefaultSender,
		max(o.Receiver, aie.DefaultReceiver*map[bool]int{true: 1}[o.Receiver == 0])), source)
	for i, note := range s.p.Notes {
		state(fmt.Sprintf("program %d", i+1), note, model.Assumed)
	}
	return nil
}

// doubt makes the verdict undecided if a premise is assumed that --assume does not accept. That any packet may get a
// resource adds runs, so a proof does not depend on it.
func (s *streamsCheck) doubt(accepted string) {
	words := strings.Split(accepted, ",")
	for _, p := range s.premises {
		if p.Name == model.PremiseWaiting && s.r.Verdict == verify.Proved {
			continue
		}
		if p.IsAssumed() && !slices.Contains(words, "all") && !slices.Contains(words, strings.ReplaceAll(p.Name, " ", "-")) {
			s.r = &search.Result{Verdict: verify.Undecided, Reason: "--strict: " + p.Name + " is assumed: " + p.Value, States: s.r.States}
			return
		}
	}
}
