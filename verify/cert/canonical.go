package cert

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// This file writes the canonical bytes of a certificate.
//
// The form: what encoding/json makes of the Certificate, indented by one space, with an
// empty list that is not optional as [], and a newline at the end. The writer follows the
// types of format.go by reflection. It does not use encoding/json, which would read
// each byte of a large table four times.

// encode returns the canonical file, with the right digest in it.
func encode(c *Certificate) []byte {
	p := new(printer)
	p.open('{')
	p.fields(reflect.ValueOf(c).Elem())
	sum := sha256.Sum256(p.out)
	p.key("digest").text(hex.EncodeToString(sum[:]))
	p.close('}')
	return append(p.out, '\n')
}

// A printer writes indented JSON.
type printer struct {
	out   []byte
	depth int
	empty bool // nothing is in the innermost object or list yet
}

// fields writes the fields of a struct, except a digest and what is in no file.
func (p *printer) fields(v reflect.Value) {
	for i, f := range fieldsOf(v.Type()) {
		if x := v.Field(i); f.name != "digest" && f.name != "-" && !(f.optional && isEmpty(x)) {
			p.key(f.name).value(x)
		}
	}
}

// value writes a value of a type of format.go.
func (p *printer) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		p.value(v.Elem())
	case reflect.Struct:
		p.open('{')
		p.fields(v)
		p.close('}')
	case reflect.String:
		p.text(v.String())
	case reflect.Bool:
		p.out = strconv.AppendBool(p.out, v.Bool())
	case reflect.Int, reflect.Int32, reflect.Int64:
		p.out = strconv.AppendInt(p.out, v.Int(), 10)
	case reflect.Slice:
		p.list(v)
	default:
		panic(fmt.Sprintf("cert: format.go has a field of type %v, which canonical.go cannot write", v.Type()))
	}
}

// list writes a list: integers of type Ints in their packed form, else entry by entry.
func (p *printer) list(v reflect.Value) {
	if v.Type() == reflect.TypeFor[Ints]() {
		p.out = append(p.out, pack(v.Interface().(Ints))...)
		return
	}
	p.open('[')
	for i := range v.Len() {
		p.item()
		p.value(v.Index(i))
	}
	p.close(']')
}

func (p *printer) open(bracket byte) {
	p.out = append(p.out, bracket)
	p.depth++
	p.empty = true
}

func (p *printer) close(bracket byte) {
	p.depth--
	if !p.empty {
		p.line()
	}
	p.out = append(p.out, bracket)
	p.empty = false
}

// line begins an indented line.
func (p *printer) line() {
	p.out = append(p.out, '\n')
	for range p.depth {
		p.out = append(p.out, ' ')
	}
}

// item begins an entry of an object or a list.
func (p *printer) item() {
	if !p.empty {
		p.out = append(p.out, ',')
	}
	p.line()
	p.empty = false
}

func (p *printer) key(name string) *printer {
	p.item()
	p.out = append(p.out, '"')
	p.out = append(p.out, name...)
	p.out = append(p.out, `": `...)
	return p
}

func (p *printer) text(s string) {
	quoted, _ := json.Marshal(s) // a string always can be
	p.out = append(p.out, quoted...)
}

// A jsonField is a field of a struct, by its tag.
type jsonField struct {
	name     string
	optional bool // absent if empty
}

// fieldsOf returns the fields of a struct type of format.go, in order.
func fieldsOf(t reflect.Type) []jsonField {
	list := make([]jsonField, t.NumField())
	for i := range list {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		list[i] = jsonField{name, options == "omitempty"}
	}
	return list
}

// isEmpty reports whether an optional field is absent.
func isEmpty(v reflect.Value) bool {
	return v.Kind() == reflect.Slice && v.Len() == 0 || v.IsZero()
}
