//go:build unix

package main

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/turnproof/turnproof/internal/closdumps"
)

// This file measures check on folders of dumps, over three decades of sizes.

// closSizes are fabrics of 20, 200 and 2,000 switches; the largest has 51,200 host prefixes.
var closSizes = []closdumps.Clos{
	{Pods: 2, Leaves: 4, Aggs: 4, Spines: 1, Prefixes: 32},
	{Pods: 10, Leaves: 14, Aggs: 4, Spines: 5, Prefixes: 32},
	{Pods: 40, Leaves: 40, Aggs: 8, Spines: 10, Prefixes: 32},
}

// BenchmarkEthernet measures check of Clos fabrics: reading the dumps, the verdicts and the checker.
func BenchmarkEthernet(b *testing.B) {
	for _, c := range closSizes {
		c.ByPod, c.Zebra = true, true
		b.Run(fmt.Sprintf("check/%d", c.Switches()), func(b *testing.B) { benchmarkCheck(b, &c) })
	}
	for _, c := range closSizes {
		b.Run(fmt.Sprintf("fail/%d", c.Switches()), func(b *testing.B) { benchmarkCheck(b, &c, "--fail", "links:1", "--reroute", "bgp") })
	}
}

func benchmarkCheck(b *testing.B, c *closdumps.Clos, flags ...string) {
	dir := b.TempDir()
	if err := c.Write(dir); err != nil {
		b.Fatal(err)
	}
	before, n := cpuTime(b), 0
	for b.Loop() {
		n++
		if stdout, stderr, code := turnproof(b, append([]string{"check", dir, "--quiet"}, flags...)...); code != 0 {
			b.Fatalf("exit status %d: %s%s", code, stdout, stderr)
		}
	}
	b.ReportMetric(float64(c.HostPrefixes()), "prefixes")
	b.ReportMetric((cpuTime(b)-before).Seconds()/float64(n), "cpu-s/op")
}

// cpuTime returns the processor time of this process: what other processes do changes it little.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
