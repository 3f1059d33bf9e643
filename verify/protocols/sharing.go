package protocols

import (
	"context"
	"errors"
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

// A sharer decides choices of virtual networks for some classes of a protocol.
type sharer struct {
	relation model.Relation
	protocol *model.Protocol
	options  verify.Options // without the protocol
	classes  []int          // those that are messages
	excluded []uint64       // by entry of classes: the entries before it that it cannot join
	found    *Sharing
}

// FindSharing decides protocols that differ from p in their virtual networks only. Classes that are no messages are
// left out. Every verdict has passed the independent checker. It fails for more than 10 classes, and for a list of classes.
// Cost: a call of Check for each pair of classes, then one for each choice of up to Fewest networks that no pair excludes.
func FindSharing(ctx context.Context, r model.Relation, p *model.Protocol, o verify.Options) (*Sharing, error) {
	if p.IsList() {
		return nil, errors.New("cannot search the sharing of a list of classes; want a protocol with causes")
	}
	var classes []int
	for c := range p.Rules {
		if len(p.Rules[c].To) > 0 {
			classes = append(classes, c)
		}
	}
	if len(classes) > mostShared {
		return nil, fmt.Errorf("cannot search the sharing of %d classes; want at most %d", len(classes), mostShared)
	}
	o.Conditions = slices.Clip(slices.DeleteFunc(slices.Clone(o.Conditions), func(c model.Condition) bool { return c.Condition() == model.ConditionProtocol }))
	o.Management = false
	x := &sharer{r, p, o, classes, make([]uint64, len(classes)), &Sharing{}}
	var err error
	if x.found.Separate, err = x.decide(ctx, x.separate()); err != nil || x.found.Separate == verify.Refuted {
		return x.found, err
	}
	if err := x.excludePairs(ctx); err != nil {
		return nil, err
	}
	for k := 1; k <= len(classes) && x.found.Fewest == 0; k++ {
		if err := x.choose(ctx, make([]int, len(classes)), 0, 0, k); err != nil {
			return nil, err
		}
	}
	return x.found, nil
}

// separate returns the choice in which each class has a virtual network of its own.
func (x *sharer) separate() []int {
	own := make([]int, len(x.classes))
	for i := range own {
		own[i] = i
	}
	return own
}

// decide returns the verdict if the classes have the virtual networks of block, by entry of classes.
func (x *sharer) decide(ctx context.Context, block []int) (verify.Verdict, error) {
	x.found.Tried++
	q := *x.protocol
	q.Network, q.VirtualName = make([]int, len(q.Rules)), nil
	for i, c := range x.classes {
		q.Network[c] = block[i]
	}
	for range q.Networks() {
		q.VirtualName = append(q.VirtualName, "")
	}
	o := x.options
	o.Conditions = append(o.Conditions, &q)
	rep, err := verify.Check(ctx, x.relation, o)
	if err != nil {
		return "", err
	}
	return rep.Added(cert.ClaimMessages).Claim.Verdict, nil
}

// excludePairs finds the pairs of classes that cannot share a virtual network, with all other classes separate.
func (x *sharer) excludePairs(ctx context.Context) error {
	for i := range x.classes {
		for j := range i {
			block := x.separate()
			for k := i + 1; k < len(block); k++ {
				block[k]--
			}
			block[i] = j
			v, err := x.decide(ctx, block)
			if err != nil {
				return err
			}
			if v == verify.Refuted {
				x.excluded[i] |= 1 << j
				x.found.Pairs = append(x.found.Pairs, [2]int{x.classes[j], x.classes[i]})
			}
		}
	}
	return nil
}

// choose tries all choices of k networks for the classes from entry i on, of which used networks are in use. It ends with the first proved one.
func (x *sharer) choose(ctx context.Context, block []int, i, used, k int) error {
	if i == len(block) {
		v, err := x.decide(ctx, block)
		switch {
		case err != nil:
			return err
		case v == verify.Proved:
			x.found.Fewest, x.found.Networks = k, make([]int, len(x.protocol.Rules))
			for e, c := range x.classes {
				x.found.Networks[c] = block[e]
			}
		case v == verify.Undecided:
			x.found.Undecided++
		}
		return nil
	}
	for b := range min(used+1, k) {
		free := true
		for j := range i {
			free = free && (block[j] != b || x.excluded[i]>>j&1 == 0)
		}
		if next := max(used, b+1); !free || k-next > len(block)-i-1 {
			continue
		} else if block[i] = b; x.found.Fewest == 0 {
			if err := x.choose(ctx, block, i+1, next, k); err != nil {
				return err
			}
		}
	}
	return nil
}
