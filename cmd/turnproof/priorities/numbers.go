package priorities

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file reads the numbers of priorities and DSCPs.

// usual are the PFC priorities that operators of SONiC use, the most usual first. Priority 0 is that of other frames.
var usual = []int{3, 4, 2, 6, 5, 7, 1}

// readNumbers reads --lossless and --dscp.
func (r *result) readNumbers() (err error) {
	present, entering := r.fabric.Lossless()
	o := &r.options
	if o.Priorities, err = r.list("lossless", 1, 7); err != nil {
		return err
	}
	if o.Priorities == nil {
		o.Priorities = slices.DeleteFunc(slices.Clone(present), func(p int) bool { return p == 0 })
		for _, p := range usual {
			if !slices.Contains(o.Priorities, p) {
				o.Priorities = append(o.Priorities, p)
			}
		}
	}
	if o.DSCPs, err = r.list("dscp", 0, 63); err != nil {
		return err
	}
	if given := len(o.DSCPs); given > 0 && given < len(o.Priorities) {
		o.Priorities = o.Priorities[:given]
	}
	for i := len(o.DSCPs); i < len(o.Priorities); i++ {
		o.DSCPs = append(o.DSCPs, o.Priorities[i])
	}
	if o.Entering = entering; len(entering) == 0 {
		o.Entering = o.DSCPs[:1]
	}
	return nil
}

// list reads a list of different numbers, or returns nil.
func (r *result) list(flag string, low, high int) (list []int, err error) {
	if r.c.String(flag) == "" {
		return nil, nil
	}
	for _, word := range strings.Split(r.c.String(flag), ",") {
		k, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || k < low || k > high {
			return nil, fmt.Errorf("--%s %q; want numbers from %d to %d, separated by commas", flag, word, low, high)
		}
		if slices.Contains(list, k) {
			return nil, fmt.Errorf("--%s has %d twice", flag, k)
		}
		list = append(list, k)
	}
	return list, nil
}
