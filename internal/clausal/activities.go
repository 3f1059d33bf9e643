package clausal

// This file chooses the variable to decide next: the open variable of greatest activity. Equal
// activities go to the smaller variable.

// activities is a heap of variables.
type activities struct {
	heap  []int32
	place []int32 // by variable: 1 + its place in heap, or 0
	value []float64
	step  float64
}

func (a *activities) init(n int) {
	a.place, a.value, a.step = make([]int32, n+1), make([]float64, n+1), 1
	for v := int32(1); v <= int32(n); v++ {
		a.heap = append(a.heap, v)
		a.place[v] = v
	}
}

func (a *activities) before(v, w int32) bool {
	return a.value[v] > a.value[w] || a.value[v] == a.value[w] && v < w
}

// bump increases the activity of a variable.
func (a *activities) bump(v int32) {
	if a.value[v] += a.step; a.value[v] > 1e100 {
		for i := range a.value {
			a.value[i] *= 1e-100
		}
		a.step *= 1e-100
	}
	if a.place[v] > 0 {
		a.up(int(a.place[v]) - 1)
	}
}

// decay lets later bumps count more.
func (a *activities) decay() { a.step /= 0.95 }

// insert adds a variable, unless the heap has it.
func (a *activities) insert(v int32) {
	if a.place[v] == 0 {
		a.heap = append(a.heap, v)
		a.up(len(a.heap) - 1)
	}
}

// next removes and returns the open variable of greatest activity, or 0 if no variable is open.
func (a *activities) next(value []int8) int32 {
	for len(a.heap) > 0 {
		v, last := a.heap[0], len(a.heap)-1
		a.place[v] = 0
		w := a.heap[last]
		if a.heap = a.heap[:last]; last > 0 {
			a.heap[0] = w
			a.down(0)
		}
		if value[v] == 0 {
			return v
		}
	}
	return 0
}

func (a *activities) up(i int) {
	v := a.heap[i]
	for i > 0 && a.before(v, a.heap[(i-1)/2]) {
		a.set(i, a.heap[(i-1)/2])
		i = (i - 1) / 2
	}
	a.set(i, v)
}

func (a *activities) down(i int) {
	v := a.heap[i]
	for {
		k := 2*i + 1
		if k >= len(a.heap) {
			break
		}
		if k+1 < len(a.heap) && a.before(a.heap[k+1], a.heap[k]) {
			k++
		}
		if !a.before(a.heap[k], v) {
			break
		}
		a.set(i, a.heap[k])
		i = k
	}
	a.set(i, v)
}

func (a *activities) set(i int, v int32) { a.heap[i], a.place[v] = v, int32(i)+1 }
