package failures

import "github.com/turnproof/turnproof/model"

// keepTable returns a forwarding table with its entries on what is left of its network, if only links failed: those for a port without a cable
// drop packets. It returns nil for a table with SL-to-VL tables or management traffic. Cost: O(entries).
func keepTable(t *model.Table, left *model.Network) *model.Table {
	if t.VCMap() != nil || t.Management() != model.NoManagement {
		return nil
	}
	dests := make([]model.Destination, t.HostDestinations())
	for d := range dests {
		dests[d] = t.Destination(model.DestID(d))
	}
	k := model.NewTable(left, dests)
	for d := range model.DestID(len(dests)) {
		for u := range model.SwitchID(left.NumSwitches()) {
			if p, ok := t.Port(u, d); ok {
				k.SetPort(u, d, p)
			}
		}
	}
	if sets := t.ClassSets(); sets != nil {
		k.SetClasses(sets, nil)
	}
	return k
}
