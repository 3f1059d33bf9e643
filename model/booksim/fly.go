package booksim

import "fmt"

// This file has K-ary N-flies (butterflies): N stages of routers. Nodes send into the first stage and receive from the last. Channels lead
// forwards only: links have one direction.
//
// Source: booksim2, src/networks/fly.cpp.

var flyRoutings = []function{
	{name: "dest_tag", leastVC: 1, rule: flyTag, why: "the one path to the destination, any VC"},
}

func buildFly(s Shape) (*Fabric, error) {
	k, n := s.K, s.N
	stage, nodes := power(k, n-1), power(k, n)
	if err := tooLarge(n*stage, nodes); err != nil {
		return nil, err
	}
	b := newBuilder(n * stage)
	if n == 1 {
		for node := range nodes {
			b.node("", 0, node, 1)
		}
		return b.fabric(nodes)
	}
	// A port of a router here is an input and an output. Inputs have the ports 0 to k-1, outputs k to 2k-1.
	for node := range nodes {
		b.node(fmt.Sprintf("in%d", node), node/k, node%k, 1)
	}
	for node := range nodes {
		b.node(fmt.Sprintf("out%d", node), (n-1)*stage+node/k, k+node%k, 1)
	}
	for to := 1; to < n; to++ {
		shift := power(k, n-to-1)
		for at := range stage {
			digit := at / shift % k
			for p := range k {
				from := at - digit*shift + p*shift
				b.SetOneWay(b.link((to-1)*stage+from, k+digit, to*stage+at, p, 1))
			}
		}
	}
	f, err := b.fabric(nodes)
	if err == nil {
		f.Split = true
	}
	return f, err
}

func flyTag(f *Fabric) rule {
	k, n := f.Shape.K, f.Shape.N
	stage := power(k, n-1)
	return anyVC{ports: func(router, dest int, buf []int) []int {
		for range n - 1 - router/stage {
			dest /= k
		}
		return append(buf, k+dest%k)
	}}
}
