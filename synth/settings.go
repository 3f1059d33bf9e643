package synth

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// DAOptions selects a reading of DA. The zero value is the default reading.
type DAOptions struct {
	Marks       string // one of MarkRules
	Starts      string // order of the start switches, one of StartOrders
	StopAtStart bool   // a search does not continue from its start switch
	Off         bool   // no search: all conditional turns stay prohibited
}

// Watcher receives each improvement of minimum: the number of turns that the best set prohibits,
// and the lower bound.
type Watcher interface{ Improved(least, bound int) }

// Options are the options of all methods. The zero value is the default. A method fails if an
// option is set that it does not read.
type Options struct {
	// Root names a switch or one of RootRules. Defaults to RootAuto.
	Root string
	// Tree says how the spanning tree is grown. Only updown accepts depth-first trees (Search).
	Tree hv.Options
	// TreeFile names a file with the spanning tree (see lists.ReadTree), from which the root follows.
	TreeFile string
	// Ties says which of two switches at the same depth is up, one of hv.TieRules. For updown
	// only.
	Ties string
	// DA selects a reading of the cycle-detection algorithm of L-turn and R-turn.
	DA DAOptions
	// Select says which switch turn prohibition removes next, one of Selections.
	Select string
	// Totals says which turns count for Select, one of TotalRules.
	Totals string
	// Form is the variant of turn addition, one of Forms.
	Form string
	// Equal is the order of turns of equal traffic in turn addition, one of EqualRules.
	Equal string
	// TurnTraffic says how traffic is assigned to paths to weigh turns, one of TurnTrafficRules. It is
	// read by turn prohibition and turn addition.
	TurnTraffic string
	// OrderFile names a file with turns that turn addition tests first, in the order of the file (see
	// format.ReadTurnOrder). The other turns follow by traffic.
	OrderFile string
	// Release adds a last pass that releases every prohibited turn that closes no cycle, heaviest
	// traffic first. With BothDirections a turn is released only together with its reverse.
	Release        bool
	BothDirections bool
	// Objective says what minimum minimizes, see ParseObjective. Defaults to "turns". Pareto names
	// two sums; minimum then returns all sets that are optimal in both (Result.Front).
	Objective, Pareto string
	// Keep and Prohibit are turns of the network with one VC that minimum always allows or always
	// prohibits. If nil, there are none. KeepTree keeps the turns of a spanning tree.
	Keep, Prohibit *model.TurnSet
	KeepTree       bool
	// Cyclefree lets minimum leave hosts unconnected: the set must only be acyclic.
	Cyclefree bool
	// Stretch bounds the ratio of a shortest legal path to a shortest path of the network, for
	// minimum. If 0, there is no bound. If 1, all legal paths are shortest.
	Stretch float64
	// Seconds bounds the search of minimum. Defaults to 10.
	Seconds float64
	// Journal names a file in which minimum stores its results. A later run continues from them.
	Journal string
	// Watcher, if not nil, receives the steps of minimum.
	Watcher Watcher
	// Seed seeds all random orders.
	Seed uint64
	// Traffic is what the hosts send. It weighs the turns. If nil, traffic is uniform.
	Traffic *model.Traffic
}
