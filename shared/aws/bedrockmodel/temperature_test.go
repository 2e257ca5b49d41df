package bedrockmodel_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"earshot/shared/aws/bedrockmodel"
	"earshot/shared/port/model"
)

// A family is a Bedrock whose model takes a temperature or not.
type family struct {
	t       *testing.T
	refuses bool   // a temperature
	invalid bool   // refuses every request
	fails   string // the code of what it answers instead; empty: none

	mu   sync.Mutex
	seen []string // temperatures
}

func (f *family) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		f.t.Error(err)
	}
	var got struct{ InferenceConfig map[string]json.RawMessage }
	if err := json.Unmarshal(body, &got); err != nil {
		f.t.Error(err)
	}
	temperature := "none"
	if sent, ok := got.InferenceConfig["temperature"]; ok {
		temperature = string(sent)
	}
	f.mu.Lock()
	f.seen = append(f.seen, temperature)
	f.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	code, message := f.fails, "because"
	switch {
	case f.invalid:
		code, message = "ValidationException", "The messages are too long."
	case f.refuses && temperature != "none":
		code, message = "ValidationException", "`temperature` is deprecated for this model."
	}
	if code != "" {
		w.Header().Set("X-Amzn-Errortype", code)
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"message":"`+message+`"}`)
		return
	}
	_, _ = io.WriteString(w, good)
}

func (f *family) model(t *testing.T) *bedrockmodel.Model {
	f.t = t
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return opened(t, server.URL, "m-1")
}

// Each model is asked at temperature 0 as long as it takes one, and without one from the first refusal on, which costs
// one request of a process.
func TestTemperature(t *testing.T) {
	for name, c := range map[string]struct {
		refuses, invalid bool
		fails            string
		want             []string // temperatures of three requests
		err              error
	}{
		"takes one":   {false, false, "", []string{"0", "0", "0"}, nil},
		"refuses one": {true, false, "", []string{"0", "none", "none", "none"}, nil},
		"refuses all": {false, true, "", []string{"0", "none", "0", "none", "0", "none"}, model.ErrRefused},
		"denies":      {false, false, "AccessDeniedException", []string{"0", "0", "0"}, model.ErrRefused},
		"throttles":   {false, false, "ThrottlingException", []string{"0", "0", "0"}, model.ErrThrottled},
	} {
		for operation, ask := range map[string]func(*bedrockmodel.Model) error{
			"Complete": func(m *bedrockmodel.Model) error {
				_, err := m.Complete(t.Context(), question)
				return err
			},
			"Converse": func(m *bedrockmodel.Model) error {
				_, err := m.Converse(t.Context(), asked(user(text("Look."))))
				return err
			},
		} {
			t.Run(name+"/"+operation, func(t *testing.T) {
				f := &family{refuses: c.refuses, invalid: c.invalid, fails: c.fails}
				m := f.model(t)
				for range 3 {
					if err := ask(m); !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
						t.Errorf("%s = %v, want %v", operation, err, c.err)
					} else if c.invalid && !strings.Contains(err.Error(), "too long") {
						t.Errorf("%s = %v, want the cause of the first refusal", operation, err)
					}
				}
				if !slices.Equal(f.seen, c.want) {
					t.Errorf("the temperatures sent are %q, want %q", f.seen, c.want)
				}
			})
		}
	}
}

// Once a model has taken a temperature, a refusal has another cause: the request is not sent twice.
func TestTemperature_TakenBefore(t *testing.T) {
	f := &family{}
	m := f.model(t)
	if _, err := m.Complete(t.Context(), question); err != nil {
		t.Fatal(err)
	}
	f.invalid = true
	if _, err := m.Complete(t.Context(), question); !errors.Is(err, model.ErrRefused) {
		t.Errorf("Complete = %v, want %v", err, model.ErrRefused)
	}
	if want := []string{"0", "0"}; !slices.Equal(f.seen, want) {
		t.Errorf("the temperatures sent are %q, want %q", f.seen, want)
	}
}

// What one operation has learned, the other knows; many at once learn it too.
func TestTemperature_LearnedTogether(t *testing.T) {
	f := &family{refuses: true}
	m := f.model(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if _, err := m.Complete(t.Context(), question); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	before := len(f.seen)
	if _, err := m.Converse(t.Context(), asked(user(text("Look.")))); err != nil {
		t.Error(err)
	}
	if got := f.seen[before:]; !slices.Equal(got, []string{"none"}) {
		t.Errorf("Converse, a refusal being known, sent %q, want one request without a temperature", got)
	}
}
