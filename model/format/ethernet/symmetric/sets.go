package symmetric

// Sets are disjoint sets of 0 to n-1 (Tarjan 1975).
type Sets []int32

// NewSets returns n sets of one element.
func NewSets(n int) Sets {
	s := make(Sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

// Find returns the smallest element of the set of i.
func (s Sets) Find(i int) int {
	for int(s[i]) != i {
		s[i] = s[s[i]]
		i = int(s[i])
	}
	return i
}

// Join joins the sets of two elements.
func (s Sets) Join(i, j int) {
	if i, j = s.Find(i), s.Find(j); i < j {
		s[j] = int32(i)
	} else {
		s[i] = int32(j)
	}
}
