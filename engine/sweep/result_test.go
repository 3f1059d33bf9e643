package sweep

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
)

// result draws a random result such as Run may return.
func result(t *rapid.T) Result {
	var r Result
	for i := range columns {
		switch f := columns[i].of(&r).(type) {
		case *float64:
			*f = rapid.Float64().Draw(t, columns[i].Name)
			if rapid.IntRange(0, 4).Draw(t, "none") == 0 {
				*f = math.NaN()
			}
		case *string:
			*f = rapid.String().Draw(t, columns[i].Name)
		case *int:
			*f = rapid.Int().Draw(t, columns[i].Name)
		case *int64:
			*f = rapid.Int64().Draw(t, columns[i].Name)
		case *engine.Clock:
			*f = engine.Clock(rapid.Int64().Draw(t, columns[i].Name))
		case *uint64:
			*f = rapid.Uint64().Draw(t, columns[i].Name)
		case *bool:
			*f = rapid.Bool().Draw(t, columns[i].Name)
		case *engine.Timing:
			*f = engine.Paper
		}
	}
	if rapid.Bool().Draw(t, "messages") {
		figure := func() Figure { return Figure(rapid.Float64().Draw(t, "figure")) }
		r.Messages = &Messages{Answered: rapid.Int64().Draw(t, "answered"), RoundTrips: Latencies{figure(), figure(), figure(), figure()}}
		r.Messages.Classes = []ClassFigures{{rapid.String().Draw(t, "class"), figure(), r.Messages.RoundTrips}}
	} else {
		r.Point.Settings.Messages = trial.MessageWords{}
	}
	r.normal()
	return r
}

// TestResultJSON: writing and reading a result keeps every bit.
func TestResultJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := result(t)
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var got Result
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		for i := range columns {
			a, b := reflect.ValueOf(columns[i].of(&r)).Elem(), reflect.ValueOf(columns[i].of(&got)).Elem()
			if columns[i].Name == "messages" {
				if !reflect.DeepEqual(r.Messages, got.Messages) {
					t.Fatalf("%+v reads as %+v", r.Messages, got.Messages)
				}
			} else if !a.Equal(b) && !(a.Kind() == reflect.Float64 && math.IsNaN(a.Float()) && math.IsNaN(b.Float())) {
				t.Fatalf("%s: %v reads as %v", columns[i].Name, a, b)
			}
		}
	})
}

// TestFields: every field of a result has a column.
func TestFields(t *testing.T) {
	fields := reflect.TypeFor[Result]().NumField() - 1 + reflect.TypeFor[Point]().NumField() - 1 + reflect.TypeFor[Settings]().NumField() - 1 +
		reflect.TypeFor[trial.MessageWords]().NumField()
	if fields != len(Columns()) {
		t.Errorf("%d fields, %d columns", fields, len(Columns()))
	}
	seen := map[any]bool{}
	var r Result
	for _, c := range Columns() {
		if p := c.of(&r); seen[p] || seen[c.Name] {
			t.Errorf("%s is there twice", c.Name)
		} else {
			seen[p], seen[c.Name] = true, true
		}
	}
}

const csvHead = "network,routing,traffic,load,seed,model,switching,select,arbiter,packet,buffer,link_clocks,max_clocks,warmup," +
	"offered,accepted,accepted_error,mean_latency,latency_error,median_latency,p99_latency,mean_network_latency,delivered,deadlock,deadlock_clock,clocks,flit_hops,lag,steady_from,converged\n"

// TestWrite: files have the columns in order, NaN as an empty value or null, and strings
// unchanged.
func TestWrite(t *testing.T) {
	r := Result{Point: Point{`a "b", <c>`, "dor", "uniform", 0.1, 1<<64 - 1, Settings{"booksim", "vct", "all", "age", "", 8, 16, 1, "", 1000, 200, "", trial.MessageWords{}}},
		Offered: 0.1, Accepted: 0.125, AcceptedError: math.NaN(), MeanLatency: 1234567.5, LatencyError: math.Inf(1), MedianLatency: 3e-9, P99Latency: 1e22, MeanNetworkLatency: 30,
		Delivered: 5, DeadlockClock: 9, Clocks: 1000, FlitHops: 1 << 60, Lag: 0.25, WarmUp: 120, Converged: true, Seconds: 0.5}
	froze := r
	froze.Deadlock = true
	var b bytes.Buffer
	if err := WriteCSV(&b, []Result{r, froze}); err != nil {
		t.Fatal(err)
	}
	line := `"a ""b"", <c>",dor,uniform,0.1,18446744073709551615,booksim,vct,all,age,8,16,1,1000,200,0.1,0.125,,1234567.5,,3e-9,1e+22,30,5,`
	if want := csvHead + line + "false,,1000,1152921504606846976,0.25,120,true\n" + line + "true,9,1000,1152921504606846976,0.25,120,true\n"; b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
	if rows, err := csv.NewReader(&b).ReadAll(); err != nil || rows[1][0] != r.Point.Network {
		t.Error(err)
	}
	b.Reset()
	if err := WriteJSONL(&b, []Result{froze}); err != nil {
		t.Fatal(err)
	}
	if want := `{"network":"a \"b\", <c>","routing":"dor",`; !strings.HasPrefix(b.String(), want) || !strings.HasSuffix(b.String(),
		`"deadlock":true,"deadlock_clock":9,"clocks":1000,"flit_hops":1152921504606846976,"lag":0.25,"steady_from":120,"converged":true}`+"\n") || !strings.Contains(b.String(), `"accepted_error":null,`) {
		t.Error(b.String())
	}
	b.Reset()
	froze.Point.Settings.Waiting = "one"
	if err := WriteCSV(&b, []Result{r, froze}); err != nil {
		t.Fatal(err)
	}
	if rows, err := csv.NewReader(&b).ReadAll(); err != nil || rows[0][len(rows[0])-1] != "waiting" || rows[1][len(rows[1])-1] != "" || rows[2][len(rows[2])-1] != "one" {
		t.Error(rows, err)
	}
	for _, want := range []Result{r, froze} {
		text, err := want.MarshalJSON()
		var got Result
		if err := errors.Join(err, got.UnmarshalJSON(text)); err != nil || got.Point != want.Point {
			t.Error(string(text), err)
		}
	}
}

type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrors(t *testing.T) {
	if err := WriteCSV(full{}, []Result{{}}); !errors.Is(err, errFull) {
		t.Error(err)
	}
	if err := WriteJSONL(full{}, []Result{{}}); !errors.Is(err, errFull) {
		t.Error(err)
	}
}
