package vlan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// Limits of IEEE 802.1Q: identifiers 0 and 4095 are reserved, priorities have three bits.
const (
	MaxID       = 4094
	MaxPriority = 7
)

// VLAN is a part of a network to which frames of one identifier are restricted.
type VLAN struct {
	ID       int            // 1 to MaxID
	Priority int            // of its frames, 0 to MaxPriority
	Links    []model.LinkID // ascending, without a loop; both ports of each link are tagged members
	Hosts    []model.HostID // members, ascending
	Untagged []model.HostID // the members whose ports are untagged, ascending
}

// None is the index of no VLAN.
const None = -1

// Set is a list of VLANs on a network with the VLAN that each pair of hosts uses. All VLANs of
// one priority share the buffers of a channel, because switches have no buffers per VLAN.
type Set struct {
	net   *model.Network // one VC for each priority in use
	list  []VLAN
	tree  []*tree
	vc    []int    // by VLAN
	use   []uint16 // by source and destination: 1 + the index of the VLAN, or 0 for none
	fixed map[entry]fixed
}

// maxPairs is the maximum number of pairs of hosts; it bounds the memory to half a GiB.
const maxPairs = 1 << 28

// New returns a set in which no host uses a VLAN yet. It fails if an identifier or a priority
// is out of range, an identifier occurs twice, a link or host does not exist, or the links of a
// VLAN have a loop. Cost: O(switches) time and memory per VLAN, two bytes per pair of hosts.
func New(n *model.Network, list []VLAN) (*Set, error) {
	if len(list) > MaxID {
		return nil, fmt.Errorf("vlan: %d VLANs; want at most %d (802.1Q)", len(list), MaxID)
	}
	if n.NumHosts() > 0 && n.NumHosts() > maxPairs/n.NumHosts() {
		return nil, fmt.Errorf("vlan: %d hosts, pairs of more than %d are not kept", n.NumHosts(), maxPairs)
	}
	s := &Set{net: n, list: list, vc: make([]int, len(list)), use: make([]uint16, n.NumHosts()*n.NumHosts()), fixed: map[entry]fixed{}}
	used := map[int]bool{}
	for _, v := range list {
		if err := check(n, &v); err != nil {
			return nil, fmt.Errorf("vlan: VLAN %d: %w", v.ID, err)
		}
		if used[v.ID] {
			return nil, fmt.Errorf("vlan: two VLANs have the identifier %d", v.ID)
		}
		used[v.ID] = true
		t, err := newTree(n, v.Links)
		if err != nil {
			return nil, fmt.Errorf("vlan: VLAN %d has %w", v.ID, err)
		}
		s.tree = append(s.tree, t)
	}
	s.byPriority()
	return s, nil
}

func check(n *model.Network, v *VLAN) error {
	switch {
	case v.ID < 1 || v.ID > MaxID:
		return fmt.Errorf("identifiers are 1 to %d", MaxID)
	case v.Priority < 0 || v.Priority > MaxPriority:
		return fmt.Errorf("priority %d; want 0 to %d", v.Priority, MaxPriority)
	}
	if err := ascending("link", v.Links, model.LinkID(n.NumLinks())); err != nil {
		return err
	}
	if err := ascending("host", v.Hosts, model.HostID(n.NumHosts())); err != nil {
		return err
	}
	for _, h := range v.Untagged {
		if _, ok := slices.BinarySearch(v.Hosts, h); !ok {
			return fmt.Errorf("%s is untagged but not a member", n.HostLabel(h))
		}
	}
	return ascending("untagged host", v.Untagged, model.HostID(n.NumHosts()))
}

func ascending[T cmp.Ordered](what string, list []T, end T) error {
	var zero T
	for i, x := range list {
		if x < zero || x >= end || i > 0 && x <= list[i-1] {
			return fmt.Errorf("%s %v after %v: they ascend and are below %v", what, x, list[:i], end)
		}
	}
	return nil
}

// Network returns the network. It has one VC for each priority in use.
func (s *Set) Network() *model.Network { return s.net }

// Len returns the number of VLANs.
func (s *Set) Len() int { return len(s.list) }

// At returns VLAN k, counted from 0. The caller must not change it.
func (s *Set) At(k int) *VLAN { return &s.list[k] }

// VC returns the virtual channel of the frames of VLAN k: the index of its priority among those
// in use.
func (s *Set) VC(k int) int { return s.vc[k] }

// Priorities returns the priorities in use, ascending.
func (s *Set) Priorities() (list []int) {
	for _, v := range s.list {
		list = append(list, v.Priority)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// SetPriorities sets the priority of each VLAN k to of(k), which must be in 0..MaxPriority.
func (s *Set) SetPriorities(of func(k int) int) {
	for k := range s.list {
		s.list[k].Priority = of(k)
	}
	s.byPriority()
}

// byPriority assigns virtual channels to VLANs by their priority.
func (s *Set) byPriority() {
	priorities := s.Priorities()
	for k, v := range s.list {
		s.vc[k], _ = slices.BinarySearch(priorities, v.Priority)
	}
	s.net = s.net.WithVCs(max(1, len(priorities)))
}

// SetUse makes source send to dest in VLAN k, or not at all if k is None. It fails if one of
// them is not a member of the VLAN.
func (s *Set) SetUse(source, dest model.HostID, k int) error {
	if k == None {
		s.use[s.pair(source, dest)] = 0
		return nil
	}
	for _, h := range []model.HostID{source, dest} {
		if !s.Member(k, h) {
			return fmt.Errorf("vlan: %s sends to %s in VLAN %d, of which %s is no member",
				s.net.HostLabel(source), s.net.HostLabel(dest), s.list[k].ID, s.net.HostLabel(h))
		}
	}
	s.use[s.pair(source, dest)] = uint16(k + 1)
	return nil
}

// Use returns the VLAN in which source sends to dest, or None if source does not send to dest.
func (s *Set) Use(source, dest model.HostID) int { return int(s.use[s.pair(source, dest)]) - 1 }

func (s *Set) pair(source, dest model.HostID) int { return int(source)*s.net.NumHosts() + int(dest) }

// Member reports whether host h is a member of VLAN k.
func (s *Set) Member(k int, h model.HostID) bool {
	_, ok := slices.BinarySearch(s.list[k].Hosts, h)
	return ok
}

// Untagged reports whether the frames of VLAN k carry no tag at the port of h.
func (s *Set) Untagged(k int, h model.HostID) bool {
	_, ok := slices.BinarySearch(s.list[k].Untagged, h)
	return ok
}

// PVID returns the VLAN of untagged frames from host h: the only untagged VLAN in which h
// sends, or None. It fails if there are several, because a port has only one PVID.
func (s *Set) PVID(h model.HostID) (int, error) {
	found := None
	for d := range model.HostID(s.net.NumHosts()) {
		k := s.Use(h, d)
		if k == None || k == found || !s.Untagged(k, h) {
			continue
		}
		if found != None {
			return None, fmt.Errorf("vlan: %s sends without a tag in VLANs %d and %d; a port takes untagged frames into one",
				s.net.HostLabel(h), s.list[found].ID, s.list[k].ID)
		}
		found = k
	}
	return found, nil
}

// Untag makes the ports of all hosts untagged, so that hosts need not know VLANs; the switch
// adds the tag. It fails if a host sends in several VLANs.
//
// Source: T. Otsuka, M. Koibuchi, T. Kudoh and H. Amano, A switch-tagged VLAN routing
// methodology for PC clusters with Ethernet, ICPP, 2006.
func (s *Set) Untag() error {
	for k := range s.list {
		s.list[k].Untagged = s.list[k].Hosts
	}
	for h := range model.HostID(s.net.NumHosts()) {
		if _, err := s.PVID(h); err != nil {
			return err
		}
	}
	return nil
}
