package traffic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model"
)

var kinds = []Kind{
	{Name: "uniform", Syntax: "uniform", About: "to all other hosts with equal probability", make: uniform},
	{Name: "uniform-self", Syntax: "uniform-self", About: "to all hosts with equal probability, including the sender (BookSim 2)", make: uniformSelf},
	{Name: "transpose", Syntax: "transpose", About: "on a square grid x and y swapped; else the halves of the address", permute: transpose},
	{Name: "anti-transpose", Syntax: "anti-transpose", About: "on a square grid mirrored at the other diagonal", permute: antiTranspose},
	{Name: "shuffle", Syntax: "shuffle", About: "the address rotated left by a bit", permute: address("shuffle", shuffle)},
	{Name: "bit-rotation", Syntax: "bit-rotation", About: "the address rotated right by a bit", permute: address("bit-rotation", rotation)},
	{Name: "bit-complement", Syntax: "bit-complement", About: "the address with all bits turned", permute: address("bit-complement", complement)},
	{Name: "bit-reversal", Syntax: "bit-reversal", About: "the address read backwards", permute: address("bit-reversal", reversal)},
	{Name: "tornado", Syntax: "tornado", About: "almost half way round in every dimension of a grid; else half of the hosts further", permute: tornado},
	{Name: "shift", Syntax: "shift:HOSTS", About: "a number of hosts further, cyclically", permute: shift},
	{Name: "neighbour", Syntax: "neighbour", About: "one further in every dimension of a grid; else the next host", permute: neighbour},
	{Name: "hotspot", Syntax: "hotspot:SHARE@HOST[+HOST...]", About: "that share to the hosts named, themselves not left out, the rest uniform",
		make: hotspot},
	{Name: "random-pair", Syntax: "random-pair", About: "hosts paired at random; of an odd number one sends none", permute: randomPair},
	{Name: "permutation", Syntax: "permutation[:FILE]", permute: permutation,
		About: "a random permutation without a host that sends to itself; or that of a file, lines SOURCE DESTINATION"},
	{Name: "all-to-all", Syntax: "all-to-all[:first]", make: allToAll,
		About: "to all other hosts in turn, beginning with the next; with :first all begin with the first host"},
	{Name: "matrix", Syntax: "matrix:FILE", make: matrixFile,
		About: "as a file says, lines SOURCE DESTINATION AMOUNT; hosts that send less than the busiest have less load"},
}

// Kinds returns the table.
func Kinds() []Kind { return slices.Clone(kinds) }

// NewPattern makes the pattern of a spec, NAME or NAME:ARGUMENT. If the spec of a permutation ends in ":switches", the permutation
// moves the switches with hosts instead of the hosts. It fails for an unknown name, for a network that the pattern does not
// fit and for a file that cannot be read.
func NewPattern(spec string, n *model.Network, seed uint64) (Pattern, error) {
	name, _, _ := strings.Cut(spec, ":")
	k, err := Find(name)
	if err != nil {
		return nil, fmt.Errorf("traffic: %w", err)
	}
	rest, switches := spec, false
	if k.Permutes() {
		rest, switches = strings.CutSuffix(spec, bySwitches)
	}
	_, argument, given := strings.Cut(rest, ":")
	takes, may := strings.Contains(k.Syntax, ":"), strings.Contains(k.Syntax, "[:")
	switch {
	case given && !takes:
		return nil, fmt.Errorf("traffic: %s takes no argument%s, got %q", name, otherThanSwitches(k), argument)
	case given && argument == "", !given && takes && !may:
		return nil, fmt.Errorf("traffic: %s: %s was expected", spec, k.Syntax)
	case n.NumHosts() < 2:
		return nil, fmt.Errorf("traffic: %s on a network with %d hosts, at least 2 are needed", name, n.NumHosts())
	case k.Permutes():
		return permutationOf(k, n, argument, switches, seed)
	}
	return k.make(n, argument, seed)
}

// otherThanSwitches returns the exception in the error for an argument.
func otherThanSwitches(k Kind) string {
	if k.Permutes() {
		return " except switches"
	}
	return ""
}

// Find returns the kind of a name.
func Find(name string) (Kind, error) {
	return registry.Find("pattern", name, kinds, func(k Kind) string { return k.Name })
}
