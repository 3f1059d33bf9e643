package cert_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	. "github.com/turnproof/turnproof/verify/cert"
)

// TestCorpus writes the stories and random certificates to the folder that
// TURNPROOF_CERTIFICATES names: cmd/trust/proved changes them further.
func TestCorpus(t *testing.T) {
	folder := os.Getenv("TURNPROOF_CERTIFICATES")
	if folder == "" {
		t.Skip("TURNPROOF_CERTIFICATES names no folder to write certificates to")
	}
	write := func(name string, c *Certificate) {
		if err := os.WriteFile(filepath.Join(folder, name+".cert"), file(t, c), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i, story := range stories {
		write(fmt.Sprintf("story-%02d", i), certify(story.subject()))
	}
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 5))
		s := randomTable(rng, seed%2 == 0)
		if seed%4 >= 2 {
			s = randomRelation(rng, seed%2 == 0)
		}
		write(fmt.Sprintf("random-%03d", seed), certify(s))
	}
}
