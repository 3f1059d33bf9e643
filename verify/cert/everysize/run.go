package everysize

import (
	"fmt"
	"strings"
)

// This file runs a program on unknown numbers, once for each path that it can take.
//
// Every comparison of unknown numbers is a choice. A run repeats the choices of the run before it,
// except for the last that has another alternative: depth-first search. An alternative counts
// as possible unless its conditions are shown to contradict the run. An
// alternative that is possible in fact is never left out then, so the paths cover all cases.
//
// The direction, VC and header state of the packet are choices as well, when the program reads them.

// explore calls execute for each sequence of choices, and returns the paths.
func (m *machine) explore(execute func()) (paths []path, err error) {
	m.choices = nil
	for {
		m.depth, m.guard, m.facts, m.work, m.calls, m.nesting, m.line = 0, nil, always, 0, nil, 0, 0
		m.path = path{anyDir: true, vc: -1, state: -1}
		dead, err := m.once(execute)
		if err != nil {
			return nil, err
		}
		if !dead {
			m.path.guard = and(m.guard...)
			if paths = append(paths, m.path); len(paths) > maxPaths {
				return nil, fmt.Errorf("more than %d paths%s", maxPaths, m.busiest())
			}
		}
		if !m.nextChoice() {
			return paths, nil
		}
	}
}

// busiest names the line of the program with the most choices of the run.
func (m *machine) busiest() string {
	count, best := map[int]int{}, 0
	for _, c := range m.choices {
		if count[c.line] += len(c.ways); c.line > 0 && (best == 0 || count[c.line] > count[best]) {
			best = c.line
		}
	}
	if best == 0 {
		return ""
	}
	return fmt.Sprintf(", most of them by the cases of line %d", best)
}

// nextChoice takes the next alternative of the last choice that has one. It returns false if there is none.
func (m *machine) nextChoice() bool {
	for m.choices = m.choices[:m.depth]; len(m.choices) > 0; m.choices = m.choices[:len(m.choices)-1] {
		if c := &m.choices[len(m.choices)-1]; c.current+1 < len(c.open) {
			c.current++
			return true
		}
	}
	return false
}

// once runs execute. dead is true if no packet makes the choices of the run.
func (m *machine) once(execute func()) (dead bool, err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case runError:
			m.path.failed = m.located(x.error)
		case stopped:
			err = x.error
		case deadEnd:
			dead = true
		default:
			panic(x)
		}
	}()
	execute()
	return false, nil
}

// located returns an error of a program for any network with the line of the statement that ran.
func (m *machine) located(err error) error {
	if m.net == nil || m.line == 0 || strings.HasPrefix(err.Error(), "line ") {
		return err
	}
	return fmt.Errorf("line %d: %w", m.line, err)
}

// choose returns the number of the alternative that the run takes.
func (m *machine) choose(ways ...*Formula) int {
	if m.depth == len(m.choices) {
		if m.depth == maxChoices {
			panic(stopped{fmt.Errorf("more than %d choices in a run", maxChoices)})
		}
		c := choice{ways: ways, line: m.line}
		for i, way := range ways {
			f := and(m.base, m.facts, and(m.guard...), way)
			possible := !f.isFalse()
			if possible && !way.isTrue() {
				var err error
				if possible, err = m.possible(f); err != nil {
					panic(stopped{err})
				}
			}
			if possible {
				c.open = append(c.open, i)
			}
		}
		if len(c.open) == 0 {
			panic(deadEnd{})
		}
		m.choices = append(m.choices, c)
	}
	c := &m.choices[m.depth]
	m.depth++
	i := c.open[c.current]
	if len(c.open) > 1 { // a forced choice adds no condition
		m.guard = append(m.guard[:len(m.guard):len(m.guard)], c.ways[i])
	}
	return i
}

// chooseOf returns a number below k.
func (m *machine) chooseOf(k int) int {
	ways := make([]*Formula, k)
	for i := range ways {
		ways[i] = always
	}
	return m.choose(ways...)
}

// inputDir returns the direction of the packet, inputVC its VC. A created packet is on VC 0.
func (m *machine) inputDir() direction {
	if m.path.anyDir {
		first := -1
		if m.path.vc > 0 {
			first = 0
		}
		var dir direction
		if m.complete() {
			if dir = direction(first + m.chooseOf(m.dims-first)); dir != noDirection {
				dir *= 2
			}
		} else {
			dir = direction(first + m.chooseOf(2*m.numAxes()-first))
		}
		m.path.anyDir, m.path.dir = false, dir
		if dir != noDirection && !m.rings(dir.dim()) && !m.complete() {
			m.facts = m.isHead(dir, false)
		}
	}
	return m.path.dir
}

func (m *machine) inputVC() int {
	if m.path.vc >= 0 {
		return m.path.vc
	}
	if m.vcs == 1 || !m.path.anyDir && m.path.dir == noDirection {
		return 0
	}
	m.path.vc = m.chooseOf(m.vcs)
	return m.path.vc
}

// inputWrap returns whether the packet came over a wraparound channel.
func (m *machine) inputWrap() bool {
	if m.kind != "torus" && m.kind != "ring" {
		return false
	}
	dir := m.inputDir()
	return dir != noDirection && m.rings(dir.dim()) && m.choose(m.isHead(dir, false), m.isHead(dir, true)) == 1
}

// spend counts steps.
func (m *machine) spend(steps int) {
	m.total += steps
	if m.total > maxTotal {
		panic(stopped{fmt.Errorf("the runs have more than %d steps", maxTotal)})
	}
	if m.work += steps; m.work > maxWork {
		fail("more than %d steps", maxWork)
	}
}
