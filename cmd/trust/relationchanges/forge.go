package relationchanges

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"time"

	"github.com/turnproof/turnproof/cmd/trust/mutate"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/transition"
	"github.com/turnproof/turnproof/verify/transition/relations"
)

// This file changes certificates at random. What the checker accepts all the same has to be true.

// forgery counts changed certificates.
type forgery struct {
	whole                         int // as the prover wrote them
	guessed                       int // with claims that no prover makes: every bound, and no order, wherever no last part can change
	made, accepted, claims, other int // of changed ones; other: accepted, and of a kind that the judge does not know
	wrong                         []string
	fields                        map[string]bool // whether a change reached the field, of all that certificates fill
}

func (f *forgery) text() string {
	return fmt.Sprintf("%d certificates; %d changed ones and %d with guessed claims: %d accepted with %d claims, all judged but %d. %d claims are false.",
		f.whole, f.made, f.guessed, f.accepted, f.claims, f.other, len(f.wrong))
}

// forgeAll changes certificates of random cases, each several times, until count were changed.
func forgeAll(ctx context.Context, seed uint64, count int) (*forgery, error) {
	f := &forgery{fields: map[string]bool{}}
	var known []*cert.Certificate
	for k := uint64(0); f.made < count; k++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rng := rand.New(rand.NewPCG(seed, k))
		c, err := draw(rng).change(ctx)
		if err != nil {
			return nil, err
		}
		list, err := certificates(ctx, c)
		if err != nil {
			return nil, err
		}
		known = append(known, list...)
		for _, x := range guesses(list) {
			f.guessed++
			f.judge(x)
		}
		for _, whole := range list {
			as := &forgery{} // also as it is
			as.judge(whole)
			f.whole, f.wrong = f.whole+as.accepted, append(f.wrong, as.wrong...)
			for range 4 {
				x := mutate.Clone(whole)
				for range 1 + rng.IntN(2) {
					mutate.Change(rng, x, func() *cert.Certificate { return mutate.Pick(rng, known) })
				}
				f.made++
				f.note(whole, x)
				f.judge(x)
			}
		}
	}
	return f, nil
}

// note notes which fields of a certificate were changed.
func (f *forgery) note(whole, x *cert.Certificate) {
	now := mutate.Fields(x)
	for name, old := range mutate.Fields(whole) {
		if mutate.IsAbsent(old) || name == ".Subject.Inputs" {
			continue // there are no input files
		}
		same := len(old) == len(now[name])
		for i := 0; same && i < len(old); i++ {
			same = reflect.DeepEqual(old[i].Interface(), now[name][i].Interface())
		}
		f.fields[name] = f.fields[name] || !same
	}
}

// judge judges a certificate.
func (f *forgery) judge(c *cert.Certificate) {
	if cert.Check(c) != nil {
		return
	}
	f.accepted++
	w, err := stated(c)
	if err != nil {
		f.other++
		return
	}
	for i := range c.Claims {
		is, err := w.holds(c.Subject.Transition, &c.Claims[i])
		switch f.claims++; {
		case errors.Is(err, errOther):
			f.other++
		case !is:
			x := c.Claims[i]
			f.wrong = append(f.wrong, fmt.Sprintf("accepted, and false: %s %s by %s, parts %s, drained %v, steps %v\n%s", x.Claim, x.Verdict, x.Evidence,
				c.Subject.Transition.Parts, c.Subject.Transition.Drained, c.Subject.Transition.Steps, w.text()))
		}
	}
}

// guesses returns certificates with claims that may be true or false: that no order exists, with all sets of parts but that of all parts as
// those that can be reached, and bounds on steps and on stopped destinations.
func guesses(whole []*cert.Certificate) (list []*cert.Certificate) {
	if len(whole) == 0 {
		return nil
	}
	of := whole[0]
	add := func(part string, drained bool, claim cert.Claim) {
		x := mutate.Clone(of)
		x.Subject.Transition.Parts, x.Subject.Transition.Drained, x.Subject.Transition.Steps = part, drained, cert.Ints{}
		x.Claims = []cert.Claim{claim}
		list = append(list, x)
	}
	w, err := stated(of)
	if err != nil {
		return nil
	}
	for _, part := range []string{"switch", "destination"} {
		last := w.last(part == "switch")
		var sets [][]int32
		for set := range last {
			var s []int32
			for p := int32(0); set>>p > 0; p++ {
				if set>>p&1 != 0 {
					s = append(s, p)
				}
			}
			if set&^last == 0 {
				sets = append(sets, s)
			}
		}
		for _, drained := range []bool{false, true} {
			add(part, drained, transition.NoOrderClaim(sets))
		}
		for bound := range 5 {
			add(part, false, (&transition.Bound{Steps: bound}).Claim())
			if part == "destination" && bound == 1 {
				var parts []int32
				for p := int32(0); last>>p > 0; p++ {
					if last>>p&1 != 0 {
						parts = append(parts, p)
					}
				}
				add(part, false, (&transition.Bound{Stops: 1, Groups: []transition.Group{{Parts: parts, Sets: sets}}}).Claim())
			}
		}
	}
	return list
}

// certificates returns certificates of each kind for a change.
func certificates(ctx context.Context, c *relations.Change) (list []*cert.Certificate, err error) {
	add := func(made *cert.Certificate, err error) error {
		if err == nil && made != nil {
			list = append(list, made)
		}
		return err
	}
	for _, part := range []transition.Part{transition.Entry, transition.Switch, transition.Destination} {
		for _, drained := range []bool{false, true} {
			m, err := c.MixtureOf(ctx, part, drained)
			if err == nil {
				err = add(c.MixtureCertificate(m, about))
			}
			if err != nil {
				return nil, err
			}
			if part == transition.Entry {
				continue
			}
			r, err := reroute.Find(ctx, c, reroute.Options{Part: part, Drained: drained})
			switch {
			case err != nil:
			case r.Answer == reroute.Found && len(r.Steps) > 0:
				err = add(c.StepsCertificate(part, r.Steps, r.Bound, about))
			case r.Answer == reroute.None:
				err = add(c.NoOrderCertificate(part, drained, r.Sets, about))
			}
			if err != nil {
				return nil, err
			}
		}
	}
	s, err := reroute.FewestStops(ctx, c, time.Second)
	if err != nil || s == nil || len(s.Steps) == 0 {
		return list, err
	}
	return list, add(c.StepsCertificate(transition.Destination, s.Steps, s.Bound, about))
}
