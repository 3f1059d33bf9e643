package report_test

import (
	"context"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/model/view/page"
	"github.com/turnproof/turnproof/synth/judge"
	"github.com/turnproof/turnproof/synth/report"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

func Example() {
	ctx := context.Background()
	r := &report.Report{}
	for _, routing := range []string{"west-first", "minimal"} {
		s, err := resolve.Load(ctx, resolve.Request{Network: "mesh:4x4", Routing: routing})
		if err != nil {
			panic(err)
		}
		o, err := judge.Options(s)
		if err != nil {
			panic(err)
		}
		check, err := verify.Check(ctx, s.Rel, o)
		if err != nil {
			panic(err)
		}
		if err := r.Add(ctx, &report.Routing{Subject: s, Check: check}); err != nil {
			panic(err)
		}
	}
	if err := r.Compare(ctx, []string{"updown"}, nil); err != nil {
		panic(err)
	}
	p, err := r.Page(ctx)
	if err != nil {
		panic(err)
	}
	for _, card := range p.Cards {
		fmt.Println(card.Name, card.Verdict)
	}
	for _, section := range p.Sections {
		fmt.Println("section", section.Title)
	}
	if err := page.Write(io.Discard, p); err != nil {
		panic(err)
	}
	fmt.Println(r.Verdict())
	// Output:
	// west-first proved
	// minimal refuted
	// section Network
	// section west-first
	// section minimal
	// section Comparison
	// section Inputs
	// refuted
}
