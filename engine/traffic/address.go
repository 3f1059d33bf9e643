package traffic

import (
	"fmt"
	"math/bits"
)

// Patterns on the bits of the numbers of hosts or switches.
//
// Source: Dally and Towles, table 3.1. An address has b bits, so the network must have 2^b hosts or switches with hosts.

// address makes a permutation from a function of an address a of b bits.
func address(name string, f func(a, b int) int) func(*places, string, uint64) ([]int, error) {
	return func(p *places, _ string, _ uint64) ([]int, error) {
		k := p.len()
		if k&(k-1) != 0 {
			return nil, fmt.Errorf("traffic: %s needs a power of two of %s, the network has %d", name, p.many, k)
		}
		list := make([]int, k)
		for a := range list {
			list[a] = f(a, bits.Len(uint(k))-1)
		}
		return list, nil
	}
}

func shuffle(a, b int) int { return a<<1&(1<<b-1) | a>>(b-1) }

func rotation(a, b int) int { return a>>1 | a&1<<(b-1) }

func complement(a, b int) int { return a ^ (1<<b - 1) }

func reversal(a, b int) int { return int(bits.Reverse64(uint64(a)) >> (64 - b)) }

// swapped rotates a by b/2 bits: bit i of the result is bit i+b/2 of a.
func swapped(a, b int) int { return a>>(b/2) | a&(1<<(b/2)-1)<<(b-b/2) }
