package seams

import (
	"fmt"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges the packets of a refutation under the stated sizes.

// tooLong returns why a packet of a refutation cannot hold the VCs that it is said to hold, or "". A packet that waits on k
// VCs has filled the buffers of all of them but the oldest, so it has more flits than k-1 buffers.
func tooLong(c *cert.Certificate, s sizes) string {
	x := c.Claim(cert.ClaimDeadlockFree)
	if x == nil || x.Evidence != cert.EvidenceWorms || x.Holds == nil || s.packet == 0 || s.buffer == 0 {
		return ""
	}
	for i, k := range *x.Holds {
		if unfilled(s.packet, s.buffer, int(k)) {
			return fmt.Sprintf("packet %d of %d flits holds %d VCs, whose buffers hold %d flits each", i, s.packet, k, s.buffer)
		}
	}
	return ""
}

// unfilled reports whether a packet has too few flits to wait on some VCs.
func unfilled(packet, buffer, vcs int) bool { return vcs > 1 && packet <= (vcs-1)*buffer }
