// Accuracy measures the judges on data outside the project: language on Hacker News posts and on sentences in many
// languages, sentiment on Reddit comments, on rated tweets and reviews and on posts in five languages, relevance on
// sentences with an ambiguous name, stories on Hacker News titles, Reddit comments, tweets and sentences in many
// languages, themes on posts of known subjects, which -themes prints. It also measures the cost of judging. It prints a
// table with the floor beside each figure. It exits with status 1 if an accuracy is below its floor, and with 2 if
// there is no data. Times and memory are printed and never decide. A floor that was measured on other samples of the
// same kind is missed at more than two standard errors. The floor of relevance with exclude terms is a requirement, and
// therefore strict.
//
// The data is in the folder of -data, by default DATA_DIR of the environment or ../shared/data.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"earshot/shared/judge"
)

func main() {
	began := time.Now()
	j, err := judge.New()
	ready := time.Since(began)
	if err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(2)
	}
	folder := flag.String("data", cmp.Or(os.Getenv("DATA_DIR"), "../shared/data"), "the folder with the data")
	showThemes = flag.Bool("themes", false, "print the themes of known subjects, for people to read")
	flag.Parse()
	if _, err := os.Stat(*folder); err != nil {
		fmt.Fprintf(
			os.Stderr, "accuracy: there is no data to measure with in %s: name its folder by -data or DATA_DIR\n",
			*folder,
		)
		os.Exit(2)
	}
	figures, err := measure(j, *folder)
	if err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(2)
	}
	costs, err := measureCosts(j, *folder, ready)
	if err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(2)
	}
	if !report(append(figures, costs...)) {
		os.Exit(1)
	}
}

// showThemes says that themes are printed.
var showThemes *bool

// A figure is one line of the table.
type figure struct {
	name   string
	value  float64
	floor  float64 // 0: none
	spread float64 // standard error of value, from the size of the sample; 0 if the floor is strict
	format string
	note   string
}

// accuracy is the format of shares.
const accuracy = "%.3f"

func measure(j *judge.Judge, folder string) (all []figure, err error) {
	for _, part := range []func(*judge.Judge, string) ([]figure, error){
		measureLanguage,
		measureSentiment,
		measureRelevance,
		measureSenses,
		measureBrands,
		measureAccounts,
		measureAdvice,
		measureStories,
		measureThemes,
	} {
		figures, err := part(j, folder)
		if err != nil {
			return nil, err
		}
		all = append(all, figures...)
	}
	return all, nil
}

// report prints the table. It reports false if a figure is below its floor.
func report(figures []figure) (kept bool) {
	kept = true
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "figure\tmeasured\tfloor\t")
	for _, f := range figures {
		floor, note := "", f.note
		if f.floor > 0 {
			floor = fmt.Sprintf(f.format, f.floor)
			switch {
			case f.value+2*f.spread < f.floor:
				kept, note = false, "MISSED "+note
			case f.value < f.floor:
				note = fmt.Sprintf("below, within the sample's error of ±%.3f %s", 2*f.spread, note)
			}
		}
		fmt.Fprintf(out, "%s\t"+f.format+"\t%s\t%s\n", f.name, f.value, floor, note)
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
	}
	return kept
}
