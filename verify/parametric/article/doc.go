// Package article writes the proof of a routing program for every size as a page that people read: the theorem, the
// rank of each class of channels, why the rank rises in each case, and what was checked.
//
// A first call:
//
//	p, err := program.Read("west-first.star")
//	report, err := parametric.Prove(ctx, p, parametric.Options{})
//	page, err := article.New(ctx, report)
//	err = page.Write(w, article.LaTeX)
//
// Reading order: article.go (what the page says), page.go (its parts), markdown.go, latex.go (the formats).
//
// Read first: article.go, then page.go.
package article
