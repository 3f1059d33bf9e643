package cli

import (
	"fmt"
	"strconv"
	"time"
)

// Seconds is a flag with a time limit in seconds.
type Seconds struct{ StringFlag }

// RunAction returns an error if the value is not a time limit.
func (f *Seconds) RunAction(c *Context) error {
	if _, err := ReadSeconds(c, f.Name); err != nil {
		return err
	}
	return f.StringFlag.RunAction(c)
}

// ReadSeconds returns the value of a Seconds flag.
func ReadSeconds(c *Context, name string) (time.Duration, error) {
	x, err := strconv.ParseFloat(c.String(name), 64)
	if err != nil || !(x > 0 && x <= 1e6) {
		return 0, fmt.Errorf("--%s %q: want seconds above 0, up to a million", name, c.String(name))
	}
	return time.Duration(x * float64(time.Second)), nil
}
