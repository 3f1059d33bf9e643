package native

import (
	"encoding/json"
	"os"
	"testing"
)

// TestKeysOfSchema: docs/schema/network.json knows every key.
func TestKeysOfSchema(t *testing.T) {
	raw, err := os.ReadFile("../../../docs/schema/network.json")
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	for _, k := range keysOfFile {
		if _, ok := v["properties"].(map[string]any)[k.name]; !ok {
			t.Errorf("the schema does not know %s", k.name)
		}
	}
}
