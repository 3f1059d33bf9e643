// Package runpage makes the HTML page of a simulation, or of two simulations side by side: loads of
// the links over time, curves, latencies, the slowest packets, and a deadlock.
//
// A first call, with the records of package timeline:
//
//	run := &runpage.Run{Name: "dor", Relation: relation, Result: result, Timeline: record}
//	p, err := runpage.Page(ctx, runpage.Options{Title: "A simulation"}, []*runpage.Run{run})
//	err = page.Write(w, p)
//
// Two runs have the same scales. Size: about 400 bytes for each line of a drawing, and 2 for each
// line and interval. Networks with more parts than page.MostParts are not drawn.
//
// Read first: page.go, links.go, curves.go, packets.go.
package runpage
