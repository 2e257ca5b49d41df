// Package rivals_test measures Earshot beside other programs that do a part of its work: "make rivals". Both sides of a
// ratio take turns in one run, over the same input, and their results are compared before. A rival that is not there
// leaves its benchmark out.
package rivals_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A rival is a program that does a round for each line that it reads.
type rival struct {
	b       *testing.B
	in      io.Writer
	out     *bufio.Scanner
	process *os.Process
}

// start starts the program that a variable names. The benchmark is skipped if it names none.
func start(b *testing.B, variable string, arguments ...string) *rival {
	b.Helper()
	program := os.Getenv(variable)
	if program == "" {
		b.Skipf("%s names no program", variable)
	}
	command := exec.Command(program, arguments...)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	must(b, err)
	out, err := command.StdoutPipe()
	must(b, err)
	must(b, command.Start())
	b.Cleanup(func() {
		_ = in.Close()
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	return &rival{b, in, bufio.NewScanner(out), command.Process}
}

// line returns the program's next line.
func (r *rival) line() string {
	r.b.Helper()
	if !r.out.Scan() {
		r.b.Fatal("the rival has ended")
	}
	return r.out.Text()
}

// round has the program do a round, and returns its nanoseconds and what it counted.
func (r *rival) round(task string) (took float64, counted int) {
	r.b.Helper()
	_, err := fmt.Fprintln(r.in, task)
	must(r.b, err)
	_, err = fmt.Sscan(r.line(), &took, &counted)
	must(r.b, err)
	return took, counted
}

// report writes what a unit of work costs on both sides, in microseconds, and how many times a rival's cost is Earshot's
// in turns that followed each other: the median, and between the least of both.
func report(b *testing.B, name string, ours, theirs []float64, units float64) {
	var ratios []float64
	for i := range ours {
		ratios = append(ratios, theirs[i]/ours[i])
	}
	slices.Sort(ratios)
	b.ReportMetric(slices.Min(ours)/units/1e3, "earshot-µs")
	b.ReportMetric(slices.Min(theirs)/units/1e3, name+"-µs")
	b.ReportMetric(ratios[len(ratios)/2], name+"/earshot")
	b.ReportMetric(slices.Min(theirs)/slices.Min(ours), name+"/earshot-min")
	b.ReportMetric(0, "ns/op")
}

// dataFile returns the lines of a file of DATA_DIR, or of shared/data beside the repository. These files are never
// committed.
func dataFile(b *testing.B, name string) []string {
	b.Helper()
	folder := os.Getenv("DATA_DIR")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "shared", "data")
	}
	content, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		b.Skipf("measures on data that is not there: %v", err)
	}
	return strings.Split(strings.TrimSpace(string(content)), "\n")
}

func writeLines(b *testing.B, lines []string) (file string) {
	b.Helper()
	file = filepath.Join(b.TempDir(), "lines")
	must(b, os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	return file
}

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
