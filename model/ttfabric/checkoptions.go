package ttfabric

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/turnproof/turnproof/model/ttfabric/meshgraph"
)

// This file checks settings against the descriptor.

func (f *Fabric) checkOptions() error {
	o := &f.Options
	for id := range o.Config.Mesh {
		if n, err := strconv.Atoi(id); err != nil || f.shapeOf(n) == nil {
			return fmt.Errorf("fabric_config of mesh %q: the descriptor has no such mesh", id)
		}
	}
	for _, m := range f.Descriptor.Meshes {
		if c := o.Config.Of(m.ID); !slices.Contains(Configs(), c) {
			return fmt.Errorf("fabric_config %q; want one of %v", c, Configs())
		}
	}
	switch {
	case o.Slots < 1 || o.Slots > maxSlots:
		return fmt.Errorf("receiver_slots %d; want 1 to %d", o.Slots, maxSlots)
	case o.Traffic.Flows == nil && o.Traffic.Word != "" && !slices.Contains(TrafficWords(), o.Traffic.Word):
		return fmt.Errorf("traffic %q; want one of %v, or flows", o.Traffic.Word, TrafficWords())
	case o.Mcast != "" && o.Mcast != "full":
		return fmt.Errorf("mcast %q; want full", o.Mcast)
	}
	return f.checkChips()
}

// checkChips checks that the chips of all options exist, and that workers send and receive.
func (f *Fabric) checkChips() error {
	o := &f.Options
	for _, p := range o.Unguarded {
		if err := f.checkChip("unguarded", p.Chip, false); err != nil {
			return err
		}
	}
	for _, pair := range o.Ports {
		for _, p := range pair {
			if err := f.checkChip("ports", p.Chip, false); err != nil {
				return err
			}
		}
	}
	for _, pair := range o.Cables {
		for _, p := range pair {
			if err := f.checkChip("cables", p, false); err != nil {
				return err
			}
		}
	}
	for _, pair := range o.Traffic.Flows {
		for _, p := range pair {
			if err := f.checkChip("flows", p, true); err != nil {
				return err
			}
		}
		if pair[0] == pair[1] {
			return fmt.Errorf("flows: %s sends to itself", pair[0])
		}
	}
	return nil
}

func (f *Fabric) checkChip(key string, c Chip, works bool) error {
	switch m := f.shapeOf(c.Mesh); {
	case m == nil:
		return fmt.Errorf("%s: no mesh %d in the descriptor", key, c.Mesh)
	case c.Chip < 0 || c.Chip >= m.Chips():
		return fmt.Errorf("%s: mesh %d has no chip %d; want 0 to %d", key, c.Mesh, c.Chip, m.Chips()-1)
	case works && m.IsSwitch:
		return fmt.Errorf("%s: mesh %d is a switch, whose chips have no workers", key, c.Mesh)
	}
	return nil
}

// shapeOf returns the mesh of an ID, or nil.
func (f *Fabric) shapeOf(id int) *meshgraph.Mesh {
	i := slices.IndexFunc(f.Descriptor.Meshes, func(m meshgraph.Mesh) bool { return m.ID == id })
	if i < 0 {
		return nil
	}
	return &f.Descriptor.Meshes[i]
}
