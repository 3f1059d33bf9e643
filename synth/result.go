package synth

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/synth/minimum"
)

// Result is a turn set and how a method made it.
type Result struct {
	Method  string
	Options Options
	Allowed *model.TurnSet // of the network with one VC; see Lift
	// Tree is the spanning tree of the method, or nil. Graph is the H/V graph on Tree, or nil for
	// depth-first trees.
	Tree  *hv.Tree
	Graph *hv.Graph
	// Removed has the switches in the order in which turn prohibition removed them. For other methods it is nil.
	Removed []model.SwitchID
	// Bound is the lower bound that minimum proved. For other methods it is nil.
	Bound *Bound
	// Objective is the objective of minimum, Values are its sums, Front is the Pareto front.
	Objective string
	Values    []float64
	Front     []Front
	// Notes describe deviations from the published method.
	Notes []string
}

// Bound is a lower bound on the number of prohibited turns.
type Bound struct {
	Least   int // every acyclic set prohibits at least this number of turns
	Optimal bool
	Packing *minimum.Packing // a packing of cycles that proves Least, or nil
	Steps   []int32          // if Packing alone does not prove Least: further steps of the proof, see cert.EvidenceRefutation
	Gossip  bool             // whether connectedness alone proves Least
	Both    bool             // whether the bound is for sets that contain the reverse of each allowed turn
}

// Front is a Pareto-optimal set: no other set found is better in one goal and no worse in the
// other.
type Front struct {
	Values  []float64 // by goal
	Allowed *model.TurnSet
}
