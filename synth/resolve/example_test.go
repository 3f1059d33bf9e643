package resolve_test

import (
	"context"
	"fmt"
	"log"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/synth/judge"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// Load does for a program what the command check does: the network and the routing may be names,
// files or a folder, and premises are stated as on the command line.
func ExampleLoad() {
	s, err := resolve.Load(context.Background(), resolve.Request{Network: "mesh:4x4,vcs=2", Routing: "duato", Switching: "vct"})
	if err != nil {
		log.Fatal(err)
	}
	o, err := judge.Options(s)
	if err != nil {
		log.Fatal(err)
	}
	rep, err := verify.Check(context.Background(), s.Rel, o)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rep.Verdict(), "under", rep.Switching)
	// Output: proved under vct
}

func ExampleRouting() {
	for _, word := range []string{"updown,root=12", "dor,vc-rule=plain", "lturn-alpha,root=3,paths=first"} {
		n, _, err := resolve.Network("torus:4x4", format.Options{})
		if err != nil {
			log.Fatal(err)
		}
		r, err := resolve.Routing(context.Background(), word, "", n, format.Options{})
		if err != nil {
			log.Fatal(err)
		}
		rep, err := verify.Check(context.Background(), r.Relation, verify.Options{Switching: model.CutThrough})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(word, rep.Verdict())
	}
	// Output:
	// updown,root=12 proved
	// dor,vc-rule=plain refuted
	// lturn-alpha,root=3,paths=first proved
}
