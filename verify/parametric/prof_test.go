package parametric

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"turnproof/model/program"
)

func TestProf(t *testing.T) {
	f := os.Getenv("FILE")
	if f == "" {
		t.Skip()
	}
	dims, _ := strconv.Atoi(os.Getenv("DIMS"))
	p, err := program.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	last := time.Now()
	_, err = Prove(t.Context(), p, Options{Dims: dims, Progress: func(s string) {
		fmt.Printf("%.2f before %s\n", time.Since(last).Seconds(), s)
		last = time.Now()
	}})
	fmt.Printf("%.2f end %v\n", time.Since(last).Seconds(), err)
}
