// Command seal writes the record of the papers: it reads a journal of reproduce, and writes those of its
// points that the default readings of all items need, sorted and compressed. Of other readings it writes the points if the
// journal has all of an item.
//
// Usage: seal JOURNAL examples/papers/record.jsonl.gz
package main

import (
	"compress/gzip"
	"context"
	"errors"
	"log"
	"os"

	"github.com/turnproof/turnproof/examples/papers"
	"github.com/turnproof/turnproof/examples/papers/paper"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: seal JOURNAL RECORD")
	}
	if err := seal(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func seal(journal, record string) error {
	file, err := os.Open(journal)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	s := paper.NewStore()
	s.Sealed = true
	if err := s.ReadRecord(file); err != nil {
		return err
	}
	for _, p := range papers.All() {
		if _, err := p.Run(context.Background(), paper.Options{Store: s}); err != nil {
			return err
		}
		for i := range p.Items {
			x := &p.Items[i]
			if !x.Readings {
				continue
			}
			_, err := x.Run(context.Background(), paper.Options{Store: s, Readings: []string{paper.AllReadings}})
			if err != nil && !errors.Is(err, paper.ErrSealed) {
				return err
			}
		}
	}
	out, err := os.Create(record)
	if err != nil {
		return err
	}
	z, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := s.WriteUsed(z); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return out.Close()
}
