package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"earshot/events"
	"earshot/functions/local/demo"
)

// invoke runs the program with a data folder and settings as NAME=value.
func invoke(t *testing.T, folder string, args []string, settings ...string) (out written, err error) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	err = run(t.Context(), args, func(name string) string {
		for _, setting := range append(settings, "DATA="+folder) {
			if value, ok := strings.CutPrefix(setting, name+"="); ok {
				return value
			}
		}
		return ""
	}, &stdout, &stderr)
	if err != nil {
		return written{}, err
	}
	if err := json.Unmarshal(stdout.Bytes(), &out); err != nil {
		t.Fatalf("%s: %v", stdout.String(), err)
	}
	return out, nil
}

// On a fresh clone the samples that read a mention find it, and a second time on the same data.
func TestSamplesOfMentions(t *testing.T) {
	folder := t.TempDir()
	for _, sample := range []string{"get", "by-id", "get"} {
		out, err := invoke(t, folder, []string{"mentions", sample})
		if err != nil || out.Status != 200 || out.Headers["Content-Type"] != "application/json" {
			t.Fatalf("%s: %+v, %v", sample, out, err)
		}
		if body, isObject := out.Body.(map[string]any); !isObject || body["sourceId"] != "reddit_post_1kq3x9" {
			t.Errorf("%s: %v", sample, out.Body)
		}
	}
	if content, err := os.ReadFile(demo.Path(folder)); err != nil ||
		!strings.Contains(string(content), `"baseUrl": "http://127.0.0.1:8080"`) {
		t.Errorf("%s %v", content, err)
	}
}

// Every sample that there is asks for something that there is.
func TestEverySample(t *testing.T) {
	folder := t.TempDir()
	asked := 0
	for _, function := range events.Functions() {
		for _, sample := range events.Names(function) {
			if event, err := events.Open(function, sample); err != nil || event.Trigger != events.API {
				continue
			}
			asked++
			if out, err := invoke(t, folder, []string{function, sample}); err != nil || out.Status/100 != 2 {
				t.Errorf("%s %s: %d %v, %v", function, sample, out.Status, out.Body, err)
			}
		}
	}
	if asked < 25 {
		t.Errorf("%d samples are requests", asked)
	}
}

func TestKeyOfTheEnvironment(t *testing.T) {
	folder := t.TempDir()
	if out, err := invoke(t, folder, []string{"mentions", "get"}, "EARSHOT_KEY=es_wrong"); err != nil ||
		out.Status != 401 {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := os.Stat(demo.Path(folder)); !os.IsNotExist(err) {
		t.Errorf("it started a demo: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		args    []string
		setting string
		want    string
	}{
		{nil, "", "make invoke FN=mentions EVENT=get"},
		{[]string{"mentions"}, "", "make invoke FN=mentions EVENT=get"},
		{[]string{"mentions", "nothing"}, "", "it has: by-author, by-id, export, filtered, get, list"},
		{[]string{"nothing", "get"}, "",
			"there are for: accountcreated, agency, ai, alerts, analytics, analyticsfiles, archive, authorize, backfills, bounces, collect, deliver, deliveries, discovery"},
		{[]string{"mentions", "get"}, "DEMO=off", "EARSHOT_KEY"},
		{[]string{"mentions", "get"}, "ADDR=x", "ADDR=x"},
	} {
		if _, err := invoke(t, t.TempDir(), c.args, c.setting); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.args, err)
		}
	}
}
