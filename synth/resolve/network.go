package resolve

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	_ "github.com/turnproof/turnproof/model/format/base"
	"github.com/turnproof/turnproof/model/topo"
)

// Network returns the network that a word names: a spec such as mesh:8x8, or a file. The notes
// list what the reader ignored or assumed. Network does not read BookSim configurations and
// folders; Load does.
func Network(word string, o format.Options) (n *model.Network, notes []string, err error) {
	if topo.IsSpec(word) {
		n, err = topo.Parse(word)
		return n, nil, err
	}
	if n, notes, err = format.ReadNetwork(word, o); err != nil {
		err = networkAdvice(word, err)
	}
	return n, notes, err
}
