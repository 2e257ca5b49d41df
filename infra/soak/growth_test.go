package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// lives makes the samples of processes that live for some requests each: idle heaps of base, and by age and data; with noise.
func lives(ages []int, base, byAge, byData float64, goroutines func(age int) int) (g growth) {
	random := rand.New(rand.NewPCG(1, 2))
	data, files := 0, 20
	for life, age := range ages {
		for at := 0; at <= age; at += age / 4 {
			once := 1.5 * (1 << 20) // what is read at the first request
			if at == 0 {
				once = 0
			}
			heap := base + once + byAge*float64(at) + byData*float64(data+at) + random.Float64()*float64(200<<10)
			g.idle = append(g.idle, sample{
				usage: usage{Goroutines: goroutines(at), HeapBytes: int64(heap), OpenFiles: &files},
				life:  life,
				age:   at,
				data:  data + at,
			})
		}
		data += age
	}
	g.long = g.idle[len(g.idle)-1]
	g.fresh = g.long
	g.fresh.HeapBytes = int64(base + 1.5*(1<<20) + byData*float64(data))
	return g
}

// warming adds what processes read at the first request of each kind, most of it within 1,000 requests.
func warming(g growth) growth {
	for n := range g.idle {
		g.idle[n].HeapBytes += int64((7 << 20) * (1 - math.Exp(-float64(g.idle[n].age)/500)))
	}
	g.long = g.idle[len(g.idle)-1]
	g.fresh = g.long
	return g
}

func TestGrowth(t *testing.T) {
	const base = 5 << 20
	ages, same := []int{1200, 2000, 800, 1600, 4000}, func(int) int { return 20 }
	for name, c := range map[string]struct {
		growth
		wrong []string
	}{
		"nothing grows":                  {lives(ages, base, 0, 0, same), nil},
		"the data explains it":           {lives(ages, base, 0, 1500, same), nil},
		"what is read at first requests": {warming(lives(ages, base, 0, 0, same)), nil},
		"a leak":                         {lives(ages, base, 4000, 0, same), []string{"idle heap is", "bytes a request beside what the data"}},
		"a leak beside data": {lives(ages, base, 4000, 1500, same),
			[]string{"idle heap is", "bytes a request beside what the data"}},
		"few goroutines": {lives(ages, base, 0, 0, func(age int) int { return 20 + min(age, 5) }), nil},
		"goroutines that stay": {lives(ages, base, 0, 0, func(age int) int { return 20 + age/100 }),
			[]string{"goroutines", "goroutines", "goroutines", "goroutines"}},
		"a leak that no kill parts from data": {lives([]int{8000}, base, 4000, 0, same), []string{"idle heap is"}},
	} {
		wrong := c.judge()
		if len(wrong) != len(c.wrong) {
			t.Errorf("%s: %q, want %q", name, wrong, c.wrong)
			continue
		}
		for n := range wrong {
			if !strings.Contains(wrong[n], c.wrong[n]) {
				t.Errorf("%s: %q, want %q", name, wrong[n], c.wrong[n])
			}
		}
	}
	files := lives(ages, base, 0, 0, same)
	many := 29
	files.idle[4].OpenFiles = &many
	if wrong := files.judge(); len(wrong) != 1 || !strings.Contains(wrong[0], "29 open files") {
		t.Errorf("%q", wrong)
	}
}

func TestLog(t *testing.T) {
	if wrong := judgeLog(2<<20, 1000, 0); wrong != nil {
		t.Error(wrong)
	}
	if wrong := judgeLog(64<<20, 1000, 10); len(wrong) != 1 {
		t.Error("a log without a bound passes")
	}
}

func TestOptions(t *testing.T) {
	for text, c := range map[string]struct {
		env  map[string]string
		want string
	}{
		"as it is":     {nil, "10m0s 25 7"},
		"all":          {map[string]string{"MINUTES": "0.5", "RATE": "12.5", "SEED": "3"}, "30s 12.5 3"},
		"no minutes":   {map[string]string{"MINUTES": "0"}, "MINUTES=0 is no number of minutes"},
		"no number":    {map[string]string{"MINUTES": "NaN"}, "MINUTES=NaN"},
		"no rate":      {map[string]string{"RATE": "fast"}, "RATE=fast is no number of operations"},
		"no seed":      {map[string]string{"SEED": "-1"}, "SEED=-1 is no whole number"},
		"no such rate": {map[string]string{"RATE": "0.1"}, "RATE=0.1"},
	} {
		o, err := optionsFrom(func(name string) string { return c.env[name] }, 7)
		got := fmt.Sprint(o.length, " ", o.rate, " ", o.seed)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s", text, got, c.want)
		}
	}
}
