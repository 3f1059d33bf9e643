package parametric

import (
	"fmt"
	"os"
	"testing"
	"turnproof/examples/programs"
	"turnproof/model/program"
	"turnproof/verify"
)

func TestProve(t *testing.T) {
	for _, f := range programs.All() {
		if w := os.Getenv("ONLY"); w != "" && w != f.Path {
			continue
		}
		p, err := program.Parse(f.Path, f.Text)
		if err != nil {
			t.Fatal(err)
		}
		for _, sw := range []verify.Switching{"vct", "wormhole"} {
			if sw == "wormhole" && f.Name != "duato" {
				continue
			}
			r, err := Prove(t.Context(), p, Options{Switching: sw})
			if err != nil {
				fmt.Println(f.Path, err)
				continue
			}
			fmt.Printf("%s %s %s %.2fs paths %d classes %d obligations %d script %d rechecked %v\n", f.Path, r.Verdict, r.Method, r.Seconds, r.Paths, r.Classes, len(r.Obligations), len(r.Script), len(r.Rechecked))
			if r.Witness != nil {
				fmt.Println("   ", r.Witness.Sides)
			}
			for _, c := range r.Claims {
				fmt.Println("   ", c)
			}
			for _, c := range r.Ranks {
				fmt.Println("   ", c)
			}
			if r.Given != nil {
				fmt.Println("   given", r.Given.Verdict, r.Given.Left)
				for _, x := range r.Given.Failures {
					fmt.Println("     ", x)
				}
				for _, x := range r.Given.Repair {
					fmt.Println("     repair", x)
				}
			}
			for _, c := range r.Invariants {
				fmt.Println("      ", c)
			}
			os.WriteFile("/tmp/ob-"+f.Path+string(sw)+".smt2", []byte(r.Script), 0o644)
		}
	}
}
