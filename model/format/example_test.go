package format_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/turnproof/turnproof/model/format"
	_ "github.com/turnproof/turnproof/model/format/all"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/topo"
)

const fabric = "../../examples/fabrics/random16-d4-s2/"

func Example() {
	net, _, err := format.ReadNetwork(fabric+"topology.ibnetdiscover", format.Options{})
	if err != nil {
		panic(err)
	}
	table, _, err := lft.Read(fabric+"updn/opensm-lfts.dump.gz", net, format.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(net.NumSwitches(), "switches,", net.NumHosts(), "hosts,", net.NumLinks(), "links")
	fmt.Println(table.Destinations(), "destinations,", table.Entries(), "entries")
	// Output:
	// 16 switches, 64 hosts, 32 links
	// 64 destinations, 1280 entries
}

// BookSim's anynet can represent a ring of three switches. It cannot represent torus:2, which has
// parallel links.
func ExampleWriteNetwork() {
	for _, spec := range []string{"ring:3", "torus:2"} {
		net, err := topo.Parse(spec)
		if err != nil {
			panic(err)
		}
		var cannot *format.CannotHold
		switch err := format.WriteNetwork(os.Stdout, net, "anynet"); {
		case errors.As(err, &cannot):
			fmt.Println(spec, "cannot be written:", cannot)
		case err != nil:
			panic(err)
		}
	}
	// Output:
	// router 0 node 0 router 1
	// router 1 node 1 router 2
	// router 2 node 2 router 0
	// torus:2 cannot be written: format: anynet knows no parallel links: switches (0) and (1) have several
}

// An error in a file has its line.
func ExampleReadNetwork() {
	dir, err := os.MkdirTemp("", "format")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "net.edges")
	if err := os.WriteFile(path, []byte("a b\nb c\nhost a c\n"), 0o600); err != nil {
		panic(err)
	}
	_, _, err = format.ReadNetwork(path, format.Options{})
	var wrong *textfile.Error
	if errors.As(err, &wrong) {
		fmt.Println("line", wrong.Line, wrong.Msg)
	}
	// Output:
	// line 3 host a has the name of something in line 1
}
