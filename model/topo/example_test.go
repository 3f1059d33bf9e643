package topo_test

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

func ExampleParse() {
	n, err := topo.Parse("torus:8x8,vcs=2,fail=3-4+7")
	if err != nil {
		panic(err)
	}
	fmt.Println(n.NumSwitches(), "switches,", n.NumLinks(), "links,", n.NumHosts(), "hosts;", "switch 7 is now", n.SwitchName(7))
	_, err = topo.Parse("tours:8x8")
	said, _, _ := strings.Cut(err.Error(), ", known are") // all families follow
	fmt.Println(said)
	// Output:
	// 63 switches, 123 links, 63 hosts; switch 7 is now (0,1)
	// topo: tours:8x8: no family "tours" (did you mean torus?)
}

func ExampleFatTreePair() {
	n, err := topo.FatTreePair(8, topo.FatTreePairOptions{Join: "middle"}, topo.Options{})
	if err != nil {
		panic(err)
	}
	c := n.OutAt(32, 9) // the port after the eight of the first middle switch
	fmt.Println(n.NumSwitches(), n.NumLinks(), n.NumHosts(), n.SwitchName(n.Tail(c)), n.SwitchName(n.Head(c)))
	fmt.Println(n.HostLabel(model.HostID(128)), "is at", n.SwitchName(n.Host(128).Switch))
	// Output:
	// 160 528 256 a.middle0 b.middle0
	// h128 is at b.leaf0
}

func ExampleFamilies() {
	for _, f := range topo.Families()[:3] {
		fmt.Println(f.Syntax)
	}
	// Output:
	// mesh:X[xY...][,holes=X.Y+X.Y...][,hosts=N][,vcs=N][,latency=N][,fail=U-V+W...]
	// torus:X[xY...][,holes=X.Y+X.Y...][,wrap=DIMENSIONS][,folded=DIMENSIONS][,hosts=N][,vcs=N][,latency=N][,fail=U-V+W...]
	// ring:N[,hosts=N][,vcs=N][,latency=N][,fail=U-V+W...]
}
