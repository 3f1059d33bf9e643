package proved

import (
	"math/rand/v2"

	"github.com/turnproof/turnproof/cmd/trust/mutate"
	"github.com/turnproof/turnproof/verify/cert"
)

// change changes a random value, sometimes to a value that another certificate has there.
func change(rng *rand.Rand, c *cert.Certificate, others []original) {
	mutate.Change(rng, c, func() *cert.Certificate { return mutate.Pick(rng, others).c })
}
