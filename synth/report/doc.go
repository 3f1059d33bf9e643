// Package report makes one HTML page about some routings of a network: verdicts with evidence, the
// packets of a deadlock, prohibited turns, loads, a comparison with published methods, tables to
// save.
//
// A first call:
//
//	s, err := resolve.Load(ctx, resolve.Request{Network: "mesh:4x4", Routing: "west-first"})
//	o, err := judge.Options(s)
//	check, err := verify.Check(ctx, s.Rel, o)
//	r := &report.Report{}
//	err = r.Add(ctx, &report.Routing{Subject: s, Check: check})
//	err = r.Compare(ctx, nil, nil)
//	p, err := r.Page(ctx)
//	err = page.Write(w, p)
//
// The package simulates nothing. Report.Latency takes the section of engine/sweep/latency.
//
// Read first: report.go, page.go, then a file per section.
package report
