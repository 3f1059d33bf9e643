package cert

// This file judges the claim minimal: every hop leads nearer to the destination, so every path is a shortest path.

// farther judges a packet whose last hop does not decrease the distance to its destination. The distance is the number of links on a
// shortest path of the network.
func (r *Routing) farther(claim *Claim) error {
	p, err := Single(claim)
	if err != nil {
		return err
	}
	last, err := r.Follow(claim.Claim, 0, p)
	if err != nil {
		return err
	}
	if len(p.Path) < 4 || int(last.VC) >= r.LinkVCs() {
		return Reject(claim.Claim, "the path does not end with a hop to another switch")
	}
	_, ends := r.Traffic()
	distance := r.distances(r.Head[r.Injection(ends[p.Destination])])
	from, to := r.Head[p.Path[len(p.Path)-4]/r.VCs], r.Head[last.VC/r.VCs]
	if a, b := distance[from], distance[to]; a < 0 || b < a {
		return Reject(claim.Claim, "the last hop leads from distance %d to distance %d", a, b)
	}
	return nil
}

// distances returns the fewest links from each switch to a switch, or -1.
func (n *Wiring) distances(to int32) []int {
	list := make([]int, n.Switches)
	for u := range list {
		list[u] = -1
	}
	list[to] = 0
	for queue := []int32{to}; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		for _, x := range n.cables[n.first[u]:n.first[u+1]] {
			if x.out >= n.links { // the cable of an endpoint
				continue
			}
			if v := n.Head[x.out]; list[v] < 0 {
				list[v] = list[u] + 1
				queue = append(queue, v)
			}
		}
	}
	return list
}
