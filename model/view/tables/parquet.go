package tables

import (
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// This file writes rows as Apache Parquet for pandas, DuckDB, Spark and R. Strings have a
// dictionary, integers have 64 bits, and there are no nulls. The description of the table is
// metadata of the file. The compression is Snappy, which every reader supports.

// NewParquet returns a writer of a Parquet file. Memory: a compressed row group of 256k rows.
func NewParquet(w io.Writer, s Schema) RowWriter { return &parquetRows{dest: w, schema: s} }

const rowsPerGroup = 1 << 18

type parquetRows struct {
	dest   io.Writer
	schema Schema
	w      *parquet.GenericWriter[any]
	row    parquet.Row
}

// Begin implements RowWriter.
func (p *parquetRows) Begin() error {
	p.w = parquet.NewGenericWriter[any](p.dest, p.schema.parquet(), parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(rowsPerGroup),
		parquet.CreatedBy("turnproof", "", ""),
		parquet.KeyValueMetadata("turnproof.kind", p.schema.Kind),
		parquet.KeyValueMetadata("turnproof.network", p.schema.Network),
		parquet.KeyValueMetadata("turnproof.routing", p.schema.Routing))
	p.row = make(parquet.Row, len(p.schema.Columns))
	return nil
}

// parquet returns the schema. It is made from a struct type, because a struct keeps the order
// of the columns.
func (s *Schema) parquet() *parquet.Schema {
	types := map[Type]reflect.Type{Text: reflect.TypeFor[string](), Integer: reflect.TypeFor[int64](), Bool: reflect.TypeFor[bool](),
		Decimal: reflect.TypeFor[float64]()}
	fields := make([]reflect.StructField, len(s.Columns))
	for i, c := range s.Columns {
		tag := c.Name
		if c.Type == Text {
			tag += ",dict"
		}
		fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: types[c.Type], Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", tag))}
	}
	return parquet.NewSchema("table", parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()))
}

// Row implements RowWriter.
func (p *parquetRows) Row(values ...any) error {
	for i, c := range p.schema.Columns {
		v := reflect.ValueOf(values[i])
		var x parquet.Value
		switch {
		case c.Type == Text:
			x = parquet.ByteArrayValue([]byte(fmt.Sprint(values[i])))
		case c.Type == Integer && v.CanInt():
			x = parquet.Int64Value(v.Int())
		case c.Type == Integer && v.CanUint():
			x = parquet.Int64Value(int64(v.Uint()))
		case c.Type == Bool && v.Kind() == reflect.Bool:
			x = parquet.BooleanValue(v.Bool())
		case c.Type == Decimal && v.Kind() == reflect.Float64:
			x = parquet.DoubleValue(v.Float())
		default:
			return fmt.Errorf("column %s: %T is not of its type", c.Name, values[i])
		}
		p.row[i] = x.Level(0, 0, i)
	}
	_, err := p.w.WriteRows([]parquet.Row{p.row})
	return err
}

// End implements RowWriter.
func (p *parquetRows) End() error { return p.w.Close() }
