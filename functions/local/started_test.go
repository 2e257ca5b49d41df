package main

import (
	"bytes"
	"strings"
	"testing"

	"earshot/functions/local/demo"
	"earshot/functions/local/settings"
)

// What is printed to be copied reaches the workbench that printed it.
func TestTheCommandToTryIsForThisWorkbench(t *testing.T) {
	for data, want := range map[string]string{
		settings.DefaultData: "\n  dist/earshot propose northwind.example\n",
		"/tmp/a b":           "\n  DATA='/tmp/a b' dist/earshot propose northwind.example\n",
		"it's":               "\n  DATA='it'\\''s' dist/earshot propose northwind.example\n",
		"/tmp/data":          "\n  DATA=/tmp/data dist/earshot propose northwind.example\n",
	} {
		var to bytes.Buffer
		started{base: "http://127.0.0.1:8080", data: data, program: "dist/earshot", demo: &demo.Demo{}}.tell(&to)
		if !strings.Contains(to.String(), want) {
			t.Errorf("%s: no %q in %s", data, want, to.String())
		}
	}
}
