package report

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/page"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/evaluate"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// Report is a report about routings of one network. Call Add for each routing, Compare once, then
// Page.
type Report struct {
	// Traffic loads the channels, and TrafficName names it in texts. If nil, traffic is uniform.
	Traffic     *model.Traffic
	TrafficName string
	Latency     page.Section   // simulated latencies; left out if it has no title
	Further     []page.Section // of the caller, after the routings
	Foot        []string       // paragraphs at the end of the page
	Title       string         // of the page; defaults to the name of the network
	Date        string         // any text; defaults to the date that the network's file states

	routings []*Routing
	compared []*evaluate.TurnSet
	notes    []string // which methods are not compared, and why
}

var errNoRouting = errors.New("the report has no routing: call Add first")

// Routing is a routing in a report.
type Routing struct {
	Subject *resolve.Subject
	// Request is the request that Subject answers. The page derives command lines from it. If its
	// Network is empty, the page has none.
	Request resolve.Request
	Check   *verify.Report // of Subject.Rel
	// Name is the heading of the routing. Defaults to its word or file.
	Name string
	// Further are sections of the caller, after the witnesses. Their identifiers are unique in the page.
	Further []page.Section

	id          string // r1, r2, ...
	named       bool   // whether the caller set Name
	certificate []byte // its first bytes, all if there are at most mostCertificate
	sum         string // SHA-256 of the certificate, in hexadecimal

	made    *synth.Result       // the turn set, if a method made it, or nil
	allowed *model.TurnSet      // the turn set, of the network with one VC, or nil
	count   *synth.Prohibitions // of allowed
	flow    *synth.Flow         // if nil, noFlow has the reason
	noFlow  string
	onePath *float64 // throughput of allowed with one balanced path for each pair; nil if not computed
	worst   *synth.WorstCase
}

// Routings returns the routings in the order in which they were added.
func (r *Report) Routings() []*Routing { return slices.Clone(r.routings) }

// Throughput returns the part of its traffic that every host can send until a channel is full. It
// returns 0 if the load of the channels is not known.
func (x *Routing) Throughput() float64 {
	if x.flow == nil {
		return 0
	}
	return x.flow.Throughput()
}

// Add measures a routing and adds it to the report. All routings need the same network.
func (r *Report) Add(ctx context.Context, x *Routing) error {
	if r.Traffic == nil {
		r.Traffic, r.TrafficName = model.UniformTraffic(x.Subject.Net), uniform
	}
	x.id, x.named = fmt.Sprintf("r%d", len(r.routings)+1), x.Name != ""
	sum, start := sha256.New(), start{most: mostCertificate + 1}
	if err := cert.Write(io.MultiWriter(sum, &start), x.Check.Certificate); err != nil {
		return err
	}
	x.certificate, x.sum = start.text, hex.EncodeToString(sum.Sum(nil))
	if err := x.measure(ctx, r.Traffic); err != nil {
		return err
	}
	r.routings = append(r.routings, x)
	r.nameRoutings()
	return nil
}

// start keeps the first bytes that are written to it, and forgets the rest.
type start struct {
	most int
	text []byte
}

// Write implements io.Writer.
func (s *start) Write(p []byte) (int, error) {
	s.text = append(s.text, p[:min(len(p), s.most-len(s.text))]...)
	return len(p), nil
}

const uniform = "uniform"

// nameRoutings gives each routing a short heading. No two routings have the same.
func (r *Report) nameRoutings() {
	for _, x := range r.routings {
		if x.named {
			continue
		}
		x.Name = x.Subject.Routing
		if x.Name == "" {
			x.Name = "the routing that the network names"
		}
		if resolve.IsRoutingName(x.Subject.Routing) {
			continue
		}
		short := resolve.Title(x.Subject.Routing)
		if !slices.ContainsFunc(r.routings, func(other *Routing) bool {
			return other != x && resolve.Title(other.Subject.Routing) == short
		}) {
			x.Name = short
		}
	}
}

// Verdict returns the worst verdict of a routing: refuted, else undecided, else proved.
func (r *Report) Verdict() verify.Verdict {
	v := verify.Proved
	for _, x := range r.routings {
		switch x.Check.Verdict() {
		case verify.Refuted:
			return verify.Refuted
		case verify.Undecided:
			v = verify.Undecided
		}
	}
	return v
}
