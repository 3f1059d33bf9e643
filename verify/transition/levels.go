package transition

import (
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

// This file is about the classes with which hosts send (InfiniBand: service levels), as far as they differ.

// findLevels finds the switches and destinations whose classes differ. Cost: O(sources × destinations), if any table has classes.
func (c *Change) findLevels() {
	if c.Old.ClassSets() == nil && c.New.ClassSets() == nil {
		return
	}
	switches := c.net.NumSwitches()
	for d := range model.DestID(c.Old.Destinations()) {
		for h := range model.HostID(c.Old.Sources()) {
			if c.Old.DestinationHost(d) == h || c.classesOf(h, d, OldEntry) == c.classesOf(h, d, NewEntry) {
				continue
			}
			if c.levels == nil {
				c.levels = make([]bool, c.Old.Destinations()*switches)
			}
			c.levels[int(d)*switches+int(c.net.Host(h).Switch)] = true
		}
	}
}

// classesAfter returns the classes with which hosts send after some steps, by destination and host.
func (c *Change) classesAfter(part Part, steps []Step) []model.ClassSet {
	done := map[int32]bool{}
	for _, s := range steps {
		for _, p := range s.Parts {
			done[p] = done[p] || s.Kind != Stop
		}
	}
	hosts := c.net.NumHosts()
	sets := make([]model.ClassSet, c.Old.HostDestinations()*hosts)
	for d := range model.DestID(c.Old.HostDestinations()) {
		for h := range model.HostID(hosts) {
			own, t := int32(d), c.Old
			if part == Switch {
				own = int32(c.net.Host(h).Switch)
			}
			if done[own] {
				t = c.New
			}
			sets[int(d)*hosts+int(h)] = t.ClassesOf(h, d)
		}
	}
	return sets
}

// SameClasses reports whether all hosts send with the classes of before.
func (c *Change) SameClasses() bool { return c.levels == nil }

// classesOf returns the classes with which host h, not that of d, sends to d if it goes by the given entries.
func (c *Change) classesOf(h model.HostID, d model.DestID, e Entries) (set model.ClassSet) {
	if e&OldEntry != 0 && c.Old.SendsTo(h, d) {
		set |= c.Old.ClassesOf(h, d)
	}
	if e&NewEntry != 0 && c.New.SendsTo(h, d) {
		set |= c.New.ClassesOf(h, d)
	}
	return set
}

// inject appends the classes with which host h sends to d if it goes by the given entries.
func (c *Change) inject(h model.HostID, d model.DestID, e Entries, buf []model.Class) []model.Class {
	for s := c.classesOf(h, d, e); s != 0; s &= s - 1 {
		buf = append(buf, model.Class(bits.TrailingZeros16(uint16(s))))
	}
	return buf
}
