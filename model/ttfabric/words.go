package ttfabric

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file says in words what a fabric is.

// ConfigText returns the configs of the meshes.
func (f *Fabric) ConfigText() string {
	text := string(f.meshes[0].Config)
	same := true
	var all []string
	for i := range f.meshes {
		same = same && f.meshes[i].Config == f.meshes[0].Config
		all = append(all, fmt.Sprintf("M%d=%s", f.meshes[i].ID, f.meshes[i].Config))
	}
	if !same {
		return strings.Join(all, ", ")
	}
	return text
}

// mostCables is the number of cables that a text lists.
const mostCables = 6

// CablesText lists the cables.
func (f *Fabric) CablesText() string {
	var list []string
	for i, c := range f.Cables {
		if i == mostCables && len(f.Cables) > mostCables+1 {
			list = append(list, fmt.Sprintf("and %d more", len(f.Cables)-i))
			break
		}
		list = append(list, c.String())
	}
	return strings.Join(list, ", ")
}

// Faults says what keeps packets from moving, a text for each kind of finding.
func (f *Fabric) Faults() (list []string) {
	if n := len(f.Findings.Mislabelled); n > 0 {
		u := f.Net.Tail(f.Findings.Mislabelled[0])
		list = append(list, fmt.Sprintf("%d channels have one label for two directions, the first at %s", n, f.Chip(u)))
	}
	if n := len(f.Findings.Starving); n > 0 {
		s := f.Findings.Starving[0]
		with := 0
		if s.Ack[1] {
			with = 1
		}
		ends := f.Cables[s.Cable].Ends
		list = append(list, fmt.Sprintf("%d of %d cables starve, the first %s: %s waits for acknowledgements of each arrival, which %s never sends",
			n, len(f.Cables), f.Cables[s.Cable], ends[with], ends[1-with]))
	}
	if f.Findings.Blocked {
		list = append(list, fmt.Sprintf("an entry under deadlock avoidance needs 2 free slots, and a receiver has %d", f.Options.Slots))
	}
	return list
}

// Fault returns why packets never get over a channel between chips, or "".
func (f *Fabric) Fault(c model.ChannelID) string { return f.kinds[c].bad }

// Worker returns the host of a chip.
func (f *Fabric) Worker(c Chip) (model.HostID, error) {
	if err := f.checkChip("pairs", c, true); err != nil {
		return model.NoHost, err
	}
	return f.Relation.(*relation).hostOf(c), nil
}

// CheckRestriction fails if lists of pairs cannot restrict the traffic, because packets that go round rings belong to no pair.
func (f *Fabric) CheckRestriction() error {
	if f.Options.Mcast != "" {
		return fmt.Errorf("the settings have mcast %q, and packets that go round rings belong to no pair of a list: take mcast out, or write the "+
			"pairs as traffic of the settings", f.Options.Mcast)
	}
	return nil
}

// TrafficText says which workers send to which, or is "" if all do, and what says so: traffic, or fabric.
func (f *Fabric) TrafficText() (text, source string) {
	lines := 0
	for i := range f.meshes {
		if f.meshes[i].is1D() {
			lines++
		}
	}
	switch t := f.Options.Traffic; {
	case t.Flows != nil:
		text, source = fmt.Sprintf("%d listed pairs of workers", len(t.Flows)), "traffic"
	case t.Word == TrafficIntra:
		text, source = "all pairs within a mesh", "traffic"
	case t.Word == TrafficInter:
		text, source = "all pairs of different meshes", "traffic"
	case t.Word == TrafficNeighbours:
		text, source = "all pairs within a mesh, and of meshes that a cable joins", "traffic"
	case lines > 0:
		text, source = "all pairs", "fabric"
	}
	if lines > 0 && f.Options.Traffic.Flows == nil {
		text += "; under a config of one dimension, those on one row or column of a mesh"
	}
	if f.Options.Mcast != "" {
		if source == "" {
			text, source = "all pairs", "mcast"
		}
		text += ", and once round each ring"
	}
	return text, source
}
