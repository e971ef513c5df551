package main

import (
	"testing"

	"github.com/slotkey/slotkey/bench/internal/measure"
)

// benchmark runs each contender on each input, as TABLE/INPUT/CONTENDER. The call and the loop
// around one operation cost about 2 ns, which the tables of the program do not have.
func benchmark(b *testing.B, t table) {
	groups, err := t.groups()
	if err != nil {
		b.Fatal(err)
	}
	for _, g := range groups {
		for _, c := range g.Contenders {
			b.Run(g.Name+"/"+c.Name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					c.Run(1)
				}
			})
		}
	}
}

func BenchmarkKey(b *testing.B)     { benchmark(b, keyTable) }
func BenchmarkTurn(b *testing.B)    { benchmark(b, turnTable) }
func BenchmarkFour(b *testing.B)    { benchmark(b, fourTable) }
func BenchmarkMessage(b *testing.B) { benchmark(b, messageTable) }
func BenchmarkData(b *testing.B)    { benchmark(b, dataTable) }
func BenchmarkBinary(b *testing.B)  { benchmark(b, binaryTable) }
func BenchmarkBatch(b *testing.B)   { benchmark(b, batchTable) }
func BenchmarkLocal(b *testing.B)   { benchmark(b, localTable) }

// BenchmarkEndToEnd sends windows of events to eight members; one operation is one event received by all.
func BenchmarkEndToEnd(b *testing.B) {
	url, stop, err := startServer()
	if err != nil {
		b.Fatal(err)
	}
	defer stop()
	for _, mode := range []string{"structured", "binary"} {
		works, messages := worksOf(mode)
		for _, w := range works {
			b.Run(mode+"/"+w.name, func(b *testing.B) {
				c, err := hire(url, "bench.test", 8, w)
				if err != nil {
					b.Fatal(err)
				}
				defer c.close()
				processor := measure.Processor()
				for b.Loop() {
					if err := c.play(messages, 1); err != nil {
						b.Fatal(err)
					}
				}
				events := float64(c.published)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/events, "ns/op")
				b.ReportMetric(float64(measure.Processor()-processor)/events/8, "cpu-ns/received")
			})
		}
	}
}
