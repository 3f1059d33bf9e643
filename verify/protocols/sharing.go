package protocols

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file finds which classes of a protocol can share virtual networks, and how few are enough.
//
// Separating classes never adds a deadlock. Suppose that a protocol has a deadlock, and that two virtual networks are
// merged. Then the places of the deadlock, each in its merged network, are a deadlock again, because each message
// waits for the same places. So a set of classes that contains a pair that cannot share a network cannot either.

// Sharing is how the classes of a protocol can share virtual networks.
type Sharing struct {
	// Separate is the verdict if each class has a virtual network of its own.
	Separate verify.Verdict
	// Pairs are the pairs of classes that cannot share a virtual network, with all other classes separate.
	Pairs [][2]int
	// Fewest is the least number of virtual networks that are proved, or 0. Networks is such a choice, by class.
	Fewest   int
	Networks []int
	// Tried counts the decided choices. Undecided counts those of fewer networks that are neither proved
	// nor refuted. If it is not 0, a smaller number may be enough.
	Tried, Undecided int
}

// mostShared bounds the classes of FindSharing, whose choices grow like Bell numbers.
const mostShared = 10

// FindSharing decides protocols that differ from p in their virtual networks only. Classes that are no messages are
// left out. Every verdict has passed the independent checker. It fails for more than 10 classes.
// Cost: a call of Check for each pair of classes, then one for each choice of up to Fewest networks that no pair excludes.
func FindSharing(ctx context.Context, r model.Relation, p *model.Protocol, o verify.Options) (*Sharing, error) {
	var classes []int
	for c := range p.Rules {
		if len(p.Rules[c].To) > 0 {
			classes = append(classes, c)
		}
	}
	if len(classes) > mostShared {
		return nil, fmt.Errorf("cannot search the sharing of %d classes; want at most %d", len(classes), mostShared)
	}
	s := &Sharing{}
	others := slices.Clip(slices.DeleteFunc(slices.Clone(o.Conditions), func(c model.Condition) bool { return c.Condition() == model.ConditionProtocol }))
	decide := func(block []int) (verify.Verdict, error) { // by entry of classes
		s.Tried++
		q := *p
		q.Network, q.VirtualName = make([]int, len(p.Rules)), nil
		for i, c := range classes {
			q.Network[c] = block[i]
		}
		for range q.Networks() {
			q.VirtualName = append(q.VirtualName, "")
		}
		options := o
		options.Conditions, options.Management = append(others, &q), false
		rep, err := verify.Check(ctx, r, options)
		if err != nil {
			return "", err
		}
		return rep.Added(cert.ClaimMessages).Claim.Verdict, nil
	}
	own := make([]int, len(classes))
	for i := range own {
		own[i] = i
	}
	var err error
	if s.Separate, err = decide(own); err != nil || s.Separate == verify.Refuted {
		return s, err
	}
	excluded := make([]uint64, len(classes)) // by entry of classes: the entries before it that it cannot join
	for i := range classes {
		for j := range i {
			block := slices.Clone(own)
			for k := range block {
				if block[k] = k; k >= i {
					block[k]--
				}
			}
			block[i] = j
			v, err := decide(block)
			if err != nil {
				return nil, err
			}
			if v == verify.Refuted {
				excluded[i] |= 1 << j
				s.Pairs = append(s.Pairs, [2]int{classes[j], classes[i]})
			}
		}
	}
	for k := 1; k <= len(classes) && s.Fewest == 0; k++ {
		block := make([]int, len(classes))
		if err := s.choose(block, 0, 0, k, excluded, classes, len(p.Rules), decide); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// choose tries all choices of k networks for the classes from entry i on, of which used networks are in use.
func (s *Sharing) choose(block []int, i, used, k int, excluded []uint64, classes []int, rules int, decide func([]int) (verify.Verdict, error)) error {
	if i == len(block) {
		v, err := decide(block)
		switch {
		case err != nil:
			return err
		case v == verify.Proved:
			s.Fewest, s.Networks = k, make([]int, rules)
			for e, c := range classes {
				s.Networks[c] = block[e]
			}
		case v == verify.Undecided:
			s.Undecided++
		}
		return nil
	}
	for b := range min(used+1, k) {
		free := true
		for j := range i {
			free = free && (block[j] != b || excluded[i]>>j&1 == 0)
		}
		if next := max(used, b+1); !free || k-next > len(block)-i-1 {
			continue
		} else if block[i] = b; s.Fewest == 0 {
			if err := s.choose(block, i+1, next, k, excluded, classes, rules, decide); err != nil {
				return err
			}
		}
	}
	return nil
}
