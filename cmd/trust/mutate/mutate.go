// Package mutate changes single values of certificates, so that checkers can be tried on certificates that no prover writes. Many changes leave
// the claims true.
package mutate

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file changes one value of a certificate, found by reflection.

// Clone copies a certificate.
func Clone(c *cert.Certificate) *cert.Certificate {
	text, err := json.Marshal(c)
	m := new(cert.Certificate)
	if err == nil {
		err = json.Unmarshal(text, m)
	}
	if err != nil {
		panic(err) // a certificate can be written and read
	}
	return m
}

// Presence is the end of the name of a pointer; the value that it points to has the name without it.
const Presence = "?"

// Fields returns the values in a certificate by the names of their fields. Values of all elements of
// a list have the same name, so that a long list is not chosen more often than a short one.
func Fields(c *cert.Certificate) map[string][]reflect.Value {
	all := map[string][]reflect.Value{}
	var walk func(name string, v reflect.Value)
	walk = func(name string, v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				walk(name+"."+v.Type().Field(i).Name, v.Field(i))
			}
			return
		case reflect.Slice:
			for i := 0; v.Type().Elem().Kind() == reflect.Struct && i < v.Len(); i++ {
				walk(name, v.Index(i))
			}
		case reflect.Pointer:
			if !v.IsNil() {
				walk(name, v.Elem())
			}
			name += Presence
		}
		all[name] = append(all[name], v)
	}
	walk("", reflect.ValueOf(c).Elem())
	delete(all, ".Digest") // cert.Write sets it
	return all
}

// Change changes a random value of c, sometimes to a value that another certificate has there. other draws one.
func Change(rng *rand.Rand, c *cert.Certificate, other func() *cert.Certificate) {
	all := Fields(c)
	names := slices.Sorted(maps.Keys(all))
	if rng.IntN(2) == 0 {
		names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, ".Claims") })
	}
	name := Pick(rng, names)
	// To fill or to remove a field breaks most certificates.
	for (IsAbsent(all[name]) || strings.HasSuffix(name, Presence)) && rng.IntN(40) > 0 {
		name = Pick(rng, names)
	}
	v := Pick(rng, all[name])
	from := 4 // one change in four takes the value of another certificate
	if v.Kind() == reflect.String {
		from = 1
	}
	if there := Fields(Clone(other()))[name]; len(there) > 0 && rng.IntN(from) == 0 {
		if x := Pick(rng, there); x.Type() == v.Type() && !reflect.DeepEqual(x.Interface(), v.Interface()) {
			v.Set(x)
			return
		}
	}
	ChangeValue(rng, v)
}

// IsAbsent reports whether all values of a field are empty.
func IsAbsent(list []reflect.Value) bool {
	return !slices.ContainsFunc(list, func(v reflect.Value) bool { return !v.IsZero() })
}

// ChangeValue changes a value by its type.
func ChangeValue(rng *rand.Rand, v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case *int:
		*x = int(number(rng, int64(*x)))
	case *int64:
		*x = number(rng, *x)
	case *string:
		*x = Pick(rng, texts)
	case *[]string:
		if len(*x) > 0 && rng.IntN(4) > 0 {
			(*x)[rng.IntN(len(*x))] = Pick(rng, texts)
		} else {
			*x = append(*x, Pick(rng, texts))
		}
	case *cert.Ints:
		*x = numbers(rng, *x)
	case *[]int32:
		*x = numbers(rng, *x)
	default:
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			} else {
				v.SetZero()
			}
		case reflect.Slice:
			Rearrange(v, Order(rng, v.Len()))
		}
	}
}

// texts forge lines, steer terminals, or are hard to write in JSON.
var texts = []string{"", "<&>", "a\"b", "x", "a/b", "a\naccepted", "a\rdeadlock-free proved", "\x1b[2J", "\u009b2J", "\u202egnp", "\u2028b", "\x00", "\"},"}

// Pick returns a random element.
func Pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

func number(rng *rand.Rand, x int64) int64 {
	return Pick(rng, []int64{x + 1, x - 1, x + 1, x - 1, x + 1, x - 1, x * 2, 0, -1, 1 << 31, 1 << 62, 1<<63 - 1})
}

// numbers changes a few numbers of a list, or removes or repeats a few.
func numbers(rng *rand.Rand, x []int32) []int32 {
	if len(x) == 0 {
		return append(x, 0)
	}
	i, j := rng.IntN(len(x)), rng.IntN(len(x))
	end := min(len(x), i+1+rng.IntN(3))
	switch rng.IntN(12) {
	case 0:
		return slices.Delete(x, i, end)
	case 1:
		return slices.Insert(x, i, slices.Clone(x[i:end])...)
	case 2:
		x[i] = Pick(rng, []int32{-1, 0, 1<<31 - 1, -1 << 31})
	case 3:
		x[i], x[j] = x[j], x[i]
	case 4:
		x[i] = x[j]
	case 5:
		x[i] ^= 1 << (rng.IntN(17) * rng.IntN(2)) // a flag, or a bit of a set
	case 6, 7, 8:
		for range 1 + rng.IntN(4) { // neighbours in an order
			i = rng.IntN(len(x))
			if j = slices.Index(x, x[i]+1); j >= 0 {
				x[i], x[j] = x[j], x[i]
			}
		}
	default:
		x[i] += Pick(rng, []int32{1, -1, 2, -2})
	}
	return x
}

// Order returns places of a list of n elements without one, with all twice, rotated, or with two
// exchanged.
func Order(rng *rand.Rand, n int) (places []int) {
	for i := range n {
		places = append(places, i)
	}
	if n == 0 {
		return nil
	}
	i, j := rng.IntN(n), rng.IntN(n)
	switch rng.IntN(4) {
	case 0:
		return slices.Delete(places, i, i+1)
	case 1:
		return slices.Concat(places, places)
	case 2:
		return slices.Concat(places[i:], places[:i])
	}
	places[i], places[j] = places[j], places[i]
	return places
}

// Rearrange makes a list of its elements at some places.
func Rearrange(v reflect.Value, places []int) {
	list := reflect.MakeSlice(v.Type(), 0, len(places))
	for _, i := range places {
		list = reflect.Append(list, v.Index(i))
	}
	v.Set(list)
}
