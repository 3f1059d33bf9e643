package workload

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
)

// This file reads messages with dependencies from CSV:
//
//	id,source,destination,bytes,after,delay_ns
//	a,0,1,4096,,
//	b,1,2,4096,a,500
//
// A line is a message from rank source to rank destination. It starts delay_ns after the end of all
// messages that after lists, separated by blanks. A message ends for its source when it has left
// the host, and for its destination when it has arrived; after may list no other messages. The
// columns after and delay_ns may be missing. There are as many ranks as the largest number of a rank
// requires. "#" begins a comment line.

// csvReader is the state of the reader.
type csvReader struct {
	*builder
	name   string
	column map[string]int
	ends   map[string][2]OpID // by id: send and receive
	rows   []csvRow
}

// csvRow is a message whose dependencies are not resolved yet.
type csvRow struct {
	first OpID // the delay or the send
	line  int
	after []string
}

var csvColumns = []string{"id", "source", "destination", "bytes", "after", "delay_ns"}

// readCSV reads a workload in CSV.
func readCSV(name string, r io.Reader) (*Graph, error) {
	in := csv.NewReader(r)
	in.Comment, in.TrimLeadingSpace, in.ReuseRecord = '#', true, true
	c := &csvReader{builder: newBuilder(name, "line", 0, name), name: name, column: map[string]int{}, ends: map[string][2]OpID{}}
	for {
		row, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, csvError(name, err)
		}
		line, _ := in.FieldPos(0)
		if len(c.column) == 0 {
			err = c.header(line, row)
		} else {
			err = c.message(line, row)
		}
		if err != nil {
			return nil, err
		}
	}
	if c.Ranks == 0 {
		return nil, &Error{File: name, Msg: "no messages; want the line " + strings.Join(csvColumns, ",") + " and a line for each message"}
	}
	for _, row := range c.rows {
		if err := c.depend(row); err != nil {
			return nil, err
		}
	}
	return c.finish()
}

// csvError returns the error of the CSV reader with its line.
func csvError(name string, err error) error {
	if p := (*csv.ParseError)(nil); errors.As(err, &p) {
		return &Error{File: name, Line: p.Line, Msg: "no CSV: " + p.Err.Error(), Err: err}
	}
	return &Error{File: name, Msg: "cannot be read: " + err.Error(), Err: err}
}

func (c *csvReader) errorf(line int, format string, a ...any) error {
	return &Error{File: c.name, Line: line, Msg: fmt.Sprintf(format, a...)}
}

// header reads the names of the columns.
func (c *csvReader) header(line int, row []string) error {
	for i, name := range row {
		name = strings.TrimPrefix(strings.TrimSpace(name), "\ufeff")
		if !slices.Contains(csvColumns, name) {
			return c.errorf(line, "no column %q%s, known are %s", clip(name), spelling.Suggest(name, csvColumns), strings.Join(csvColumns, ", "))
		}
		if _, twice := c.column[name]; twice {
			return c.errorf(line, "the column %s appears twice", name)
		}
		c.column[name] = i
	}
	for _, name := range csvColumns[:4] {
		if _, ok := c.column[name]; !ok {
			return c.errorf(line, "the column %s is missing", name)
		}
	}
	return nil
}

func (c *csvReader) field(row []string, name string) string {
	if i, ok := c.column[name]; ok {
		return strings.TrimSpace(row[i])
	}
	return ""
}

func (c *csvReader) number(line int, row []string, name string, most int64) (int64, error) {
	word := c.field(row, name)
	k, err := strconv.ParseInt(word, 10, 64)
	if err != nil || k < 0 || k > most {
		return 0, c.errorf(line, "%s %q: want a whole number from 0 to %d", name, clip(word), most)
	}
	return k, nil
}

// message reads a message: a delay, if any, a send and a receive.
func (c *csvReader) message(line int, row []string) error {
	var values [3]int64
	for i, most := range [...]int64{MaxRanks - 1, MaxRanks - 1, maxBytes} {
		var err error
		if values[i], err = c.number(line, row, csvColumns[i+1], most); err != nil {
			return err
		}
	}
	id := strings.Clone(c.field(row, "id"))
	if _, twice := c.ends[id]; twice || id == "" || strings.ContainsAny(id, " \t") {
		return c.errorf(line, "id %q: want a word without blanks that no other message has", clip(id))
	}
	from, to := int32(values[0]), int32(values[1])
	c.Ranks = max(c.Ranks, int(from)+1, int(to)+1)
	tag := int64(len(c.ends)) // each message has a channel of its own
	send := c.add(Op{Kind: Send, Rank: from, Peer: to, Amount: values[2], Tag: tag, Line: clampLine(line), CPU: NoCPU})
	recv := c.add(Op{Kind: Recv, Rank: to, Peer: from, Amount: values[2], Tag: tag, Line: clampLine(line), CPU: NoCPU})
	first := send
	if c.field(row, "delay_ns") != "" {
		delay, err := c.number(line, row, "delay_ns", maxTime)
		if err != nil {
			return err
		}
		first = c.add(Op{Kind: Calc, Rank: from, Amount: delay, Line: clampLine(line), CPU: NoCPU})
		c.require(send, first)
	}
	c.ends[id] = [2]OpID{send, recv}
	c.rows = append(c.rows, csvRow{first, line, strings.Fields(strings.Clone(c.field(row, "after")))})
	return nil
}

// depend adds the dependencies of a message.
func (c *csvReader) depend(row csvRow) error {
	rank := c.Ops[row.first].Rank
	for _, id := range row.after {
		ends, ok := c.ends[id]
		switch {
		case !ok:
			return c.errorf(row.line, "after %q: no message has this id", clip(id))
		case c.Ops[ends[1]].Rank == rank:
			c.require(row.first, ends[1])
		case c.Ops[ends[0]].Rank == rank:
			c.require(row.first, ends[0])
		default:
			return c.errorf(row.line, "after %q: that message neither begins nor ends at rank %d", clip(id), rank)
		}
	}
	return nil
}
