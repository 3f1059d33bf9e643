package vlan_test

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/vlan"
)

// Dimension-order routing on a 4x4 mesh in four VLANs, one for each row of senders.
func ExampleDimensionOrder() {
	mesh, err := topo.Parse("mesh:4x4")
	if err != nil {
		panic(err)
	}
	set, err := vlan.DimensionOrder(mesh, nil, 2) // identifiers from 2 on
	if err != nil {
		panic(err)
	}
	for k := range set.Len() {
		fmt.Println("VLAN", set.At(k).ID, "has", len(set.At(k).Links), "links")
	}
	fmt.Println("host 0 sends to host 15 in VLAN", set.At(set.Use(0, 15)).ID)
	fmt.Println("host 15 sends to host 0 in VLAN", set.At(set.Use(15, 0)).ID)
	// Output:
	// VLAN 2 has 15 links
	// VLAN 3 has 15 links
	// VLAN 4 has 15 links
	// VLAN 5 has 15 links
	// host 0 sends to host 15 in VLAN 2
	// host 15 sends to host 0 in VLAN 5
}

// The links of a VLAN are a tree.
func ExampleNew() {
	ring, err := topo.Parse("ring:4")
	if err != nil {
		panic(err)
	}
	_, err = vlan.New(ring, []vlan.VLAN{{ID: 10, Links: []model.LinkID{0, 1, 2, 3}, Hosts: vlan.AllHosts(ring)}})
	fmt.Println(err)
	set, err := vlan.New(ring, []vlan.VLAN{{ID: 10, Links: []model.LinkID{0, 1, 2}, Hosts: vlan.AllHosts(ring)}})
	if err != nil {
		panic(err)
	}
	if err := set.SetUse(0, 3, 0); err != nil {
		panic(err)
	}
	fmt.Println("host 0 to host 3:", set.Use(0, 3) != vlan.None, "back:", set.Use(3, 0) != vlan.None)
	// Output:
	// vlan: VLAN 10 has a loop: (3) port 1, (0) port 1, (1) port 1, (2) port 1, and back
	// host 0 to host 3: true back: false
}
