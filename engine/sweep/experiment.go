package sweep

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// This file declares experiments, checks them, and lists their points.

// Experiment describes simulations of every combination of network, routing, traffic, load and
// seed.
type Experiment struct {
	Networks, Routings, Traffics []string
	Loads                        []float64 // flits per clock and host, 0 to 1
	Seeds                        []uint64  // defaults to a single seed, 1
	Settings                     Settings
}

// MaxPoints is the largest number of points of an experiment.
const MaxPoints = 1_000_000

// Error is an error in an experiment.
type Error struct {
	File string // empty if the experiment is not from a file
	Line int    // 0 if unknown
	Key  string // key of the file, or empty if the error is not about a single key
	Msg  string
	Err  error // the cause, or nil

	index int // index of the wrong value in a list, or -1 for the key as a whole
}

// Error implements error.
func (e *Error) Error() string {
	switch {
	case e.File == "":
		return "sweep: " + e.Msg
	case e.Line == 0:
		return "sweep: " + e.File + ": " + e.Msg
	}
	return fmt.Sprintf("sweep: %s:%d: %s", e.File, e.Line, e.Msg)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func faultf(key, format string, a ...any) *Error {
	return &Error{Key: key, Msg: fmt.Sprintf(format, a...), index: -1}
}

// clip shortens s for quoting it in a message.
func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}

// Points returns all points, sorted by network, then routing, traffic, load and seed. Each list
// keeps its order.
func (e *Experiment) Points() []Point {
	list := make([]Point, 0, e.size())
	for _, network := range e.Networks {
		for _, routing := range e.Routings {
			for _, traffic := range e.Traffics {
				for _, load := range e.Loads {
					for _, seed := range e.Seeds {
						list = append(list, Point{network, routing, traffic, load, seed, e.Settings})
					}
				}
			}
		}
	}
	return list
}

// size returns the number of points, or MaxPoints+1 if there are more than MaxPoints.
func (e *Experiment) size() int {
	k := 1
	for _, list := range []int{len(e.Networks), len(e.Routings), len(e.Traffics), len(e.Loads), len(e.Seeds)} {
		k = min(k*min(list, MaxPoints+1), MaxPoints+1)
	}
	return k
}

// Check fills in defaults and returns the first error. If each is not nil, Check calls it with the
// first point of every combination of network, routing and traffic. each returns an error if these
// do not fit, for example if the routing does not support the network.
func (e *Experiment) Check(each func(Point) error) error {
	if len(e.Seeds) == 0 {
		e.Seeds = []uint64{1}
	}
	e.Settings.defaults()
	if err := e.checkLists(); err != nil {
		return err
	}
	if err := e.Settings.check(); err != nil {
		return err
	}
	if each == nil {
		return nil
	}
	return e.checkEach(each)
}

// checkEach reports the first combination that does not fit, and the number of others.
func (e *Experiment) checkEach(each func(Point) error) error {
	few := *e
	few.Loads, few.Seeds = e.Loads[:1], e.Seeds[:1]
	var first *Error
	bad := 0
	for _, p := range few.Points() {
		err := each(p)
		if err == nil {
			continue
		}
		if bad++; first == nil {
			first = faultf("", "%s, %s, %s: %s", p.Network, p.Routing, p.Traffic, err)
			first.Err = err
		}
	}
	switch {
	case bad == 0:
		return nil
	case bad > 1:
		first.Msg += fmt.Sprintf(" (and %d more combinations of network, routing and traffic)", bad-1)
	}
	return first
}

func (e *Experiment) checkLists() error {
	if err := checkWords("networks", e.Networks); err != nil {
		return err
	}
	if err := checkWords("routings", e.Routings); err != nil {
		return err
	}
	if err := checkWords("traffics", e.Traffics); err != nil {
		return err
	}
	for i, load := range e.Loads {
		if !(load >= 0 && load <= 1) {
			return &Error{Key: "loads", Msg: fmt.Sprintf("a load of %v flits per clock and host, allowed are 0 to 1", load), index: i}
		}
	}
	if err := checkDistinct("loads", "load", e.Loads); err != nil {
		return err
	}
	if err := checkDistinct("seeds", "seed", e.Seeds); err != nil {
		return err
	}
	if e.size() > MaxPoints {
		return faultf("", "more than %d points", MaxPoints)
	}
	return nil
}

// checkWords rejects empty words, repeated words, and words that look like the second half of a
// spec that was split at its comma.
func checkWords(key string, list []string) error {
	for i, word := range list {
		if strings.TrimSpace(word) == "" {
			return &Error{Key: key, Msg: "an empty word", index: i}
		}
		if i > 0 && key == "networks" && strings.Contains(word, "=") && !strings.Contains(word, ":") {
			return &Error{Key: key, Msg: fmt.Sprintf("%q is no network: in [...] a spec with a comma must be in quotes", clip(word)), index: i}
		}
	}
	return checkDistinct(key, strings.TrimSuffix(key, "s"), list)
}

func checkDistinct[T comparable](key, what string, list []T) error {
	if len(list) == 0 {
		return faultf(key, "no %s, one at least is needed", key)
	}
	seen := make(map[T]bool, len(list))
	for i, v := range list {
		if seen[v] {
			return &Error{Key: key, Msg: fmt.Sprintf("%s %s is there twice, so points are", what, clip(fmt.Sprint(v))), index: i}
		}
		seen[v] = true
	}
	return nil
}

// Range returns the loads from, from+step, from+2*step and so on, up to to. It includes to if that
// is a whole number of steps from the start. Loads are rounded to 12 digits, which removes
// rounding errors such as 0.30000000000000004.
func Range(from, to, step float64) ([]float64, error) {
	if !(from >= 0 && to >= from && to <= 1 && step > 0) {
		return nil, fmt.Errorf("sweep: loads from %v to %v by %v, 0 <= from <= to <= 1 and step > 0 was expected", from, to, step)
	}
	steps := math.Floor((to-from)/step + 1e-9)
	if steps >= MaxPoints {
		return nil, fmt.Errorf("sweep: loads from %v to %v by %v are more than %d", from, to, step, MaxPoints)
	}
	var list []float64
	for i := range int(steps) + 1 {
		load, err := strconv.ParseFloat(strconv.FormatFloat(from+float64(i)*step, 'g', 12, 64), 64)
		if err != nil {
			return nil, err
		}
		list = append(list, load)
	}
	return list, nil
}
