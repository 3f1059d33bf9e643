package family

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/model/topo"
)

// This file defines the members of a family, the places of their channels, and the turns
// that a set of class turns allows on them.

// Member is a network of a family.
type Member struct {
	Space *space.Space
	Name  string // a spec; may be empty
	Net   *model.Network
	Place []int   // by VC between switches; -1: never used
	At    [][]int // coordinates by switch; nil for grids
}

// Grid returns the mesh or torus of a space with the given sides.
func Grid(s *space.Space, sides []int) (*Member, error) {
	words := make([]string, len(sides))
	for i, side := range sides {
		words[i] = fmt.Sprint(side)
	}
	m := &Member{Space: s, Name: string(s.Kind) + ":" + strings.Join(words, "x")}
	if s.VCs > 1 {
		m.Name += fmt.Sprintf(",vcs=%d", s.VCs)
	}
	var err error
	if m.Net, err = topo.Parse(m.Name); err != nil {
		return nil, err
	}
	m.Place = make([]int, m.Net.NumLinkVCs())
	for v := range m.Place {
		c, vc := m.Net.Channel(model.VCID(v))
		m.Place[v] = m.gridPlace(c, vc)
	}
	return m, nil
}

// gridPlace returns the place of VC index vc of channel c, or -1.
func (m *Member) gridPlace(c model.ChannelID, vc int) int {
	g := m.Net.Grid()
	axis, plus, _ := g.PortDirection(m.Net.TailPort(c))
	tail, head := g.Coord(m.Net.Tail(c), axis), g.Coord(m.Net.Head(c), axis)
	sign := 1
	if !plus {
		sign = -1
	}
	wrap := head != tail+sign
	for i, p := range m.Space.Places {
		if p.Axis != axis || p.Sign != sign || p.Wrap != wrap || p.VC != vc {
			continue
		}
		if m.Space.Kind == space.Mesh {
			return i
		}
		fits := true
		for d, where := range p.At {
			fits = fits && where == whereOf(g.Coord(m.Net.Head(c), d), g.Sides[d])
		}
		if fits {
			return i
		}
	}
	return -1
}

func whereOf(x, side int) space.Where {
	switch x {
	case 0:
		return space.Low
	case side - 1:
		return space.High
	}
	return space.Between
}

// treeMember returns the member with coordinates of an H/V graph.
func treeMember(s *space.Space, n *model.Network, at [][]int) *Member {
	m := &Member{Space: s, Net: n, At: at, Place: make([]int, n.NumLinkVCs())}
	for v := range m.Place {
		c, _ := n.Channel(model.VCID(v))
		a, b := at[n.Tail(c)], at[n.Head(c)]
		m.Place[v] = int(hv.DirBetween(int32(a[0]), int32(a[1]), int32(b[0]), int32(b[1])))
	}
	return m
}

// orderMember returns the member of up*/down* with the given positions of the switches.
func orderMember(s *space.Space, n *model.Network, at [][]int) *Member {
	m := &Member{Space: s, Net: n, At: at, Place: make([]int, n.NumLinkVCs())}
	for v := range m.Place {
		c, _ := n.Channel(model.VCID(v))
		if at[n.Tail(c)][0] < at[n.Head(c)][0] {
			m.Place[v] = 1 // down
		}
	}
	return m
}

// Allowed returns the turns that a set of class turns allows.
func (m *Member) Allowed(set space.Set) *model.TurnSet {
	may := make([]bool, len(m.Space.Places)*len(m.Space.Places))
	for _, e := range m.Space.Steps(set) {
		may[e.From*len(m.Space.Places)+e.To] = true
	}
	allowed := model.NewTurnSet(m.Net)
	for t := range model.Turns(m.Net, m.Space.UTurns) {
		if a, b := m.Place[t.In], m.Place[t.Out]; a >= 0 && b >= 0 && may[a*len(m.Space.Places)+b] {
			allowed.Add(t)
		}
	}
	return allowed
}

// network returns a network of numbered switches with the given links and a host at each.
func network(switches int, links [][2]int) (*model.Network, error) {
	b := model.NewBuilder()
	ports := make([]model.Port, switches)
	for u := range switches {
		b.AddSwitch(model.Switch{Name: fmt.Sprint(u)})
	}
	for _, l := range links {
		ports[l[0]]++
		ports[l[1]]++
		b.AddLink(model.SwitchID(l[0]), ports[l[0]], model.SwitchID(l[1]), ports[l[1]])
	}
	for u := range switches {
		ports[u]++
		b.AddHost(model.Host{Name: fmt.Sprintf("h%d", u), Switch: model.SwitchID(u), Port: ports[u]})
	}
	return b.Build()
}
