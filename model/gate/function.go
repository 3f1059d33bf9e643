package gate

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
)

// This file implements the evaluation functions, which compare a weighted sum of bits with a
// threshold.
//
//	f1(m):  1 if one of bits 0 to m is set, else 0
//	f2(a):  each bit i of 0 to 16 counts 1 - a*i, or 0 if this is negative
//	f3(a):  each bit i of 0 to 16 counts a^i
//	f4(m):  the number of set bits among bits 0 to m
//
// Source: equations (1) to (5); the thresholds of section 4.1.8. Weights and thresholds are
// integers over a common denominator, so that sums are exact.

// maxHops is the maximum length of VCinfo.
const maxHops = 20

// lastBit is the upper limit of the sums in f2 and f3 in the paper.
const lastBit = 16

// Func is an evaluation function with its parameter and threshold, both as decimal text.
type Func struct {
	Name                 string // f1 to f4
	Parameter, Threshold string
}

// Functions returns the four functions of the paper.
func Functions() []Func {
	return []Func{{"f1", "16", "0"}, {"f2", "0.2", "1.1"}, {"f3", "0.8", "1.1"}, {"f4", "16", "4"}}
}

var funcForm = regexp.MustCompile(`^(f[1-4]):([0-9]{1,2}(?:\.[0-9]{1,4})?)>([0-9]{1,2}(?:\.[0-9]{1,4})?)$`)

// ParseFunc parses f1 to f4, with the parameters of the paper, or NAME:PARAMETER>THRESHOLD.
func ParseFunc(text string) (Func, error) {
	for _, f := range Functions() {
		if f.Name == text {
			return f, nil
		}
	}
	m := funcForm.FindStringSubmatch(text)
	if m == nil {
		return Func{}, errors.New("want f1, f2, f3, f4 or NAME:PARAMETER>THRESHOLD, as in f4:16>4 or f3:0.8>1.1")
	}
	f := Func{m[1], m[2], m[3]}
	_, _, err := f.Weights(maxHops)
	return f, err
}

// String returns the text that ParseFunc parses.
func (f Func) String() string { return f.Name + ":" + f.Parameter + ">" + f.Threshold }

// Weights returns the integer weight of each of the first bits of VCinfo, and the sum above
// which a gate is closed. It fails if the parameter is invalid or the integers need more than
// 62 bits.
func (f Func) Weights(bits int) (weights []int64, most int64, err error) {
	threshold, ok := new(big.Rat).SetString(f.Threshold)
	if !ok {
		return nil, 0, fmt.Errorf("threshold %q", f.Threshold)
	}
	exact, err := f.exact(bits)
	if err != nil {
		return nil, 0, err
	}
	denominator := big.NewInt(1)
	for _, w := range exact {
		g := new(big.Int).GCD(nil, nil, denominator, w.Denom())
		denominator.Div(denominator.Mul(denominator, w.Denom()), g)
	}
	scale := new(big.Rat).SetInt(denominator)
	sum := new(big.Int)
	for _, w := range exact {
		k := new(big.Rat).Mul(w, scale).Num()
		weights = append(weights, k.Int64())
		sum.Add(sum, k)
	}
	limit := threshold.Mul(threshold, scale)
	floor := new(big.Int).Div(limit.Num(), limit.Denom())
	if sum.BitLen() > 62 || floor.BitLen() > 62 {
		return nil, 0, errors.New("too many digits")
	}
	return weights, floor.Int64(), nil
}

// exact returns the weights as fractions.
func (f Func) exact(bits int) ([]*big.Rat, error) {
	weights := make([]*big.Rat, bits)
	for i := range weights {
		weights[i] = new(big.Rat)
	}
	switch f.Name {
	case "f1", "f4":
		m, err := strconv.Atoi(f.Parameter)
		if err != nil || m < 0 || m >= maxHops {
			return nil, fmt.Errorf("parameter of %s is %s; want a number of hops, 0 to %d", f.Name, f.Parameter, maxHops-1)
		}
		for i := range weights[:min(bits, m+1)] {
			weights[i].SetInt64(1)
		}
		return weights, nil
	case "f2", "f3":
		a, ok := new(big.Rat).SetString(f.Parameter)
		if !ok || a.Cmp(big.NewRat(1, 1)) > 0 {
			return nil, fmt.Errorf("parameter of %s is %s; want a factor from 0 to 1", f.Name, f.Parameter)
		}
		power := big.NewRat(1, 1)
		for i := range weights[:min(bits, lastBit+1)] {
			if f.Name == "f3" {
				weights[i].Set(power)
				power.Mul(power, a)
				continue
			}
			weights[i].Sub(big.NewRat(1, 1), new(big.Rat).Mul(a, big.NewRat(int64(i), 1)))
			if weights[i].Sign() < 0 {
				weights[i].SetInt64(0)
			}
		}
		return weights, nil
	}
	return nil, fmt.Errorf("no function %q", f.Name)
}
