package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// Many instances on one store, as processes: this test's program runs again as each of them.

const (
	instances  = 8
	goroutines = 32
	each       = 12 // requests of a goroutine: 3,072 in all, of which 500 may pass
)

// variables of an instance.
const (
	variablePlace = "EARSHOT_TEST_PLACE"
	variableKey   = "EARSHOT_TEST_KEY"
)

// tally is what an instance says after a round.
type tally struct{ OK, Limited, Other, Writes int }

func TestMain(m *testing.M) {
	if place := os.Getenv(variablePlace); place != "" {
		if err := instance(worldtest.Place(place), os.Getenv(variableKey)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// counted counts the writes of a limiter.
type counted struct {
	web.Windows
	writes atomic.Int64
}

func (c *counted) Take(ctx context.Context, orgID string, start time.Time, limit int) (int, bool, error) {
	c.writes.Add(1)
	return c.Windows.Take(ctx, orgID, start, limit)
}

// instance serves rounds: a line with the time on its input, a tally on its output.
func instance(place worldtest.Place, key string) error {
	now := &clock.Adjustable{}
	now.Freeze(worldtest.Now) // before the table is opened: it sweeps what is over by its clock
	rows, closed, err := place.Open(now)
	if err != nil {
		return err
	}
	defer closed()
	stored := allstores.New(table.Retrying(rows), now)
	windows := &counted{Windows: stored}
	api := web.New(web.Options{Credentials: stored, Windows: windows, Clock: now})
	web.Register(api, web.Operation{ID: "who", Method: "GET", Path: "/who", Group: "things"},
		func(context.Context, *struct{}) (*made, error) { return &made{}, nil })
	handler := api.LambdaHandler()
	event := worldtest.Client{Token: key}.Event(worldtest.Request{Target: "/who"})
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		at, err := time.Parse(time.RFC3339, lines.Text())
		if err != nil {
			return err
		}
		now.Freeze(at)
		windows.writes.Store(0)
		var ok, limited, other atomic.Int64
		faulttest.AtOnce(goroutines, func(int) {
			for range each {
				switch response, err := handler(context.Background(), event); {
				case err == nil && response.StatusCode == 200:
					ok.Add(1)
				case err == nil && response.StatusCode == 429:
					limited.Add(1)
				default:
					other.Add(1)
				}
			}
		})
		json.NewEncoder(os.Stdout).
			Encode(tally{int(ok.Load()), int(limited.Load()), int(other.Load()), int(windows.writes.Load())})
	}
	return lines.Err()
}

// fleet runs instances as processes.
type fleet struct {
	inputs  []io.Writer
	outputs []*json.Decoder
}

func launch(t *testing.T, place worldtest.Place, key string) fleet {
	t.Helper()
	var f fleet
	for range instances {
		command := exec.Command(os.Args[0])
		command.Env = append(os.Environ(), variablePlace+"="+string(place), variableKey+"="+key)
		command.Stderr = os.Stderr
		input, err := command.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		output, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { input.Close(); command.Wait() })
		f.inputs, f.outputs = append(f.inputs, input), append(f.outputs, json.NewDecoder(output))
	}
	return f
}

// round has every instance send its requests at once, and adds up.
func (f fleet) round(t *testing.T, now time.Time) (sum tally, mostWrites int) {
	t.Helper()
	for _, input := range f.inputs {
		fmt.Fprintln(input, now.Format(time.RFC3339))
	}
	for _, output := range f.outputs {
		var one tally
		if err := output.Decode(&one); err != nil {
			t.Fatal(err)
		}
		sum = tally{sum.OK + one.OK, sum.Limited + one.Limited, sum.Other + one.Other, sum.Writes + one.Writes}
		mostWrites = max(mostWrites, one.Writes)
	}
	if sum.Other != 0 || sum.OK+sum.Limited != instances*goroutines*each {
		t.Fatalf("%+v", sum)
	}
	return sum, mostWrites
}

// Eight processes with 32 goroutines each: exactly 500 requests of a window pass, and again when the hour has turned. A
// flood on a spent window costs an instance that knows nothing, and one that does not know one write.
func TestLimiter_SeveralProcesses(t *testing.T) {
	place := worldtest.NewPlace(t)
	w := worldtest.NewWorldAt(t, place)
	known := launch(t, place, w.Read)
	for hour := range 2 {
		sum, _ := known.round(t, worldtest.Now.Add(time.Duration(hour)*time.Hour))
		t.Logf("hour %d: %+v", hour, sum)
		if sum.OK != web.HourlyLimit {
			t.Errorf("hour %d: %d requests passed", hour, sum.OK)
		}
	}
	turned := worldtest.Now.Add(time.Hour)
	if sum, most := known.round(t, turned); sum.OK != 0 || most != 0 {
		t.Errorf("a flood on a window that is known to be spent: %+v", sum)
	}
	if sum, most := launch(t, place, w.Read).round(t, turned); sum.OK != 0 || most != 1 {
		t.Errorf("a flood on fresh instances: %+v, at most %d writes", sum, most)
	}
}
