package booksim

import (
	"errors"
	"fmt"
)

// This file has trees: fattree (a K-ary N-tree), qtree (a tree of 4 children) and tree4 (a fat tree of 3 levels).
//
// Source: booksim2, src/networks/fattree.cpp, qtree.cpp, tree4.cpp, and src/routefunc.cpp.

var fatTreeRoutings = []function{
	{name: "nca", leastVC: 1, choice: "drawn", rule: fatTreeNCA, why: "up to a common ancestor by drawn ports, then down, any VC"},
	{name: "anca", leastVC: 1, choice: "drawn", differs: "BookSim takes the less loaded of two drawn ports", rule: fatTreeNCA,
		why: "up to a common ancestor by drawn ports, then down, any VC"},
}

var qTreeRoutings = []function{
	{name: "nca", leastVC: 1, rule: func(*Fabric) rule { return anyVC{ports: qTreePort} }, why: "up to the common ancestor, then down, any VC"},
}

var tree4Routings = []function{
	{name: "nca", leastVC: 1, choice: "drawn", rule: func(*Fabric) rule { return anyVC{ports: tree4Ports} },
		why: "up to a common ancestor by drawn ports, then down, any VC"},
	{name: "anca", leastVC: 1, choice: "drawn", rule: func(*Fabric) rule { return anyVC{ports: tree4FirstUp} },
		why: "up to a common ancestor by the first port, then down, any VC. BookSim 2 loses the other ports, as its route set has one range of VCs for " +
			"each priority"},
}

func buildFatTree(s Shape) (*Fabric, error) {
	k, n := s.K, s.N
	if k < 2 {
		return nil, fmt.Errorf("k = %d: want 2 or more", k)
	}
	level := power(k, n-1)
	if err := tooLarge(n*level, power(k, n)); err != nil {
		return nil, err
	}
	b := newBuilder(n * level)
	for node := range k * level {
		b.node("", (n-1)*level+node/k, node%k, 1)
	}
	for l := range n - 1 { // links from level l down to level l+1
		branch := power(k, n-2-l)
		for pos := range level {
			region, inside := pos/(branch*k), pos%(branch*k)
			for down := range k {
				child := region*branch*k + down*branch + inside%branch
				b.link(l*level+pos, down, (l+1)*level+child, k+inside/branch, 1)
			}
		}
	}
	return b.fabric(k * level)
}

func fatTreeNCA(f *Fabric) rule {
	k, n := f.Shape.K, f.Shape.N
	level := power(k, n-1)
	return anyVC{ports: func(router, dest int, buf []int) []int {
		depth := router / level
		span := power(k, n-depth) // nodes below the router
		if below := router % level / (span / k); dest/span == below {
			return append(buf, dest%span/(span/k))
		}
		for up := range k {
			buf = append(buf, k+up)
		}
		return buf
	}}
}

func buildQTree(s Shape) (*Fabric, error) {
	if s.K != 4 || s.N != 3 {
		return nil, errors.New("BookSim has k = 4 and n = 3 only")
	}
	b := newBuilder(1 + 4 + 16)
	for node := range 64 {
		b.node("", 5+node/4, node%4, 1)
	}
	for child := 1; child < 21; child++ {
		b.link((child-1)/4, (child-1)%4, child, 4, 1)
	}
	return b.fabric(64)
}

func qTreePort(router, dest int, buf []int) []int {
	switch leaf := dest / 4; {
	case router >= 5: // not the leaf of the destination
		return append(buf, 4)
	case router == 0:
		return append(buf, leaf/4)
	case leaf/4 == router-1:
		return append(buf, leaf%4)
	}
	return append(buf, 4)
}

func buildTree4(s Shape) (*Fabric, error) {
	if s.K != 4 || s.N != 3 {
		return nil, errors.New("BookSim has k = 4 and n = 3 only")
	}
	b := newBuilder(4 + 8 + 16) // roots, middle routers, leaves
	for node := range 64 {
		b.node("", 12+node/4, node%4, 1)
	}
	for middle := range 8 {
		for down := range 4 {
			b.link(4+middle, down, 12+4*(middle/2)+down, 4+middle%2, 1)
		}
	}
	for root := range 4 {
		for middle := range 8 {
			b.link(root, middle, 4+middle, 4+root, 1)
		}
	}
	return b.fabric(64)
}

func tree4Ports(router, dest int, buf []int) []int {
	switch leaf := dest / 4; {
	case router >= 12:
		return append(buf, 4, 5)
	case router < 4:
		return append(buf, 2*(leaf/4), 2*(leaf/4)+1)
	case leaf/4 == (router-4)/2:
		return append(buf, leaf%4)
	}
	return append(buf, 4, 5, 6, 7)
}

// tree4FirstUp has only the first of several ports up.
func tree4FirstUp(router, dest int, buf []int) []int {
	if buf = tree4Ports(router, dest, buf); router >= 4 {
		return buf[:1]
	}
	return buf
}
