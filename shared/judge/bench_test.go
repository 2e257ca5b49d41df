package judge_test

import (
	"runtime"
	"testing"

	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/post"
)

// usual is a post of usual length.
const usual = "We moved our Java services to the new runtime last month. Startup is twice as fast, though the compiler still eats memory on " +
	"the build server. Has anyone tuned the garbage collector for small containers? Docs: https://docs.brew.example/gc"

// Judging allocates little more than its result, because it runs for every post and workspace.
func TestAllocations(t *testing.T) {
	j := newJudge(t)
	p := textPost(usual)
	subjects := []*judge.Subject{j.Subject(java, javaKeyword(keyword.OwnBrand), nil)}
	if n := testing.AllocsPerRun(100, func() { j.Read(p) }); n > 12 {
		t.Errorf("reading allocates %v times", n)
	}
	r := j.Read(p)
	if n := testing.AllocsPerRun(100, func() { j.Judge(r, p, subjects) }); n > 20 {
		t.Errorf("judging allocates %v times", n)
	}
	if n := testing.AllocsPerRun(10, func() { newJudge(t) }); n > 6000 {
		t.Errorf("a judge allocates %v times: only the rules for tags are compiled, tables are read where they lie", n)
	}
}

func BenchmarkReadAndJudge(b *testing.B) {
	j := newJudge(b)
	p := textPost(usual)
	subjects := []*judge.Subject{j.Subject(java, javaKeyword(keyword.OwnBrand), nil)}
	b.ReportAllocs()
	for b.Loop() {
		j.Judge(j.Read(p), p, subjects)
	}
}

// One more workspace costs a fraction of reading the post.
func BenchmarkAnotherWorkspace(b *testing.B) {
	j := newJudge(b)
	p := textPost(usual)
	subjects := []*judge.Subject{j.Subject(java, javaKeyword(keyword.OwnBrand), nil)}
	r := j.Read(p)
	b.ReportAllocs()
	for b.Loop() {
		j.Judge(r, p, subjects)
	}
}

func BenchmarkNew(b *testing.B) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	j := newJudge(b)
	runtime.ReadMemStats(&after)
	for b.Loop() {
		j = newJudge(b)
	}
	b.ReportMetric(float64(after.HeapAlloc)-float64(before.HeapAlloc), "heap-B")
	runtime.KeepAlive(j)
}

func BenchmarkSubject(b *testing.B) {
	j := newJudge(b)
	var feedback []judge.Feedback
	for i := range 200 {
		text := usual[i%100:]
		feedback = append(feedback, judge.Feedback{Relevant: i%2 == 0, Vector: j.Read(&post.Post{Body: &text}).Vector()})
	}
	for _, c := range []struct {
		name   string
		labels int
	}{{"no labels", 0}, {"50 labels", 50}, {"200 labels", 200}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				j.Subject(java, javaKeyword(keyword.OwnBrand), feedback[:c.labels])
			}
		})
	}
}
