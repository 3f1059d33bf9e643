package priorities

import "github.com/turnproof/turnproof/model"

// This file makes the relation of frames under rules.

// applied is a relation whose frames have priorities by rules: virtual channel N is priority N.
type applied struct {
	model.Relation
	net   *model.Network
	found *Found
}

// Apply returns the relation of frames under the rules of a result. rel is the relation of Collect.
func Apply(rel model.Relation, f *Found) model.Relation {
	return &applied{rel, rel.Network().WithVCs(f.Priorities), f}
}

// Network implements model.Relation.
func (a *applied) Network() *model.Network { return a.net }

// Commits implements model.Committer.
func (a *applied) Commits(s model.State) bool {
	c, ok := a.Relation.(model.Committer)
	return ok && c.Commits(a.plain(s))
}

// plain returns the state without its priority.
func (a *applied) plain(s model.State) model.State {
	c, _ := a.net.Channel(s.VC)
	return model.State{VC: a.Relation.Network().VC(c, 0), Dest: s.Dest, Class: s.Class}
}

// Next implements model.Relation.
func (a *applied) Next(s model.State, buf []model.Hop) []model.Hop {
	in, p := a.net.Channel(s.VC)
	u := a.net.Head(in)
	from := len(buf)
	buf = a.Relation.Next(a.plain(s), buf)
	isLink := func(c model.ChannelID) bool {
		return a.net.Kind(c) == model.SwitchToSwitch && !a.found.r.isEnd(a.net.Tail(c)) && !a.found.r.isEnd(a.net.Head(c))
	}
	for i := from; i < len(buf); i++ {
		out, _ := a.Relation.Network().Channel(buf[i].VC)
		q := 0
		if isLink(out) {
			t := Turn{u, in, out}
			if !isLink(in) {
				t.In, p = model.NoChannel, 0
			}
			q = a.found.After(t, p)
		}
		buf[i].VC = a.net.VC(out, q)
	}
	return buf
}

// without is a relation without some next hops.
type without struct {
	model.Relation
	gone map[withdrawnHop]bool
}

type withdrawnHop struct {
	out  model.ChannelID
	dest model.DestID
}

// Without returns a relation whose switches do not have the given next hops. rel is the relation of Collect.
func Without(rel model.Relation, list []Withdrawal) model.Relation {
	w := &without{rel, map[withdrawnHop]bool{}}
	for _, x := range list {
		for _, d := range x.Dests {
			w.gone[withdrawnHop{x.Out, d}] = true
		}
	}
	return w
}

// Commits implements model.Committer.
func (w *without) Commits(s model.State) bool {
	c, ok := w.Relation.(model.Committer)
	return ok && c.Commits(s)
}

// Next implements model.Relation.
func (w *without) Next(s model.State, buf []model.Hop) []model.Hop {
	from := len(buf)
	buf = w.Relation.Next(s, buf)
	kept := buf[:from]
	for _, h := range buf[from:] {
		if out, _ := w.Network().Channel(h.VC); !w.gone[withdrawnHop{out, s.Dest}] {
			kept = append(kept, h)
		}
	}
	return kept
}
