package ethernet

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
)

// This file says what the folder shows beside network and routing.

// mostInText is the largest number of valleys in text output.
const mostInText = 8

// Found is the object "ethernet" in the output of check --json.
type Found struct {
	// Levels are the levels of the switches, or null if the network has none.
	Levels map[string]int `json:"levels"`
	// ValleyPaths counts the paths that go down and then up, and ValleyPairs the pairs with one. Both are null if the network has no
	// levels, or if frames can circle.
	ValleyPaths *int64   `json:"valley_paths"`
	ValleyPairs *int64   `json:"pairs_with_valley_paths"`
	Valleys     []Valley `json:"valleys"`
	// Priorities are the verdicts about the frames of each lossless priority group without those of the others. The command check sets them.
	Priorities []PriorityFound `json:"priorities,omitempty"`

	// ASChange is what AS numbers avoid valley paths, or nil; see FindASChange.
	ASChange *ASChange `json:"as_change,omitempty"`

	plain    *relation
	classed  *classed // nil if the folder does not say which priorities are lossless
	switches []*dumps.Switch
	fabric   *Fabric
	index    *routeIndex // or nil, see routeIndex
}

// PriorityFound is the verdict about the frames that enter the fabric in one lossless priority group.
type PriorityFound struct {
	Group        int      `json:"priority_group"`
	DSCPs        []int    `json:"dscps"` // the first of each set that all switches treat the same
	DeadlockFree *bool    `json:"deadlock_free"`
	Reason       string   `json:"reason,omitempty"` // if undecided
	Cycle        []string `json:"cycle"`            // cables with groups, if refuted
}

// ASChange is a change of AS numbers by which the model of BGP has no valley paths.
type ASChange struct {
	Same [][]string `json:"same_number"` // sets of switches, each with one AS number
	Lost int64      `json:"lost_pairs"`  // pairs that are not connected then, and are now
}

// Fabric is a folder that has been read, for questions about failures.
type Fabric struct {
	b      *builder
	rel    *relation
	hasQoS bool
}

// Fabric returns the fabric, for questions about failures.
func (f *Found) Fabric() *Fabric { return f.fabric }

// found returns what the folder shows beside the routing.
func (b *builder) found(r *relation) *Found {
	f := &Found{Valleys: []Valley{}}
	if level := b.levels(); level != nil {
		f.Levels = map[string]int{}
		for u, l := range level {
			f.Levels[b.switches[u].Name] = l
		}
	}
	if v := b.findValleys(r); v != nil {
		f.ValleyPaths, f.ValleyPairs, f.Valleys = &v.Paths, &v.Pairs, append(f.Valleys, v.List...)
	}
	return f
}

// Text returns the lines of text output. Indented ones belong to the line above.
func (f *Found) Text() []string {
	return slices.Concat(f.priorityText(), f.valleyText(), f.changeText())
}

// priorityText returns the lines about the priorities.
func (f *Found) priorityText() (text []string) {
	for _, p := range f.Priorities {
		what := fmt.Sprintf("deadlock-free without the other priorities: frames with DSCP %s, which enter in priority group %d",
			strings.ReplaceAll(strings.Trim(fmt.Sprint(p.DSCPs), "[]"), " ", ", "), p.Group)
		switch {
		case p.DeadlockFree == nil:
			text = append(text, "UNDECIDED  "+what, "      "+p.Reason)
		case *p.DeadlockFree:
			text = append(text, "PROVED     "+what)
		default:
			text = append(text, "REFUTED    "+what, "      "+strings.Join(p.Cycle, ", "))
		}
	}
	return text
}

// valleyText returns the lines about valley paths.
func (f *Found) valleyText() []string {
	switch {
	case f.ValleyPaths == nil:
		return nil
	case *f.ValleyPaths == 0:
		switch {
		case f.classed != nil && len(f.classed.toEnd) > 0:
			return []string{"Valley paths: none, apart from frames in tunnels (dual ToR), which are not counted."}
		case f.fabric.b.hasSideways():
			return []string{"Valley paths: none. Some cables join switches of one level."}
		}
		return []string{"Valley paths: none. All frames go up, then down."}
	}
	count := fmt.Sprint(*f.ValleyPaths)
	if *f.ValleyPaths == math.MaxInt64 {
		count = "very many"
	}
	text := []string{fmt.Sprintf("Valley paths (down, then up again): %s, of %d pairs. Their bends, each with a path:", count, *f.ValleyPairs)}
	for i, x := range f.Valleys {
		if i == mostInText {
			text = append(text, fmt.Sprintf("  and %d more (--json has up to %d)", len(f.Valleys)-i, mostValleys))
			break
		}
		text = append(text, fmt.Sprintf("  %s: %s -> %s by %s", strings.Join(x.Bend, " > "), x.Source, x.Destination, strings.Join(x.Path, " > ")),
			"      "+x.Reason)
		if x.Session != "" {
			text = append(text, "      "+x.Session)
		}
	}
	return text
}

// changeText returns the lines about other AS numbers.
func (f *Found) changeText() []string {
	if f.ASChange == nil {
		return nil
	}
	var sets []string
	for _, names := range f.ASChange.Same {
		sets = append(sets, "one for "+strings.Join(names, ", "))
	}
	text := "no pair is lost"
	switch {
	case f.ASChange.Lost == 1:
		text = "1 pair is lost"
	case f.ASChange.Lost != 0:
		text = fmt.Sprintf("%d pairs are lost", f.ASChange.Lost)
	}
	return []string{fmt.Sprintf("AS numbers without valley paths: %s. By the model of BGP %s.", strings.Join(sets, "; "), text)}
}
