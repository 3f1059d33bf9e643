package topo

import "fmt"

// This file arranges the global links between groups of dragonflies and dragonfly+ networks.
//
// A round of global links has one link between each two of g groups. A group uses g-1 ports in a round, 0 to g-2. An
// arrangement says which port of group i leads to group j. Later rounds repeat the first one on the next ports.
//
// absolute: port j leads to group j if j < i, else to group j+1. Camarero et al. call it consecutive.
// relative: port t leads t+1 groups further, in a circle.
// palmtree: port t leads t+1 groups back, in a circle.
// circulant: ports 2t and 2t+1 lead t+1 groups further and t+1 groups back. With an even number of groups, the last port leads to
// the opposite group.
//
// The groups are symmetric in all arrangements except the absolute one. Source: Hastings, Rincon-Cruz, Spehlmann, Meyers, Xu,
// Bunde, Leung, Comparing global link arrangements for dragonfly networks, CLUSTER 2015, section II (absolute, relative,
// circulant-based); Camarero, Vallejo, Beivide, Topological characterization of Hamming and dragonfly networks and its implications on
// routing, ACM TACO 11(4), 2014 (consecutive, palmtree).

// The arrangements of global links.
const (
	ArrangementAbsolute  = "absolute"
	ArrangementRelative  = "relative"
	ArrangementPalmtree  = "palmtree"
	ArrangementCirculant = "circulant"
)

// arrangements has by name the port of group i that leads to group j, of g groups.
var arrangements = map[string]func(i, j, g int) int{
	ArrangementAbsolute: func(i, j, _ int) int {
		if j < i {
			return j
		}
		return j - 1
	},
	ArrangementRelative: func(i, j, g int) int { return (j-i+g)%g - 1 },
	ArrangementPalmtree: func(i, j, g int) int { return (i-j+g)%g - 1 },
	ArrangementCirculant: func(i, j, g int) int {
		switch ahead := (j - i + g) % g; {
		case 2*ahead == g:
			return g - 2
		case 2*ahead < g:
			return 2 * (ahead - 1)
		default:
			return 2*(g-ahead) - 1
		}
	},
}

func arrangementNames() []string {
	return []string{ArrangementAbsolute, ArrangementRelative, ArrangementPalmtree, ArrangementCirculant}
}

// newArrangement returns the arrangement of a name, absolute if empty: the port of group i that leads to group j, of g groups.
func newArrangement(name string) (func(i, j, g int) int, error) {
	if name == "" {
		name = ArrangementAbsolute
	}
	if f := arrangements[name]; f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("global links arranged %q, known are %s", name, enumerate(arrangementNames(), ""))
}

// arrange calls link for each global link between group i and a later one: port t of group i and port s of group j.
func arrange(port func(i, j, g int) int, i, groups, rounds int, link func(t, j, s int)) {
	for r := range rounds {
		for j := i + 1; j < groups; j++ {
			link(r*(groups-1)+port(i, j, groups), j, r*(groups-1)+port(j, i, groups))
		}
	}
}

// rounds returns how many whole rounds of links the ports of a group allow.
func rounds(groups, ports int) int {
	if groups < 2 {
		return 0
	}
	return ports / (groups - 1)
}
