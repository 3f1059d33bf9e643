package minimum

// This file chooses the variable of the next decision: the one with the highest activity, which is
// the one most involved in recent conflicts. The variables are kept in a heap (Chaff: M. Moskewicz
// et al., DAC 2001).

// choose removes the unassigned variable of highest activity from the heap and returns it. It
// returns -1 if all variables have values.
func (d *decider) choose() int32 {
	for len(d.queue) > 0 {
		if v := d.pop(); d.value[2*v] == 0 {
			return v
		}
	}
	return -1
}

// bump raises the activity of a variable.
func (d *decider) bump(v int32) {
	if d.activity[v] += d.step; d.activity[v] > 1e100 {
		for i := range d.activity {
			d.activity[i] *= 1e-100
		}
		d.step *= 1e-100
	}
	if d.place[v] >= 0 {
		d.up(d.place[v])
	}
}

func (d *decider) enqueue(v int32) {
	d.place[v] = int32(len(d.queue))
	d.queue = append(d.queue, v)
	d.up(d.place[v])
}

func (d *decider) up(i int32) {
	v := d.queue[i]
	for i > 0 {
		p := (i - 1) / 2
		if d.activity[d.queue[p]] >= d.activity[v] {
			break
		}
		d.queue[i] = d.queue[p]
		d.place[d.queue[i]] = i
		i = p
	}
	d.queue[i], d.place[v] = v, i
}

func (d *decider) pop() int32 {
	top, n := d.queue[0], int32(len(d.queue)-1)
	v := d.queue[n]
	d.queue, d.place[top] = d.queue[:n], -1
	if n == 0 {
		return top
	}
	i := int32(0)
	for {
		k := 2*i + 1
		if k >= n {
			break
		}
		if k+1 < n && d.activity[d.queue[k+1]] > d.activity[d.queue[k]] {
			k++
		}
		if d.activity[d.queue[k]] <= d.activity[v] {
			break
		}
		d.queue[i] = d.queue[k]
		d.place[d.queue[i]] = i
		i = k
	}
	d.queue[i], d.place[v] = v, i
	return top
}
