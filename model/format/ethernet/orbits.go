package ethernet

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/ethernet/symmetric"
)

// This file lists failures. Those that a symmetry of the fabric maps to each other are one.

// Orbit is a failure that stands for Like failures symmetric to it, itself included.
type Orbit struct {
	Down
	Like int
}

// mostFailures limits the pairs of parts that fail, symmetric ones included.
const mostFailures = 20_000_000

// Failures lists the failures of one part or of two parts at once: cables if ofSwitches is false. It fails if there are too many.
// Cost: O(failures × symmetries).
func (f *Fabric) Failures(ofSwitches bool, atOnce int, r *Rerouting) ([]Orbit, error) {
	cables := f.Cables()
	n := len(cables)
	if ofSwitches {
		n = f.Switches()
	}
	if atOnce == 2 && n*(n-1)/2 > mostFailures {
		return nil, fmt.Errorf("%d failures; want at most %d", n*(n-1)/2, mostFailures)
	}
	var images [][]int // of the parts
	for _, a := range f.symmetries(r) {
		image := make([]int, n)
		for i := range image {
			if ofSwitches {
				image[i] = int(a.Switch(model.SwitchID(i)))
			} else {
				image[i] = int(a.Channel(model.ChannelID(2*i)) / 2)
			}
		}
		images = append(images, image)
	}
	part := func(x *Down, i int) {
		if ofSwitches {
			x.Switches = append(x.Switches, i)
		} else {
			x.Cables = append(x.Cables, cables[i])
		}
	}
	var list []Orbit
	if atOnce == 1 {
		for i, like := range orbitsOf(n, images) {
			if like > 0 {
				list = append(list, Orbit{Like: like})
				part(&list[len(list)-1].Down, i)
			}
		}
		return list, nil
	}
	for k, like := range orbitsOfPairs(n, images) {
		if like > 0 {
			list = append(list, Orbit{Like: like})
			i, j := pairOf(k)
			part(&list[len(list)-1].Down, i)
			part(&list[len(list)-1].Down, j)
		}
	}
	return list, nil
}

// orbitsOf returns the size of the orbit of each element that is the first of its orbit, and 0 of the others.
func orbitsOf(n int, images [][]int) []int {
	sets := symmetric.NewSets(n)
	for _, image := range images {
		for i, j := range image {
			sets.Join(i, j)
		}
	}
	return sizes(sets)
}

func sizes(sets symmetric.Sets) []int {
	list := make([]int, len(sets))
	for i := range sets {
		list[sets.Find(i)]++
	}
	return list
}

// orbitsOfPairs does the same for pairs, see pairOf.
func orbitsOfPairs(n int, images [][]int) []int {
	sets := symmetric.NewSets(n * (n - 1) / 2)
	for _, image := range images {
		for j := range n {
			for i := range j {
				sets.Join(numberOf(i, j), numberOf(image[i], image[j]))
			}
		}
	}
	return sizes(sets)
}

// numberOf returns the number of a pair of different elements.
func numberOf(i, j int) int {
	if i > j {
		i, j = j, i
	}
	return j*(j-1)/2 + i
}

// pairOf returns the pair i < j with a number.
func pairOf(k int) (i, j int) {
	for j = 1; j*(j+1)/2 <= k; j++ {
	}
	return k - j*(j-1)/2, j
}
