package cert_test

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"testing"

	. "github.com/turnproof/turnproof/verify/cert"
)

// mesh is a certificate for an n x n mesh, one host per switch, dimension
// order: all that it claims is known by arithmetic. With several classes, each
// is a VC of its own and all pairs use all of them.
func mesh(n, classes int) *Certificate {
	size := n * n
	w := Network{VCs: classes, Hosts: size}
	var order [][2]int32 // of a channel: what its rank is by, and itself
	link := func(u, v, port, back, up, down int) {
		c := int32(len(w.Links) / 2)
		w.Links = append(w.Links, int32(u), int32(port), int32(v), int32(back))
		order = append(order, [2]int32{int32(up), c}, [2]int32{int32(down), c + 1})
	}
	for u := range size {
		x, y := u%n, u/n
		w.Switches = append(w.Switches, fmt.Sprintf("s%d", u))
		w.Endpoints = append(w.Endpoints, fmt.Sprintf("h%d", u))
		w.Attach = append(w.Attach, int32(u), 5)
		if x+1 < n {
			link(u, u+1, 1, 2, x, n-x)
		}
		if y+1 < n {
			link(u, u+n, 3, 4, 2*n+y, 3*n-y)
		}
	}
	t := &Table{Sources: size}
	for d := range size {
		t.Destinations = append(t.Destinations, int32(d))
		t.LIDs = append(t.LIDs, int32(d+1))
		for u := range size {
			t.Ports = append(t.Ports, int32(xy(u%n, u/n, d%n, d/n)))
		}
	}
	if classes > 1 {
		sets := slices.Repeat(Ints{1<<classes - 1}, size*size)
		t.Classes = &sets
	}
	slices.SortFunc(order, func(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	ranks := make(Ints, len(order)*classes)
	for i, pair := range order {
		for v := range classes {
			ranks[int(pair[1])*classes+v] = int32(i*classes + v)
		}
	}
	pairs, hops := int64(size*(size-1)), int64(2*n-1)
	return &Certificate{
		Schema:  Schema,
		Subject: Subject{Switching: "vct", Network: w, Table: t},
		Claims: []Claim{
			{Claim: ClaimAcyclic, Verdict: Proved, Evidence: EvidenceNumbering, Ranks: &ranks},
			{Claim: ClaimDeadlockFree, Verdict: Proved, Evidence: EvidenceAcyclic},
			{Claim: ClaimConnected, Verdict: Proved, Evidence: EvidenceWalk, Pairs: &pairs},
			{Claim: ClaimLivelockFree, Verdict: Proved, Evidence: EvidenceLongest, Hops: &hops},
		},
	}
}

// xy is the port by dimension order.
func xy(x, y, toX, toY int) int {
	switch {
	case x < toX:
		return 1
	case x > toX:
		return 2
	case y < toY:
		return 3
	case y > toY:
		return 4
	}
	return 5
}

func TestMesh(t *testing.T) {
	for _, classes := range []int{1, 3} {
		accepted(t, mesh(5, classes))
	}
}

// BenchmarkCheck is Check over three decades of table entries.
func BenchmarkCheck(b *testing.B) {
	for _, classes := range []int{1, 4} {
		for _, n := range []int{10, 18, 34} { // 10^4, 1.05*10^5, 1.34*10^6 entries
			c := mesh(n, classes)
			b.Run(fmt.Sprintf("mesh/%dx%d/classes=%d", n, n, classes), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := Check(c); err != nil {
						b.Fatal(err)
					}
				}
				perSecond(b, len(c.Subject.Table.Ports))
			})
		}
	}
}

// BenchmarkRead is Read over the same tables.
func BenchmarkRead(b *testing.B) {
	for _, n := range []int{10, 18, 34} {
		var file bytes.Buffer
		c := mesh(n, 1)
		if err := Write(&file, c); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("mesh/%dx%d", n, n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(file.Len()))
			for b.Loop() {
				if _, err := Read(bytes.NewReader(file.Bytes())); err != nil {
					b.Fatal(err)
				}
			}
			perSecond(b, len(c.Subject.Table.Ports))
		})
	}
}

func perSecond(b *testing.B, entries int) {
	b.ReportMetric(float64(entries)*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/op")
}
