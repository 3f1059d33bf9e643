package summary

import (
	"reflect"
	"testing"

	"github.com/turnproof/turnproof/verify/cert"
)

// silent are the fields of a claim that the summary leaves out: lists with the length of another list,
// and networks of families, which their own kind describes.
var silent = map[string]bool{"Claim": true, "Verdict": true, "Evidence": true, "Escape": true, "Holds": true, "Multipliers": true,
	"Member": true, "Clear": true, "Flits": true, "Chosen": true, "Carries": true, "Tables": true}

// TestFieldsAreSummarised sets each field of a claim alone.
func TestFieldsAreSummarised(t *testing.T) {
	claim := reflect.TypeFor[cert.Claim]()
	for i := range claim.NumField() {
		name := claim.Field(i).Name
		var c cert.Claim
		field := reflect.ValueOf(&c).Elem().Field(i)
		switch field.Kind() {
		case reflect.Pointer:
			field.Set(reflect.New(field.Type().Elem()))
		case reflect.Slice:
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
		default:
			field.SetString("x")
		}
		described := claimLine(&c) != claimLine(&cert.Claim{})
		if !described && !silent[name] {
			t.Errorf("the summary of a certificate does not mention the field %s; add it to fieldSummaries in verify/cert/summary/summary.go", name)
		}
	}
}
