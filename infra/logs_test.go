package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"earshot/shared/lambdalog"
)

// countedIn returns the texts in the code of a function's folder, without those of functions in folders below that have a
// lambda of their own. The names of what a function counts are among them.
func countedIn(t *testing.T, folder string) map[string]bool {
	t.Helper()
	texts := map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if _, missing := os.Stat(filepath.Join(path, "lambda")); path != folder && missing == nil {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		counts := false
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.SelectorExpr); ok && call.Sel.Name == "Count" {
				on, ok := call.X.(*ast.Ident)
				counts = counts || ok && on.Name == "worker"
			}
			return true
		})
		if !counts {
			return nil
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				if text, err := strconv.Unquote(literal.Value); err == nil {
					texts[text] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// metricsOf returns the names of the metrics that a function outside HTTP can send: units and failures, messages of a
// queue, and what its code counts.
func metricsOf(t *testing.T, f Function) (names []string) {
	t.Helper()
	counted := countedIn(t, filepath.Join("..", "functions", f.folder()))
	if f.Name == "invitations" {
		counted["granted"] = true // counted by the names of member.Desk
	}
	_, queued := f.Trigger.(Queue)
	for _, m := range lambdalog.Invocations() {
		switch m.Name {
		case readUnits, writeUnits:
			if len(f.Tables) > 0 {
				names = append(names, m.Name)
			}
		case failed:
			names = append(names, m.Name)
		case rejected, left:
			if queued { // a function's own count of this name is no metric
				names = append(names, m.Name)
			}
		default:
			if counted[m.Name] {
				names = append(names, m.Name)
			}
		}
	}
	return names
}

// The guide says how many metrics a stage has at most: those of requests, and those of each function outside HTTP.
func TestLogsGuide_CountsMetrics(t *testing.T) {
	content, err := os.ReadFile("LOGS.md")
	if err != nil {
		t.Fatal(err)
	}
	stage := Stage{AnalyticsFiles: true, MailFrom: "mail@earshot.example"}
	metrics := len(lambdalog.Requests())
	for _, f := range stage.Functions() {
		if _, http := f.Trigger.(API); http {
			continue
		}
		names := metricsOf(t, f)
		t.Logf("%-24s %s", f.Name, strings.Join(names, " "))
		metrics += len(names)
	}
	const dollars = 0.30 // of a metric
	row := fmt.Sprintf("| everything in every hour | %d | %.2f |\n", metrics, float64(metrics)*dollars)
	if !strings.Contains(string(content), row) {
		t.Errorf("LOGS.md has not the row\n%s", row)
	}
}
