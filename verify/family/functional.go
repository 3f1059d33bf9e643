package family

// functional is for families that are given, see given.go.
func (d *Decider) functional(places []int) ([]int, map[int]bool, error) { return nil, nil, nil }
