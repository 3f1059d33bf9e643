package states

// This file has hosts that consume messages and send others because of them.

// consumes reports whether hosts consume packets in the search. Otherwise the run without these packets has all other moves, too.
func (n *net) consumes() bool {
	return n.plain || n.byFlit() || n.Messages != nil
}

// canConsume reports whether a host begins to consume a packet of place p now.
func (n *net) canConsume(s state, p *Place) bool {
	if n.EjectVCs > 0 && n.arriving(s, p) >= n.EjectVCs {
		return false
	}
	if n.Messages == nil {
		return true
	}
	for _, e := range n.Messages.Classes[p.Class].Effects {
		if n.pending(s, p.Host, e) >= n.Messages.Classes[e].Entries {
			return false
		}
	}
	return true
}

// arriving returns the packets of the virtual network of place p that its host is receiving.
func (n *net) arriving(s state, p *Place) (count int) {
	n.eachArriving(s, p.Host, func(q *Place) {
		if n.Buffers[q.Buffer].Network == n.Buffers[p.Buffer].Network {
			count++
		}
	})
	return count
}

// eachArriving calls f for the place of each packet that a host is receiving.
func (n *net) eachArriving(s state, host int, f func(*Place)) {
	for b := range s {
		for i := range s[b] {
			x := &s[b][i]
			if p := &n.Places[x.place]; !p.All && x.given > 0 && p.Next[x.given-1] == Leave && p.Host == host {
				f(p)
			}
		}
	}
}

// pending returns the entries for messages of class e that a host has given away.
func (n *net) pending(s state, host, e int) (count int) {
	for b, list := range s {
		if n.Buffers[b].Kind != Queue || n.Buffers[b].Host != host {
			continue
		}
		for i := range list {
			if n.Places[list[i].place].Class == e {
				count++
			}
		}
	}
	n.eachArriving(s, host, func(p *Place) {
		for _, other := range n.Messages.Classes[p.Class].Effects {
			if other == e {
				count++
			}
		}
	})
	return count
}

// unfinished returns the messages of transactions of a host. With one effect of a message at most, each transaction has one.
func (n *net) unfinished(s state, host int) (count int) {
	for b := range s {
		for i := range s[b] {
			x := &s[b][i]
			isHead := x.given == 0 || n.Places[x.place].Next[x.given-1] == Leave
			if isHead && int(x.origin) == host {
				count++
			}
		}
	}
	return count
}

// effects returns the choices of messages that the host of node x may send because of it: places on queues.
func (n *net) effects(x *node) [][]int {
	list := [][]int{nil}
	if n.Messages == nil {
		return list
	}
	p := &n.Places[x.place]
	for _, e := range n.Messages.Classes[p.Class].Effects {
		starts := n.startsOf(x, p.Host, e)
		if len(starts) == 0 {
			continue // no route: the message is lost
		}
		var longer [][]int
		for _, before := range list {
			for _, q := range starts {
				longer = append(longer, append(append([]int(nil), before...), q))
			}
		}
		list = longer
	}
	return list
}

// startsOf returns the places in which a message of class e can begin.
func (n *net) startsOf(x *node, host, e int) (list []int) {
	starts := n.Messages.Start[e][host]
	switch y := &n.Messages.Classes[e]; y.Dest {
	case ToOrigin:
		return starts[x.origin]
	case ToSender:
		return starts[x.sender]
	default:
		for _, t := range y.To {
			if t != host {
				list = append(list, starts[t]...)
			}
		}
	}
	return list
}

// eachConsumer lets the host begin to consume node i of buffer b by hop k, for each choice of the messages that follow.
func (n *net) eachConsumer(s state, b, i, k int, f func(string, state)) {
	x := s[b][i]
	if p := &n.Places[x.place]; !n.consumes() || !n.canConsume(s, p) {
		return
	}
	for aim := range n.effects(&x) {
		to, y := s.clone(), x
		y.given, y.aim = uint8(k+1), uint8(aim)
		to.set(b, i, y)
		f("consume from "+n.Buffers[b].Name, to)
	}
}

// answer puts the messages into queues that follow node x, which its host has consumed.
func (n *net) answer(s state, x *node) {
	p := &n.Places[x.place]
	for _, q := range n.effects(x)[x.aim] {
		flits := uint8(n.Messages.Classes[n.Places[q].Class].Flits)
		s.push(n.Places[q].Buffer, node{place: uint16(q), flits: flits, in: flits, origin: x.origin, sender: uint8(p.Host)})
	}
}

// eachSent lets the first message of queue b go to the injection channel.
func (n *net) eachSent(s state, b int, f func(string, state)) {
	x := s[b][0]
	q := n.Places[x.place].Next[0]
	lane := n.Places[q].Buffer
	if !n.hasLane(s, lane) {
		return
	}
	to := s.clone()
	to.remove(b, 0)
	x.place = uint16(q)
	to.push(lane, x)
	f("send from "+n.Buffers[b].Name, to)
}
