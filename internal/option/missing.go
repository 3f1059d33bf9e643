package option

import (
	"reflect"
	"slices"
)

// Missing returns the names of the fields of T, those of structs within it included, that no option
// of the list stores its value in. Tests use it to find a field that was added without an option.
func Missing[T any](list []Option[T], except ...string) []string {
	var o T
	left := map[string]uintptr{}
	leaves(reflect.ValueOf(&o).Elem(), "", left)
	for _, x := range list {
		field := reflect.ValueOf(x.field(&o))
		first, size := field.Pointer(), field.Elem().Type().Size()
		for name, at := range left {
			if at >= first && at < first+size {
				delete(left, name)
			}
		}
	}
	var names []string
	for name := range left {
		if !slices.Contains(except, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// leaves adds the addresses of the fields of v that are no structs.
func leaves(v reflect.Value, prefix string, list map[string]uintptr) {
	for i := range v.NumField() {
		name, field := prefix+v.Type().Field(i).Name, v.Field(i)
		if field.Kind() == reflect.Struct {
			leaves(field, name+".", list)
		} else {
			list[name] = field.Addr().Pointer()
		}
	}
}
