package noxim

// This file has the routing algorithms of Noxim. Row 0 is in the north.
//
// Source: davidepatti/noxim, src/routingAlgorithms/Routing_*.cpp.

type direction uint8

const (
	north direction = iota
	east
	south
	west
)

// place is where a packet is and where it goes, with the column of its source if the algorithm looks at it.
type place struct{ x, y, toX, toY, source int }

type algorithm struct {
	name, about string
	bySource    bool // it looks at the column of the source
	directions  func(p place, buf []direction) []direction
}

// columns returns how many columns of sources the algorithm tells apart.
func (a *algorithm) columns(x int) int {
	if a.bySource {
		return x
	}
	return 1
}

var algorithms = []algorithm{
	{"XY", "dimension order, x first", false, xy},
	{"WEST_FIRST", "no turn to the west", false, westFirst},
	{"NORTH_LAST", "no turn out of the north", false, northLast},
	{"NEGATIVE_FIRST", "west and south before east and north", false, negativeFirst},
	{"ODD_EVEN", "no turn out of the east in even columns, none to the west in odd ones", true, oddEven},
	// DYAD takes the first direction of ODD_EVEN unless the router is congested.
	{"DYAD", "ODD_EVEN, or only its first direction without congestion", true, oddEven},
}

func algorithmOf(name string) *algorithm {
	for i := range algorithms {
		if algorithms[i].name == name {
			return &algorithms[i]
		}
	}
	return nil
}

func names() (list []string) {
	for _, a := range algorithms {
		list = append(list, a.name)
	}
	return list
}

func xy(p place, buf []direction) []direction {
	switch {
	case p.toX > p.x:
		return append(buf, east)
	case p.toX < p.x:
		return append(buf, west)
	case p.toY > p.y:
		return append(buf, south)
	}
	return append(buf, north)
}

// vertical is the direction to the row of the destination.
func vertical(p place) direction {
	if p.toY < p.y {
		return north
	}
	return south
}

func westFirst(p place, buf []direction) []direction {
	if p.toX <= p.x || p.toY == p.y {
		return xy(p, buf)
	}
	return append(buf, vertical(p), east)
}

func northLast(p place, buf []direction) []direction {
	switch {
	case p.toX == p.x || p.toY <= p.y:
		return xy(p, buf)
	case p.toX < p.x:
		return append(buf, south, west)
	}
	return append(buf, south, east)
}

func negativeFirst(p place, buf []direction) []direction {
	if p.toX < p.x {
		buf = append(buf, west)
	}
	if p.toY > p.y {
		buf = append(buf, south)
	}
	if len(buf) > 0 {
		return buf
	}
	if p.toX > p.x {
		buf = append(buf, east)
	}
	if p.toY < p.y {
		buf = append(buf, north)
	}
	return buf
}

func oddEven(p place, buf []direction) []direction {
	switch {
	case p.toX == p.x:
		return append(buf, vertical(p))
	case p.toX < p.x:
		if buf = append(buf, west); p.x%2 == 0 && p.toY != p.y {
			buf = append(buf, vertical(p))
		}
		return buf
	case p.toY == p.y:
		return append(buf, east)
	}
	if p.x%2 == 1 || p.x == p.source {
		buf = append(buf, vertical(p))
	}
	if p.toX%2 == 1 || p.toX-p.x != 1 {
		buf = append(buf, east)
	}
	return buf
}
