package agent_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"earshot/shared/port/model"
	"earshot/shared/port/model/modeltest"
	"earshot/shared/proposal"
	"earshot/shared/proposal/agent"
)

// Whatever ends a process after whatever it recorded, the next asks for nothing twice and comes to the same.
func TestKilledAfterEachPart(t *testing.T) {
	for name, script := range map[string]func() *modeltest.Script{
		"good":     modeltest.Good,
		"liar":     func() *modeltest.Script { return modeltest.Liar(modeltest.LieFigure) },
		"looping":  modeltest.Looping,
		"obedient": modeltest.Obedient,
		"garbage":  func() *modeltest.Script { return modeltest.Garbage()["prose"] },
	} {
		t.Run(name, func(t *testing.T) {
			whole := newWorld(script())
			want, err := agent.Run(t.Context(), whole.Options)
			if err != nil {
				t.Fatal(err)
			}
			asked := len(whole.Model.(*modeltest.Script).Requests())
			for at := 1; at <= len(whole.memory.parts); at++ {
				w := newWorld(script())
				w.memory.dying = at
				if _, err := agent.Run(t.Context(), w.Options); !errors.Is(err, errKilled) {
					t.Fatalf("after part %d: %v", at, err)
				}
				for range 2 { // and once more, when all is done
					got, err := agent.Run(t.Context(), w.Options)
					if err != nil || !same(got, want) {
						t.Errorf("after part %d: %+v, %v, want %+v", at, got, err, want)
					}
				}
				if n := len(w.Model.(*modeltest.Script).Requests()); n != asked {
					t.Errorf("after part %d the model was asked %d times, not %d", at, n, asked)
				}
				if !reflect.DeepEqual(w.survey.asked, whole.survey.asked) {
					t.Errorf("after part %d the survey was asked %v, not %v", at, w.survey.asked, whole.survey.asked)
				}
				if !sameConversations(w.Model.(*modeltest.Script), whole.Model.(*modeltest.Script)) {
					t.Errorf("after part %d the model saw another conversation", at)
				}
			}
		})
	}
}

// same compares results but for how long a call took.
func same(a, b agent.Result) bool {
	for _, r := range []*agent.Result{&a, &b} {
		entries := []proposal.Entry{}
		for _, e := range r.Timeline {
			e.Took = nil
			entries = append(entries, e)
		}
		r.Timeline = entries
	}
	return reflect.DeepEqual(a, b)
}

func sameConversations(a, b *modeltest.Script) bool {
	return reflect.DeepEqual(a.Requests(), b.Requests())
}

// What a run that died had spent of its seconds, the next one does not have.
func TestSecondsSpentBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := modeltest.Scripted(func(ctx context.Context, _ model.Conversation, n int) (model.Reply, error) {
			if n == 1 {
				time.Sleep(25 * time.Second)
				return modeltest.Use(n, modeltest.Call{Tool: modeltest.Check, Input: "{}"}), nil
			}
			<-ctx.Done()
			return model.Reply{}, ctx.Err()
		})
		w := newWorld(slow)
		w.memory.dying = 1
		if _, err := agent.Run(t.Context(), w.Options); !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		time.Sleep(time.Hour) // of being dead, which costs nothing
		begun := time.Now()
		w.degrades(t, proposal.AgentBudgetExceeded)
		if took := time.Since(begun); took != w.Depth.Agent-25*time.Second {
			t.Errorf("the second run had %v", took)
		}
	})
}

// The caller's end is no degradation: the stage may be run again.
func TestCallersEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(modeltest.Slow())
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if result, err := agent.Run(ctx, w.Options); !errors.Is(err, context.DeadlineExceeded) || len(w.memory.parts) != 0 {
			t.Errorf("%+v, %v, %v", result, err, w.memory.parts)
		}
	})
}

type failing struct{ err error }

func (f failing) Record(context.Context, string, []byte) ([]byte, error) { return nil, f.err }
func (f failing) Recorded(context.Context) (map[string][]byte, error) {
	return map[string][]byte{}, nil
}

func TestErrorsOfTheStagesOwn(t *testing.T) {
	down := errors.New("down")
	for _, want := range []error{down, proposal.ErrOver} {
		w := newWorld(modeltest.Good())
		w.Recorder = failing{want}
		if _, err := agent.Run(t.Context(), w.Options); !errors.Is(err, want) {
			t.Errorf("%v", err)
		}
	}
	w := newWorld(modeltest.Good())
	w.survey.err = proposal.ErrOver
	if _, err := agent.Run(t.Context(), w.Options); !errors.Is(err, proposal.ErrOver) {
		t.Errorf("%v", err)
	}
	w = newWorld(modeltest.Good())
	w.memory.parts = map[string][]byte{"agent.end": []byte("{")}
	if _, err := agent.Run(t.Context(), w.Options); err == nil {
		t.Error("an ending that cannot be read is one")
	}
}

// blind is a process that read what was recorded before another recorded it.
type blind struct{ *memory }

func (blind) Recorded(context.Context) (map[string][]byte, error) { return nil, nil }

// Of two that run at once, the one that records second goes by what the first recorded: both come to the same.
func TestTwoAtOnce(t *testing.T) {
	first := newWorld(modeltest.Good())
	want := accepts(t, first)
	second := newWorld(following(submitting(minimal)))
	second.Recorder = blind{first.memory}
	if got, err := agent.Run(t.Context(), second.Options); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}
