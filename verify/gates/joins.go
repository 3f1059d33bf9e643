package gates

// This file states as clauses where packets join others: the head of a packet rests on a VC behind one that leaves this VC
// through a closed gate, and its own tail is before the closed gate of the VC.

// joinedFlits returns how many flits of a packet are on the VC where it joins one with all flits but one: as few as set the
// bit. If they are too few or too many for what the other clauses suppose, it returns 0.
func (f *formula) joinedFlits() int {
	packet, nearly := f.sizes.Packet, f.sizes.Buffer-f.sizes.Rule.Level
	k := max(1, nearly-(packet-1))
	_, behind := f.stack()
	if k >= packet || 2*packet-1 > f.sizes.Buffer || packet-k+behind*packet < nearly {
		return 0
	}
	return k
}

// addJoins adds packets that join others.
func (f *formula) addJoins() {
	f.joins = make([]int32, len(f.s.to))
	into := make([][]int32, f.size)
	k := f.joinedFlits()
	nearly := f.sizes.Buffer - f.sizes.Rule.Level
	for i, at := range f.s.states {
		in, _ := f.n.Channel(at.VC)
		for e := f.s.first[i]; e < f.s.first[i+1]; e++ {
			w := f.s.vc[e]
			if k == 0 || f.s.to[e] < 0 || w == at.VC || !f.gates.Has(in, w) {
				continue
			}
			join := f.fresh()
			f.joins[e] = join
			f.add(-join, f.shut[w])
			f.add(-join, f.joined[w])
			into[w], f.leaving[at.VC] = append(into[w], join), append(f.leaving[at.VC], join)
			if f.n.IsLinkVC(at.VC) {
				f.add(-join, -f.joined[at.VC])
				if f.sizes.Packet-k < nearly && f.sizes.Packet-1 >= nearly {
					f.add(-join, -f.ending[at.VC])
				}
			}
		}
	}
	for v := range f.size {
		f.add(append([]int32{-f.joined[v]}, into[v]...)...)
		f.atMostOne(into[v])
	}
}
