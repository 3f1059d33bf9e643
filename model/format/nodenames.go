package format

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
)

// This file finds nodes by the words of tables of other tools: switches, or hosts.

// nodeNames finds switches and hosts by words.
type nodeNames struct {
	switches map[string]model.SwitchID
	hosts    map[string]model.HostID
	at       [][]model.HostID // by switch: its hosts
}

func newNodeNames(n *model.Network) nodeNames {
	return nodeNames{switchWords(n), hostWords(n), hostsBySwitch(n)}
}

// hostsBySwitch returns the hosts of each switch.
func hostsBySwitch(n *model.Network) [][]model.HostID {
	hosts := make([][]model.HostID, n.NumSwitches())
	for h := range model.HostID(n.NumHosts()) {
		hosts[n.Host(h).Switch] = append(hosts[n.Host(h).Switch], h)
	}
	return hosts
}

// has reports whether a word names a node.
func (x *nodeNames) has(word string) bool {
	_, isSwitch := x.switches[word]
	_, isHost := x.hosts[word]
	return isSwitch || isHost
}

// find returns the switch or the host of a word. A host is meant if no switch has this name.
func (x *nodeNames) find(word string) (model.SwitchID, model.HostID, error) {
	if u, ok := x.switches[word]; ok {
		return u, model.NoHost, nil
	}
	if h, ok := x.hosts[word]; ok {
		return model.NoSwitch, h, nil
	}
	var known []string
	for name := range x.switches {
		known = append(known, name)
	}
	for name := range x.hosts {
		known = append(known, name)
	}
	slices.Sort(known)
	return model.NoSwitch, model.NoHost, fmt.Errorf("no node %q in the network%s", clip([]byte(word)), spelling.Suggest(word, known))
}

// hostsOf returns the host of a word, or the hosts of a switch. It fails if the switch has none.
func (x *nodeNames) hostsOf(word string) ([]model.HostID, error) {
	u, h, err := x.find(word)
	switch {
	case err != nil:
		return nil, err
	case h != model.NoHost:
		return []model.HostID{h}, nil
	case len(x.at[u]) == 0:
		return nil, fmt.Errorf("no host is at %s", word)
	}
	return x.at[u], nil
}
