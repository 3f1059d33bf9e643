package seams

// sources are the kinds of lines by their network.
var sources = []weighted[func(r drawer) *Line]{
	{80, plainLine},
	{8, bookSimLine},
	{12, fabricLine},
}

// draw returns line number k of a seed, with simulations.
func draw(seed, k uint64) *Line {
	r := newDrawer(seed, k)
	l := choose(r, sources)(r)
	if err := l.writeTurns(r); err != nil {
		panic(err)
	}
	for range simsOfLine {
		l.Sims = append(l.Sims, simulation(r, l))
	}
	return l
}

// plainLine draws a network as a spec or a file, and a routing.
func plainLine(r drawer) *Line {
	n := drawNetwork(r)
	l := &Line{Files: map[string]string{}}
	routingOf(r, l, n)
	n.addTo(r, l)
	addOptions(r, l, n.hostNames())
	return l
}
