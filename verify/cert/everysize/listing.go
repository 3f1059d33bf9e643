package everysize

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file writes the paths of a program with the evidence, for the checker that is proved in Coq (verify/proved). That
// checker does not run the text.
//
// The file is one line of JSON. Lists of numbers are packed as in certificates. Formulas are written as numbers:
//
//	0 k formula*k      all of the formulas
//	1 k formula*k      one of the formulas
//	2 k number*k       a form of k numbers is at least 0
//	3 m k number*k     m divides a form of k numbers

// ListingSchema is the schema of listings.
const ListingSchema = "turnproof.every-size/1"

// Listing is the paths of a program, and the evidence of a certificate.
type Listing struct {
	Schema    string `json:"schema"`
	Switching string `json:"switching"`
	Name      string `json:"name"`   // of the program
	SHA256    string `json:"sha256"` // of its text
	// Rings has 1 for each dimension with wraparound channels, else 0.
	Rings cert.Ints `json:"rings"`
	// Sides has two numbers for each dimension: the number of a size and 0, or -1 and a length.
	Sides cert.Ints `json:"sides"`
	Sizes int       `json:"sizes"`
	// Where has the number of conditions on the sizes, and a formula for each.
	Where  cert.Ints `json:"where"`
	VCs    int       `json:"vcs"`
	States int       `json:"states"` // header states
	Passes bool      `json:"passes"`
	// Injects has the number of entries. Each has a number of header states, these states, and the formula under which packets
	// are created with them. A program error creates none.
	Injects cert.Ints `json:"injects"`
	// Paths has the number of paths. Each has the direction, VC and header state of its packets, 1 if it delivers
	// them, 1 if it ends with an error, the number of outputs, a direction, VC and header state for each, and its formula. A
	// direction of -1 is that of created packets. A direction of -2, and a VC or header state of -1, are not read by the program.
	Paths cert.Ints `json:"paths"`

	Claims []string `json:"claims"`
	// Evidence is that of the claim deadlock-free. Its proofs are those without the alternatives of runs.
	Evidence *cert.EverySize `json:"evidence"`
	Digest   string          `json:"digest"` // SHA-256 of the file before the comma that precedes the digest
}

// List returns the listing of a certificate of a program. It runs the program, and checks the proofs about alternatives of its
// runs. It judges no other evidence.
func List(c *cert.Certificate) (listing []byte, err error) {
	defer catch(&err)
	claim := c.Claim(cert.ClaimDeadlockFree)
	if c.Subject.Program == nil || claim == nil || claim.Sizes == nil {
		return nil, fmt.Errorf("not a certificate of a routing program")
	}
	o, err := open(c)
	if err != nil {
		return nil, err
	}
	if o.flow != nil || o.faults != "" || o.complete() {
		return nil, fmt.Errorf("the checker that is proved in Coq judges no HyperX networks, no flow control of rings and no failures")
	}
	if o.every {
		return nil, fmt.Errorf("the checker that is proved in Coq judges no proof for every number of dimensions; want one for some number")
	}
	solver := &lister{reader: reader{&stream{numbers: claim.Sizes.Proofs}}}
	t := &theorem{family: o.family, solver: solver}
	if err := t.run(); err != nil {
		return nil, err
	}
	evidence := *claim.Sizes
	evidence.Proofs = append(solver.proofs, solver.numbers...)
	l := &Listing{Schema: ListingSchema, Switching: c.Subject.Switching, Name: c.Subject.Program.Name, SHA256: Sum(c.Subject.Program.Text),
		Sizes: len(t.names), Where: whereOf(t), VCs: t.vcs, States: t.states, Passes: t.passes, Injects: injectsOf(t), Paths: pathsOf(t), Evidence: &evidence}
	for d, s := range t.sides {
		l.Sides = append(l.Sides, int32(s.size), int32(s.length))
		l.Rings = append(l.Rings, int32(flag(t.rings(d))))
	}
	for i := range c.Claims {
		l.Claims = append(l.Claims, c.Claims[i].Claim)
	}
	return l.encode()
}

// encode returns the file of a listing.
func (l *Listing) encode() ([]byte, error) {
	l.Digest = ""
	text, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	end := len(text) - len(`,"digest":""}`)
	return fmt.Appendf(text[:end], `,"digest":"%x"}`+"\n", sha256.Sum256(text[:end])), nil
}

// lister records the proofs of obligations, and drops those about alternatives of runs.
type lister struct {
	reader
	proofs cert.Ints
}

// Refute implements Solver.
func (l *lister) Refute(o *Obligation) error {
	before := l.numbers
	err := l.reader.Refute(o)
	l.proofs = append(l.proofs, before[:len(before)-len(l.numbers)]...)
	return err
}

// encoder writes formulas and paths as numbers.
type encoder struct{ numbers cert.Ints }

func (e *encoder) number(list ...int64) {
	for _, k := range list {
		if k != int64(int32(k)) {
			panic(overflow{})
		}
		e.numbers = append(e.numbers, int32(k))
	}
}

func (e *encoder) formula(f *Formula) {
	switch e.number(int64(f.Op)); f.Op {
	case And, Or:
		e.number(int64(len(f.Args)))
		for _, x := range f.Args {
			e.formula(x)
		}
		return
	case Divides:
		e.number(f.Mod)
	}
	e.number(int64(len(f.Form)))
	e.number(f.Form...)
}

func whereOf(t *theorem) cert.Ints {
	e := &encoder{}
	list := t.sizes()
	e.number(int64(len(list)))
	for _, f := range list {
		e.formula(f)
	}
	return e.numbers
}

func injectsOf(t *theorem) cert.Ints {
	e := &encoder{}
	e.number(int64(len(t.injects)))
	for _, x := range t.injects {
		e.number(int64(len(x.states)))
		for _, k := range x.states {
			e.number(int64(k))
		}
		e.formula(x.when)
	}
	return e.numbers
}

func pathsOf(t *theorem) cert.Ints {
	e := &encoder{}
	e.number(int64(len(t.paths)))
	for i := range t.paths {
		p := &t.paths[i]
		dir := int64(p.dir)
		if p.anyDir {
			dir = -2
		}
		e.number(dir, int64(p.vc), int64(p.state), flag(p.ejects), flag(p.failed != nil), int64(len(p.outputs)))
		for _, o := range p.outputs {
			e.number(int64(o.dir), int64(o.vc), int64(o.state))
		}
		e.formula(p.guard)
	}
	return e.numbers
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
