package resolve

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// Request names a network and a routing, and states premises of verdicts about them. Its words
// are those of the flags of the command check, and errors name these flags. Empty fields have the
// default of the flag.
type Request struct {
	Network   string // a spec, a file, a folder of dumps, or a configuration of BookSim 2
	Routing   string // see Routing
	SL, SL2VL string // files of service levels and of SL-to-VL tables
	Paths     string // one of PathWords, for turn sets
	Hosts     string // which nodes of a DOT, GraphML or edge list network are hosts
	LMC       *uint  // of hosts whose file does not contain it; 0 to 7

	Management string            // one of ManagementWords
	Settings   map[string]string // of the network's format, see format.Settings
	Multicast  string            // a file of multicast tables, or "none"
	Flows      string            // a file of the pairs that talk, or SOURCE:DESTINATION[,...]
	Switching  string            // a value of model.Switching
	Waiting    string            // a value of model.Waiting
	Assume     string            // names of premises, separated by commas, that are accepted under Strict
	Strict     bool
	Gated      bool            // hops are gated, which implies cut-through
	Flow       model.Switching // the discipline that flow control implies, or ""
	TakesFlow  bool            // the caller uses the flow control that the network's file states
	Sizes      Sizes           // of packets and buffers

	NeedsRouting bool // fail if nothing names a routing
	Sums         bool // compute the SHA-256 of each file that is read
	// FewLevels says that the caller judges the dependency graph of the tables as they are, with no packets beside theirs. So the levels of one
	// file suffice if those of all files prove the same.
	FewLevels bool
	// Prepare, if not nil, replaces the network before its routing is read.
	Prepare func(*model.Network) (*model.Network, error)
	// Like, if not nil, is a subject of the same network, which is then not read again.
	Like *Subject
}

// Sources are the words or files that network and routing come from.
type Sources struct{ Network, Routing, SL, SL2VL, Multicast, Flows string }

// Files lists the sources that are named.
func (s Sources) Files() []string {
	return slices.DeleteFunc([]string{s.Network, s.Routing, s.SL, s.SL2VL, s.Multicast, s.Flows}, func(file string) bool { return file == "" })
}
