package model

// Weighted is a relation whose sources draw the class of each packet with given weights. The
// sources of other relations draw each class that Inject returns with the same probability.
type Weighted interface {
	Relation
	// Weights appends to buf a weight of at least 1 for each class that Inject appends for h
	// and d, in the same order.
	Weights(h HostID, d DestID, buf []uint32) []uint32
}

// Weights appends to buf the weights with which endpoint h draws one of the given classes for
// its packets to d. The classes are those that r.Inject returns for h and d. If r is not
// Weighted, all weights are 1.
func Weights(r Relation, h HostID, d DestID, classes []Class, buf []uint32) []uint32 {
	if w, ok := r.(Weighted); ok {
		return w.Weights(h, d, buf)
	}
	for range classes {
		buf = append(buf, 1)
	}
	return buf
}

// Choose returns index i with a probability of weights[i] over the sum of all weights. x is a
// uniform random number. It panics if the list is empty.
func Choose(weights []uint32, x uint64) int {
	total := uint64(0)
	for _, w := range weights {
		total += uint64(w)
	}
	x %= total
	for i, w := range weights {
		if x < uint64(w) {
			return i
		}
		x -= uint64(w)
	}
	panic("model: weights changed while a class was drawn")
}

// HopWeighted is a relation that weighs its hops, for switches that draw one of several hops. Which hops are permitted
// does not depend on the weights.
type HopWeighted interface {
	Relation
	// HopWeights appends to buf a weight of at least 1 for each hop that Next appends for s, in the same order.
	HopWeights(s State, buf []uint32) []uint32
}

// HopWeightsOf returns HopWeights of r if its hops have weights, otherwise nil.
func HopWeightsOf(r Relation) func(State, []uint32) []uint32 {
	switch r := r.(type) {
	case HopWeighted:
		return r.HopWeights
	case *VirtualNetworks:
		return r.hopWeights()
	}
	return nil
}
