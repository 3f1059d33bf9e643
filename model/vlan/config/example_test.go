package config_test

import (
	"fmt"

	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/model/vlan/config"
)

func ExampleFiles() {
	mesh, err := topo.Parse("mesh:2x2")
	if err != nil {
		panic(err)
	}
	set, err := vlan.DimensionOrder(mesh, nil, 2)
	if err != nil {
		panic(err)
	}
	files, err := config.Files(set, config.Linux, &config.Options{})
	if err != nil {
		panic(err)
	}
	for name := range files {
		fmt.Println(name)
	}
	// Output:
	// README.txt
	// switch0.sh
	// switch1.sh
	// switch2.sh
	// switch3.sh
	// host0-h0.sh
	// host1-h1.sh
	// host2-h2.sh
	// host3-h3.sh
}

func ExampleLinuxHost() {
	line, err := topo.Parse("line:2")
	if err != nil {
		panic(err)
	}
	set, err := vlan.DimensionOrder(line, nil, 2)
	if err != nil {
		panic(err)
	}
	script, err := config.LinuxHost(set, 0, &config.Options{HostInterface: "ens1"})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s", script)
	// Output:
	// #!/bin/sh
	// # host 0, h0: 1 VLANs; written by turnproof
	// # Addresses that were not given are placeholders: MAC 02:00:00:h:h:h and IP 10.h.h.h,
	// # where h.h.h is the host's number plus 1.
	// set -eu
	//
	// ip link set dev ens1 address 02:00:00:00:00:01
	// dcb pfc set dev ens1 prio-pfc all:off 0:on
	// ip link set dev ens1 up
	//
	// ip link add link ens1 name ens1.2 type vlan id 2
	// ip address replace 10.0.0.1/32 dev ens1.2
	// echo 2 > /proc/sys/net/ipv4/conf/ens1.2/rp_filter
	// ip link set dev ens1.2 up
	//
	// ip route replace 10.0.0.2/32 dev ens1.2 src 10.0.0.1
	// ip neigh replace 10.0.0.2 lladdr 02:00:00:00:00:02 dev ens1.2 nud permanent
}
