package cert_test

import (
	"bytes"
	"fmt"

	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/summary"
)

// Two switches, a host at each; nothing else is needed for a certificate.
func Example() {
	ranks, pairs, hops := cert.Ints{0, 1}, int64(2), int64(2)
	c := &cert.Certificate{
		Schema: cert.Schema,
		Subject: cert.Subject{
			Switching: "vct",
			Network: cert.Network{
				VCs:       1,
				Switches:  []string{"left", "right"},
				Links:     cert.Ints{0, 1, 1, 1}, // port 1 of left, port 1 of right
				Endpoints: []string{"a", "b"},
				Attach:    cert.Ints{0, 2, 1, 2}, // port 2 of each
				Hosts:     2,
			},
			Table: &cert.Table{
				Sources:      2,
				Destinations: cert.Ints{0, 1},
				LIDs:         cert.Ints{11, 12},
				Ports:        cert.Ints{2, 1, 1, 2}, // to a from left and right, to b
			},
		},
		Claims: []cert.Claim{
			{Claim: cert.ClaimAcyclic, Verdict: cert.Proved, Evidence: cert.EvidenceNumbering, Ranks: &ranks},
			{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceAcyclic},
			{Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceWalk, Pairs: &pairs},
			{Claim: cert.ClaimLivelockFree, Verdict: cert.Proved, Evidence: cert.EvidenceLongest, Hops: &hops},
		},
	}
	var file bytes.Buffer
	if err := cert.Write(&file, c); err != nil {
		fmt.Println(err)
	}
	c, err := cert.Read(&file)
	if err == nil {
		err = cert.Check(c)
	}
	fmt.Println("error:", err)
	fmt.Print(summary.Text(c))

	hops = 3
	c.Claims[3].Hops = &hops
	fmt.Println(cert.Check(c))
	// Output:
	// error: <nil>
	// subject: 2 switches, 1 links, 2 hosts, 0 management endpoints, 1 VCs per channel, vct switching
	// routing: forwarding table of 2 destinations at 2 switches, 2 sources, VC by class
	// claim: acyclic-cdg proved by numbering, 2 ranks
	// claim: deadlock-free proved by acyclic-cdg
	// claim: connected proved by walk, 2 pairs
	// claim: livelock-free proved by longest-path, 2 switches at most
	// premises: a buffer holds whole packets, a packet waits for any VC permitted and keeps asking, arrived packets are consumed, packets with no next hop are dropped, messages do not wait for one another
	// claim livelock-free: a packet passes 2 switches at most, not 3
}
