package everysize

import (
	"crypto/sha256"
	"fmt"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file opens the subject of a certificate about a routing program, and reads its proofs.

// opened is the subject of a certificate.
type opened struct {
	*family
	switching string
	flow      *cert.ProgramFlow
	faults    string
	claims    map[string]bool // the claims of the certificate
	cased     []*theorem      // that were proved, by case
	proved    bool            // the claim that has the evidence is judged, and holds
	others    map[string]bool // claims that its evidence proves as well; of programs for any network
}

func open(c *cert.Certificate) (*opened, error) {
	p := c.Subject.Program
	if p.Name == "" || !cert.IsPlain(p.Name) {
		return nil, cert.Reject("subject", "program %.80q: not a printable name", p.Name)
	}
	f, err := parsed(p)
	if err != nil {
		return nil, cert.Reject("subject", "%v", err)
	}
	sum := Sum(p.Text)
	for _, in := range c.Subject.Inputs {
		if in.SHA256 != sum {
			return nil, cert.Reject("subject", "input %.80q is not the program: its SHA-256 differs", in.Name)
		}
	}
	if err := checkFlow(p.Flow, c.Subject.Switching); err != nil {
		return nil, cert.Reject("subject", "flow: %v", err)
	}
	if p.Flow != nil && f.complete() { // the channels of a dimension and VC are no rings
		return nil, cert.Reject("subject", "flow control of rings in a HyperX network")
	}
	if _, err := f.cases(p.Faults); err != nil {
		return nil, cert.Reject("subject", "%v", err)
	}
	if f.hasAxes() && (p.Flow != nil || p.Faults != "") {
		return nil, cert.Reject("subject", "flow control of rings or failures on %s", f.kind)
	}
	if p.Faults != "" && (p.Flow != nil || f.complete()) {
		return nil, cert.Reject("subject", "failures with flow control of rings, or in a HyperX network")
	}
	if f.every {
		if p.Dims != 1 || p.Flow != nil || p.Faults != "" {
			return nil, cert.Reject("subject", "every number of dimensions: want evidence for one dimension, without flow control or failures")
		}
	}
	claims := map[string]bool{}
	for i := range c.Claims {
		claims[c.Claims[i].Claim] = true
	}
	distances := claims[cert.ClaimMinimal] || claims[cert.ClaimFullyAdaptive]
	if distances && (f.kind == brickWall || f.kind == express || p.Faults != "") {
		return nil, cert.Reject("subject", "minimal or fully-adaptive: on %s, or with failures", f.kind)
	}
	return &opened{family: f, switching: c.Subject.Switching, flow: p.Flow, faults: p.Faults, claims: claims}, nil
}

// Sum returns the SHA-256 of a program in lower case hex.
func Sum(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

func parsed(p *cert.Program) (f *family, err error) {
	defer catch(&err)
	read, err := read(p.Text, p.Dims)
	if err != nil {
		return nil, fmt.Errorf("the program %.80s: %w", p.Name, err)
	}
	if read.kind == "network" {
		if p.Every {
			return nil, fmt.Errorf("the program %.80s has no dimensions", p.Name)
		}
		return &family{program: read, predeclared: declareNetwork()}, nil
	}
	f = newFamily(read)
	f.every = p.Every
	return f, nil
}

// catch turns an overflow into an error.
func catch(err *error) {
	if x := recover(); x != nil {
		if _, ok := x.(overflow); !ok {
			panic(x)
		}
		*err = fmt.Errorf("a number beyond 64 bits")
	}
}

// reader answers obligations by the proofs of a certificate.
type reader struct{ *stream }

// Refute implements Solver.
func (r *reader) Refute(o *Obligation) error { return r.refute(o.Formula, o.Variables) }

// Possible implements Solver. The number is 1 for an alternative that is kept. Otherwise it is 0, and a proof follows.
func (r *reader) Possible(o *Obligation) (possible bool, err error) {
	if len(r.numbers) == 0 {
		return false, fmt.Errorf("the proofs end early")
	}
	switch kept := r.next(); kept {
	case 0:
		return false, r.refute(o.Formula, o.Variables)
	case 1:
		return true, nil
	default:
		return false, fmt.Errorf("%d where an alternative of the program is kept or refuted", kept)
	}
}

// evidenced returns the claim that has evidence for every size, or nil.
func evidenced(c *cert.Certificate) *cert.Claim {
	for i := range c.Claims {
		if c.Claims[i].Sizes != nil {
			return &c.Claims[i]
		}
	}
	return nil
}

// networkClaims are the claims of certificates about programs for any network.
var networkClaims = []string{cert.ClaimDeadlockFree, cert.ClaimConnected, cert.ClaimLivelockFree}
