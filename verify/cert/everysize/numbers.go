package everysize

// This file makes numbers of programs.

// value returns num/den as a number if it is constant, else as a symbol.
func value(num Form, den int64) any {
	g := den
	for _, c := range num {
		g = divisor(g, c)
	}
	for v := range num {
		num[v] /= g
	}
	den /= g
	if num.isConstant() && den == 1 {
		return bounded(num[0])
	}
	for _, c := range append(Form{den}, num...) {
		if c > maxCoefficient || c < -maxCoefficient {
			fail("a coefficient beyond %d", maxCoefficient)
		}
	}
	return &symbol{num, den}
}

// numeric reads a number or symbol.
func numeric(v any) (symbol, bool) {
	switch v := v.(type) {
	case int64:
		return symbol{number(v), 1}, true
	case *symbol:
		return *v, true
	}
	return symbol{}, false
}

func bounded(k int64) int64 {
	if k > maxNumber || k < -maxNumber {
		fail("a number beyond %d", int64(maxNumber))
	}
	return k
}
