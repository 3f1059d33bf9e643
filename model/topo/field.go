package topo

import "fmt"

// This file computes in finite fields.
//
// Element e of the field of q = p^k elements is the polynomial whose coefficients are the digits of e in base p, modulo a
// primitive polynomial of degree k. Source: Lidl, Niederreiter, Finite fields, 1983, chapters 2 and 3. Cost: O(q) time and
// memory, after a search among the polynomials of degree k.

// field is a finite field.
type field struct {
	p, q  int
	power []int // by exponent: the power of the primitive element x
	log   []int // by element other than 0: its exponent
}

// maxField is the greatest number of elements of a field.
const maxField = 1 << 10

// newField returns the field of q elements. It fails if q is no prime power from 2 to maxField.
func newField(q int) (*field, error) {
	p, k := primePower(q)
	if p == 0 || q > maxField {
		return nil, fmt.Errorf("no field of %d elements; want a prime power from 2 to %d", q, maxField)
	}
	f := &field{p: p, q: q, log: make([]int, q)}
	if k == 1 { // x is a number
		for x := 1; !f.tryPowers(func(e int) int { return e * x % q }); x++ {
		}
		return f, nil
	}
	for tail := 1; ; tail++ { // x^k is the polynomial tail
		top := q / p
		if f.tryPowers(func(e int) int {
			product := e % top * p
			for range e / top {
				product = f.add(product, tail)
			}
			return product
		}) {
			return f, nil
		}
	}
}

// tryPowers lists the powers of x, which times multiplies by. It returns false if they are not all elements other than 0.
func (f *field) tryPowers(times func(e int) int) bool {
	f.power = f.power[:0]
	e := 1
	for i := range f.q - 1 {
		if e == 0 || i > 0 && e == 1 {
			return false
		}
		f.power = append(f.power, e)
		f.log[e] = i
		e = times(e)
	}
	return e == 1
}

// add returns a + b.
func (f *field) add(a, b int) int {
	sum := 0
	for place := 1; place < f.q; place *= f.p {
		sum += (a/place + b/place) % f.p * place
	}
	return sum
}

// negative returns -a.
func (f *field) negative(a int) int {
	sum := 0
	for place := 1; place < f.q; place *= f.p {
		sum += (f.p - a/place%f.p) % f.p * place
	}
	return sum
}

// multiply returns a * b.
func (f *field) multiply(a, b int) int {
	if a == 0 || b == 0 {
		return 0
	}
	return f.power[(f.log[a]+f.log[b])%(f.q-1)]
}

// divide returns a / b. b must not be 0.
func (f *field) divide(a, b int) int {
	if a == 0 {
		return 0
	}
	return f.power[(f.log[a]-f.log[b]+f.q-1)%(f.q-1)]
}

// primePower returns the prime p and the exponent k of q = p^k, or 0, 0 if q is no prime power.
func primePower(q int) (p, k int) {
	if q < 2 {
		return 0, 0
	}
	p = 2
	for q%p != 0 {
		if p++; p*p > q {
			return q, 1
		}
	}
	for q > 1 {
		if q%p != 0 {
			return 0, 0
		}
		q /= p
		k++
	}
	return p, k
}

// nearestPrimePowers names the prime powers below and above q, if these are among 3 to maxField.
func nearestPrimePowers(q int) string {
	if q < 4 || q >= maxField {
		return ""
	}
	isOne := func(q int) bool { p, _ := primePower(q); return p > 0 }
	lower, upper := q-1, q+1
	for !isOne(lower) {
		lower--
	}
	for !isOne(upper) {
		upper++
	}
	return fmt.Sprintf("; the nearest are %d and %d", lower, upper)
}
