package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/jsii-runtime-go"
)

// A verdict is a line of the report of AWS Solutions' rules.
type verdict struct{ rule, path, judged, reason string }

func verdicts(t *testing.T, folder string) []verdict {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "AwsSolutions-*-NagReport.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var found []verdict
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		lines, err := csv.NewReader(file).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines[1:] {
			found = append(found, verdict{strings.TrimPrefix(line[0], "AwsSolutions-"), strings.TrimSuffix(line[1], "/Resource"),
				line[2], line[3]})
		}
	}
	return found
}

// Every rule is kept or excused, and every excuse is of something that is there: one that nothing needs any more would
// hide what comes next.
func TestTheRulesOfAWSSolutionsAreKeptOrExcused(t *testing.T) {
	onEachDeployment(t, func(t *testing.T, stage Stage, made deployment) {
		used, kept := map[string]bool{}, 0
		for _, each := range verdicts(t, made.folder) {
			switch each.judged {
			case "Compliant":
				kept++
			case "Suppressed":
				used[fmt.Sprint(each.rule, each.path, each.reason)] = true
			default:
				t.Errorf("%s: %s is %s", each.path, each.rule, each.judged)
			}
		}
		if kept < 100 {
			t.Errorf("only %d rules are kept: was it looked at?", kept)
		}
		for _, excuse := range excuses(stage, Manifest()) {
			reason := excuse.reason
			if excuse.finding != "" {
				reason = "[" + excuse.finding + "] " + reason
			}
			needed := used[fmt.Sprint(excuse.rule, excuse.path, reason)]
			for key := range used {
				needed = needed || excuse.below && strings.HasPrefix(key, excuse.rule+excuse.path+"/") &&
					strings.HasSuffix(key, reason)
			}
			if !needed {
				t.Errorf("%s does nothing that is against %s (%s): take the excuse away", excuse.path, excuse.rule, excuse.finding)
			}
		}
	})
}

// The synthesis ends where a rule is broken.
func TestWhatBreaksARuleIsNotSynthesized(t *testing.T) {
	app := awscdk.NewApp(&awscdk.AppProps{Outdir: jsii.String(t.TempDir()), AnalyticsReporting: jsii.Bool(false),
		Context: &map[string]any{"@aws-cdk/core:annotationsInValidationReport": true}})
	awss3.NewBucket(awscdk.NewStack(app, jsii.String("Bare"), nil), jsii.String("Bucket"), nil)
	holdToSolutions(app)
	defer func() {
		if recover() == nil {
			t.Error("a bare bucket breaks no rule")
		}
	}()
	app.Synth(nil)
}
