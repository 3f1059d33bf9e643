package sim

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file prints the full tables of hosts in a deadlock: transactions whose joins are never complete.

type blockedTableJSON struct {
	Host         string           `json:"host"`
	Class        string           `json:"class"`
	Transactions []incompleteJSON `json:"transactions"`
}

type incompleteJSON struct {
	Request int64    `json:"request"`
	Missing []string `json:"missing"`
}

func newTablesJSON(in *resolve.Subject, s *trial.Settings, d *engine.Deadlock) []blockedTableJSON {
	list := []blockedTableJSON{}
	for _, t := range d.Tables {
		b := blockedTableJSON{Host: in.Net.HostLabel(t.Host), Class: s.Messages.Names[t.Message], Transactions: []incompleteJSON{}}
		for _, e := range t.Entries {
			b.Transactions = append(b.Transactions, incompleteJSON{e.ID, missing(s, e)})
		}
		list = append(list, b)
	}
	return list
}

// missing returns the names of the classes that a transaction waits for.
func missing(s *trial.Settings, e engine.Incomplete) []string {
	names := []string{}
	for _, c := range e.Missing {
		names = append(names, s.Messages.Names[c])
	}
	return names
}

// tablesText explains which tables of hosts are full.
func tablesText(w io.Writer, in *resolve.Subject, s *trial.Settings, d *engine.Deadlock) {
	if len(d.Tables) == 0 {
		return
	}
	fmt.Fprintln(w, "\nHosts that consume no more messages, because their tables are full of transactions that are never complete:")
	for i, t := range d.Tables {
		if i == say.MaxShown {
			fmt.Fprintf(w, "  and %s more\n", wording.Count(len(d.Tables)-i, "table", "s"))
			return
		}
		name := s.Messages.Names[t.Message]
		fmt.Fprintf(w, "  %s has %s in the table of %s, and no entry for another one\n", in.Net.HostLabel(t.Host),
			wording.Count(len(t.Entries), "transaction", "s"), name)
		for k, e := range t.Entries {
			if k == say.MaxShown {
				fmt.Fprintf(w, "    and %d more\n", len(t.Entries)-k)
				break
			}
			what := strings.Join(missing(s, e), " and ")
			if what == "" {
				what = "room for " + name + " in the queue of its host"
			}
			fmt.Fprintf(w, "    transaction %d waits for %s\n", e.ID, what)
		}
	}
}
