package traffic

import (
	"fmt"
	"math/bits"

	"github.com/turnproof/turnproof/model"
)

// Patterns on the bits of host numbers.
//
// Source: Dally and Towles, table 3.1. An address has b bits, so the network must have 2^b hosts.

// address makes a pattern from a function of an address a of b bits.
func address(name string, f func(a, b int) int) func(*model.Network, string, uint64) (Pattern, error) {
	return func(n *model.Network, _ string, _ uint64) (Pattern, error) {
		k := n.NumHosts()
		if k&(k-1) != 0 {
			return nil, fmt.Errorf("traffic: %s needs a power of two of hosts, the network has %d", name, k)
		}
		list := make(fixed, k)
		for a := range list {
			list[a] = model.HostID(f(a, bits.Len(uint(k))-1))
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
