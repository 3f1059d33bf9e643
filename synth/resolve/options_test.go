package resolve_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/resolve"
)

// leaves returns the fields of v that are no struct, by name, as in DA.Off.
func leaves(v reflect.Value, prefix string) map[string]reflect.Value {
	list := map[string]reflect.Value{}
	for i := range v.NumField() {
		name, field := prefix+v.Type().Field(i).Name, v.Field(i)
		if field.Kind() != reflect.Struct {
			list[name] = field
			continue
		}
		for inner, f := range leaves(field, name+".") {
			list[inner] = f
		}
	}
	return list
}

// methodSamples returns values for a key of a method. Each key accepts at least one of them.
func methodSamples(k resolve.MethodKey) []string {
	if len(k.Values) > 1 {
		return k.Values[1:2]
	}
	return []string{"turns,load", "2", "sample"}
}

// setByMethodKey returns options in which only key k has a value.
func setByMethodKey(t *testing.T, k resolve.MethodKey) (o synth.Options) {
	for _, value := range methodSamples(k) {
		o = synth.Options{}
		if resolve.SetMethodKey(&o, k.Name, value) == nil {
			return o
		}
	}
	t.Fatalf("no sample is a value of key %q; add one to methodSamples in synth/resolve/options_test.go", k.Name)
	return o
}

// notByKey are the fields of synth.Options that callers set, not words.
var notByKey = []string{"Keep", "Prohibit", "Watcher", "Traffic"}

func TestMethodKeysSetAllOptions(t *testing.T) {
	missing := leaves(reflect.ValueOf(synth.Options{}), "")
	for _, name := range notByKey {
		delete(missing, name)
	}
	for _, k := range resolve.MethodKeys() {
		for name, field := range leaves(reflect.ValueOf(setByMethodKey(t, k)), "") {
			if !field.IsZero() {
				delete(missing, name)
			}
		}
	}
	for name := range missing {
		t.Errorf("no key sets field %s of synth.Options; add a key to methodKeys in synth/resolve/methods.go", name)
	}
}

func TestMethodOptionsHaveKeys(t *testing.T) {
	for _, m := range synth.Methods() {
		for _, field := range m.Options {
			if !slices.ContainsFunc(resolve.MethodKeys(), func(k resolve.MethodKey) bool { return k.Field == field }) {
				t.Errorf("method %s reads option %s, which has no key; add it to methodKeys in synth/resolve/methods.go", m.Name, field)
			}
		}
	}
	for _, k := range resolve.MethodKeys() {
		if !slices.ContainsFunc(synth.Methods(), k.Reads) {
			t.Errorf("no method reads key %q; add %q to Options of its methods in synth/method.go", k.Name, k.Field)
		}
	}
}

func TestMethodsRefuseOptionsOfOthers(t *testing.T) {
	n, err := topo.Parse("mesh:3x3")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range resolve.MethodKeys() {
		for _, m := range synth.Methods() {
			if k.Reads(m) {
				continue
			}
			_, err := synth.New(context.Background(), m.Name, n, setByMethodKey(t, k))
			if err == nil || !strings.Contains(err.Error(), k.Field) {
				t.Errorf("method %s with key %q: got error %v, want a refusal of %s; add the field to given in synth/method.go", m.Name, k.Name, err, k.Field)
			}
		}
	}
}

func TestRoutingKeysSetAllOptions(t *testing.T) {
	known := reflect.TypeOf(route.Options{})
	for i := range known.NumField() {
		field := known.Field(i).Name
		hasKey := slices.ContainsFunc(resolve.RoutingKeys(), func(k resolve.RoutingKey) bool { return k.Field == field })
		if !hasKey && field != "Root" { // the key "root" belongs to the turn method updown
			t.Errorf("no key sets field %s of route.Options; add a key to routingKeys in synth/resolve/routing.go", field)
		}
		if !slices.ContainsFunc(route.Names(), func(r route.Routing) bool { return slices.Contains(r.Options, field) }) {
			t.Errorf("no routing reads field %s of route.Options; add it to Options of its routings in model/route/route.go", field)
		}
	}
	for _, r := range route.Names() {
		for _, field := range r.Options {
			if _, ok := known.FieldByName(field); !ok {
				t.Errorf("routing %s reads option %s, which is no field of route.Options in model/route/route.go", r.Name, field)
			}
		}
	}
	for _, k := range resolve.RoutingKeys() {
		if _, ok := known.FieldByName(k.Field); !ok {
			t.Errorf("key %q sets %s, which is no field of route.Options; correct it in synth/resolve/routing.go", k.Name, k.Field)
		}
	}
}

// TestRoutingsRefuseOptionsOfOthers sets each option of a routing that reads none.
func TestRoutingsRefuseOptionsOfOthers(t *testing.T) {
	n, err := topo.Parse("mesh:3x3")
	if err != nil {
		t.Fatal(err)
	}
	for name := range leaves(reflect.ValueOf(route.Options{}), "") {
		var o route.Options
		setNonZero(leaves(reflect.ValueOf(&o).Elem(), "")[name])
		field, _, _ := strings.Cut(name, ".")
		if _, err := route.New("minimal", n, o); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("routing minimal with option %s: got error %v, want a refusal; add the field to given in model/route/route.go", name, err)
		}
	}
}

func setNonZero(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("x")
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	default:
		v.SetInt(1)
	}
}
