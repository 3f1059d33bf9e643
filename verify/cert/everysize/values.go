package everysize

// This file defines the values of programs.
//
// Types: nil for None, bool, int64, string, *symbol, *list, tuple, place, direction, ejection, input,
// *function, builtin.

const (
	noTarget   targetKind = iota // of grids
	toValue                      // to(d, v)
	toOthers                     // others(d): every other value
	toDeroutes                   // deroutes(d): every other value except that of the destination
)

// maxCoefficient is the largest absolute value of a coefficient of a symbol, and of its denominator.
const maxCoefficient = 1 << 30

// symbol is the number num/den, which is an integer under the conditions of the run.
type symbol struct {
	num Form
	den int64
}

type list struct {
	items  []any
	frozen bool // a value of the top level, or iterated over
	loops  int  // that iterate over it
}

type (
	tuple     []any
	place     []any // coordinates
	direction int   // 2d is plus in dimension d, 2d+1 is minus
	ejection  struct{}
	input     struct{}
	builtin   string
)

// noDirection is the direction of a packet that has just been created.
const noDirection direction = -1

func (d direction) dim() int   { return int(d) / 2 }
func (d direction) plus() bool { return d&1 == 0 }

// function is a function of a program with the scope of its definition.
type function struct {
	def   *stmt
	outer *scope
}

// scope holds the variables of a call, of a comprehension, or of the top level.
type scope struct {
	names  map[string]bool // that the scope binds
	values map[string]any  // those that have a value by now
	outer  *scope
}

// find returns the scope that binds a name, or nil.
func (s *scope) find(name string) *scope {
	for s != nil && !s.names[name] {
		s = s.outer
	}
	return s
}

// freeze makes the lists within a value immutable.
func freeze(v any) {
	switch v := v.(type) {
	case *list:
		if !v.frozen {
			v.frozen = true
			for _, x := range v.items {
				freeze(x)
			}
		}
	case tuple:
		for _, x := range v {
			freeze(x)
		}
	case *function: // functions of the top level have no scope of their own
	}
}

// elements returns the elements of a list, tuple or place.
func elements(v any) ([]any, bool) {
	switch v := v.(type) {
	case *list:
		return v.items, true
	case tuple:
		return v, true
	case place:
		return v, true
	}
	return nil, false
}

// target is a hop that an output names. It is comparable as long as it has no value.
type target struct {
	dim  int
	kind targetKind
	to   *symbol // of toValue
}

type targetKind int
