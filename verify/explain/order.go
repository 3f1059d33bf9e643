package explain

import (
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// Order returns the numbers of the packets of rep.Configuration in an order for readers. If each packet waits for one packet alone, and all
// are on one cycle, each waits for the next, and the last for the first. Else the order is that of the certificate.
func Order(rep *verify.Report) []int {
	plain := make([]int, len(rep.Configuration))
	holder := map[model.VCID]int{}
	for i := range plain {
		plain[i] = i
		if rep.Flits != nil { // heads may have arrived or be behind others
			continue
		}
		for _, s := range rep.Held(i) {
			holder[s.VC] = i
		}
	}
	var order []int
	for i := 0; len(order) < len(plain); {
		next := -1
		for _, v := range rep.WaitsFor(i) {
			k, ok := holder[v]
			if !ok || next >= 0 && next != k {
				return plain
			}
			next = k
		}
		if next < 0 || slices.Contains(order, i) {
			return plain
		}
		order = append(order, i)
		i = next
	}
	return order
}
