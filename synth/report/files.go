package report

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/native"
	"github.com/turnproof/turnproof/model/view/page"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth/methods"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/synth/tabulate"
)

// This file makes the files that a reader can save from the page.

// files returns the section of tables to save.
func (x *Routing) files(ctx context.Context, r *Report) (page.Section, error) {
	s := page.Section{ID: x.id + "-files", Title: "Tables to save"}
	var files page.Files
	for _, k := range []struct{ kind, format string }{{"turns", "csv"}, {"turns", "json"}, {"next-hops", "csv"}, {"next-hops", "json"},
		{"input-hops", "csv"}, {"paths", "csv"}, {"paths", "json"}} {
		if (x.Subject.Table != nil) != (k.kind == "next-hops") && strings.HasSuffix(k.kind, "-hops") {
			continue // forwarding tables have the kind next-hops, other routings input-hops
		}
		f, err := x.tableFile(ctx, r, k.kind, k.format)
		if err != nil {
			return s, err
		}
		files = append(files, f)
	}
	if x.allowed != nil {
		info := native.TurnSetInfo{Method: x.Subject.Routing}
		if x.made != nil {
			info.Method = x.made.Method
			if x.made.Tree != nil {
				info.Root = &x.made.Tree.Root
			}
		}
		var b bytes.Buffer
		if err := native.WriteTurnSet(&b, x.allowed, info); err != nil {
			return s, err
		}
		files = append(files, embed(x.id+"-turn-set.json", "the turn set, for --routing", "application/json", b.Bytes(), mostTable, ""))
	}
	s.Blocks = []page.Block{files}
	return s, nil
}

// errFull means that a table is larger than mostTable.
var errFull = errors.New("too large")

// limited stores what is written to it. Beyond mostTable bytes, Write returns errFull.
type limited struct{ text []byte }

func (l *limited) Write(p []byte) (int, error) {
	if len(l.text)+len(p) > mostTable {
		return 0, errFull
	}
	l.text = append(l.text, p...)
	return len(p), nil
}

// tableFile returns a table in a format. If the table is too large for the page, the file has the
// command that writes it.
func (x *Routing) tableFile(ctx context.Context, r *Report, name, format string) (page.File, error) {
	kind, err := tabulate.Find(tabulate.Kinds(), name)
	if err != nil {
		return page.File{}, err
	}
	file := x.id + "-" + name + "." + format
	var out limited
	write := tables.NewCSV
	if format == "json" {
		write = tables.NewJSON
	}
	source := &tabulate.Source{Relation: x.Subject.Rel, Made: methods.Of(x.Subject), From: model.NoHost, To: model.NoHost}
	err = tabulate.Write(ctx, &out, write, kind, source, tables.Schema{Network: resolve.Title(x.Subject.Name), Routing: x.Subject.RoutingName()})
	types := map[string]string{"csv": "text/csv", "json": "application/json"}
	f := page.File{Name: file, About: kind.About}
	if errors.Is(err, errFull) {
		f.Size, f.Instead = -1, x.command("table", "--kind", name, "--format", format, "-o", file)
		f.About += fmt.Sprintf("; more than %s", page.SizeText(mostTable))
		return f, nil
	}
	if err != nil {
		return f, err
	}
	return embed(file, kind.About, types[format], out.text, mostTable, ""), nil
}

// File returns a file for a section of Further. If it is too large for a page, it has no data. The words are those of the command that
// writes the file of this routing.
func (x *Routing) File(name, about, kind string, data []byte, command string, more ...string) page.File {
	return embed(name, about, kind, data, mostTable, x.command(command, more...))
}

// embed returns a file of the page. If data is longer than most, the file is without data.
// instead, if not empty, is the command that writes the file.
func embed(name, about, kind string, data []byte, most int, instead string) page.File {
	sum := sha256.Sum256(data)
	f := page.File{Name: name, About: about, Type: kind, Data: data, Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:]), Instead: instead}
	if len(data) > most {
		f.Data = nil
	}
	return f
}
