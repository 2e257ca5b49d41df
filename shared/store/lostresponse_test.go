package store_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/member"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store/allstores"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A write whose response is lost is repeated, and meets its own first attempt. It is taken for what it is: nothing
// counts twice, and nobody stands in their own way.
func TestLostResponses(t *testing.T) {
	hour := worldtest.Now.Truncate(time.Hour)
	lease := worldtest.Now.Add(time.Minute)
	due := listenstore.Task{Source: "hackernews", DueAt: worldtest.Now.Add(-time.Minute)}
	export := mentionstore.Export{ID: "exp_1", Format: "json", CreatedAt: worldtest.Now, ExpiresAt: lease}
	for name, c := range map[string]struct {
		prepare func(t *testing.T, w *worldtest.World)
		write   func(t *testing.T, w *worldtest.World, s *allstores.Store) (ok bool, err error)
		holds   func(t *testing.T, w *worldtest.World) // what is so after it was done once
	}{
		"the last of an hour's exports": {
			write: func(t *testing.T, w *worldtest.World, s *allstores.Store) (bool, error) {
				return s.TakeExport(t.Context(), w.Main.ID, hour, 1)
			},
			holds: func(t *testing.T, w *worldtest.World) { wantsRoom(t, w, hour, 1, 0) },
		},
		"one of two exports": {
			write: func(t *testing.T, w *worldtest.World, s *allstores.Store) (bool, error) {
				return s.TakeExport(t.Context(), w.Main.ID, hour, 2)
			},
			holds: func(t *testing.T, w *worldtest.World) { wantsRoom(t, w, hour, 2, 1) },
		},
		"an export that is given back": {
			prepare: func(t *testing.T, w *worldtest.World) { wantsRoom(t, w, hour, 2, 2) },
			write: func(t *testing.T, w *worldtest.World, s *allstores.Store) (bool, error) {
				return true, s.ReturnExport(t.Context(), w.Main.ID, hour)
			},
			holds: func(t *testing.T, w *worldtest.World) { wantsRoom(t, w, hour, 2, 1) },
		},
		"a slot of an export": {
			write: func(t *testing.T, w *worldtest.World, s *allstores.Store) (bool, error) {
				return s.HoldExportSlot(t.Context(), w.Main.ID, export.ID, 2, lease)
			},
			holds: func(t *testing.T, w *worldtest.World) {
				if held, err := w.Store.HoldExportSlot(t.Context(), w.Main.ID, "exp_2", 2, lease); err != nil || !held {
					t.Errorf("HoldExportSlot, one of two being held = %v, %v, want the other", held, err)
				}
			},
		},
		"an export that is completed": {
			write: func(t *testing.T, w *worldtest.World, s *allstores.Store) (bool, error) {
				done := export
				done.WorkspaceID, done.Status, done.FinishedAt = w.Main.ID, mentionstore.ExportCompleted, worldtest.Now
				return s.PutExport(t.Context(), done)
			},
			holds: func(t *testing.T, w *worldtest.World) {
				for _, status := range []mentionstore.ExportStatus{mentionstore.ExportRunning, mentionstore.ExportFailed} {
					other := export
					other.WorkspaceID, other.Status, other.FinishedAt = w.Main.ID, status, worldtest.Now
					if ok, err := w.Store.PutExport(t.Context(), other); err != nil || ok {
						t.Errorf("PutExport(%s) over a completed one = %v, %v, want false", status, ok, err)
					}
				}
			},
		},
		"the rest of a model's budget": {
			write: func(t *testing.T, w *worldtest.World, s *allstores.Store) (bool, error) {
				return workspacestore.ModelBudget{Store: s.Kernel, Daily: 10}.Spend(t.Context(), w.Main.ID, 6)
			},
			holds: func(t *testing.T, w *worldtest.World) {
				if ok, err := (workspacestore.ModelBudget{Store: w.Store.Kernel, Daily: 10}).Spend(t.Context(), w.Main.ID,
					4); err != nil || !ok {
					t.Errorf("Spend(4) of the 4 that are left = %v, %v, want true", ok, err)
				}
			},
		},
		"the model's tokens": {
			write: func(t *testing.T, w *worldtest.World, s *allstores.Store) (bool, error) {
				budget := workspacestore.ModelBudget{Store: s.Kernel, Kind: workspacestore.Judge}
				return true, budget.Count(t.Context(), w.Main.ID, 70, 30)
			},
			holds: func(t *testing.T, w *worldtest.World) {
				use, err := w.Store.ModelUse(t.Context(), w.Main.ID)
				if got := use.ByKind[workspacestore.Judge]; err != nil || got != (workspacestore.Tokens{Input: 70, Output: 30}) {
					t.Errorf("ModelUse after one response = %v, %v, want 70 and 30", got, err)
				}
			},
		},
		"what a run may ask": {
			write: func(t *testing.T, w *worldtest.World, s *allstores.Store) (bool, error) {
				return s.SpendSurvey(t.Context(), proposal.Key{WorkspaceID: w.Main.ID, DraftID: "dft_1"}, 6, 10)
			},
			holds: func(t *testing.T, w *worldtest.World) {
				run := proposal.Key{WorkspaceID: w.Main.ID, DraftID: "dft_1"}
				if ok, err := w.Store.SpendSurvey(t.Context(), run, 4, 10); err != nil || !ok {
					t.Errorf("SpendSurvey(4) of the 4 that are left = %v, %v, want true", ok, err)
				}
			},
		},
		"a task that is claimed": {
			prepare: func(t *testing.T, w *worldtest.World) {
				if err := w.Store.AddTask(t.Context(), due); err != nil {
					t.Fatal(err)
				}
			},
			write: func(t *testing.T, w *worldtest.World, s *allstores.Store) (bool, error) {
				_, ok, err := s.ClaimTask(t.Context(), due, time.Minute)
				return ok, err
			},
			holds: func(t *testing.T, w *worldtest.World) {
				if _, ok, err := w.Store.ClaimTask(t.Context(), due, time.Minute); err != nil || ok {
					t.Errorf("ClaimTask by another = %v, %v, want false", ok, err)
				}
			},
		},
		"a claim of an Idempotency-Key": {
			write: func(t *testing.T, w *worldtest.World, s *allstores.Store) (bool, error) {
				kept, err := s.Begin(t.Context(), claimOf(w, "us"))
				return kept == nil, err
			},
			holds: func(t *testing.T, w *worldtest.World) {
				if kept, err := w.Store.Begin(t.Context(), claimOf(w, "them")); err != nil || kept == nil {
					t.Errorf("Begin by another = %v, %v, want the claim that stands", kept, err)
				}
			},
		},
		"a member's move": {
			prepare: func(t *testing.T, w *worldtest.World) {
				move := table.Item{"pk": w.Main.ID, "sk": "membermove#acc_1", "account": "acc_1", "in": true, "rev": int64(1)}
				if err := w.Table.Put(t.Context(), table.Put{Table: rows.CoreTable, Item: move}); err != nil {
					t.Fatal(err)
				}
			},
			write: func(t *testing.T, w *worldtest.World, s *allstores.Store) (bool, error) {
				_, mine, err := s.ClaimMove(t.Context(), w.Main.ID, "acc_1", "us")
				if err != nil || !mine {
					return false, err
				}
				_, more, err := s.FinishMove(t.Context(), w.Main.ID, member.Move{AccountID: "acc_1", Revision: 1, Claim: "us"})
				return !more, err
			},
			holds: func(t *testing.T, w *worldtest.World) {
				if moves, err := w.Store.Moves(t.Context(), w.Main.ID); err != nil || len(moves) != 0 {
					t.Errorf("Moves = %v, %v, want none", moves, err)
				}
			},
		},
	} {
		for lost := range 4 { // with one more, no attempt would be left
			t.Run(fmt.Sprintf("%s, %d lost", name, lost), func(t *testing.T) {
				w := worldtest.NewWorld(t)
				if c.prepare != nil {
					c.prepare(t, w)
				}
				ok, err := c.write(t, w, allstores.New(table.Retrying(losing(w.Table, lost)), w.Clock))
				if err != nil || !ok {
					t.Errorf("the write = %v, %v, want true", ok, err)
				}
				c.holds(t, w)
			})
		}
	}
}

// losing is a table of which the first responses to every write are lost: so many of them, and then one is not.
func losing(rows table.Table, lost int) table.Table {
	calls := 0
	return fault.Table(rows, fault.Around(func(_, operation string, do func() error) error {
		err := do()
		if !fault.IsWrite(operation) {
			return err
		}
		if calls++; calls%(lost+1) == 0 {
			return err
		}
		return fmt.Errorf("the response is lost: %w", table.ErrUnavailable)
	}))
}

// wantsRoom takes the exports of an hour that are left, and checks how many those are.
func wantsRoom(t *testing.T, w *worldtest.World, hour time.Time, limit, want int) {
	t.Helper()
	for taken := range limit + 1 {
		ok, err := w.Store.TakeExport(t.Context(), w.Main.ID, hour, limit)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			if taken != want {
				t.Errorf("%d exports are left, want %d", taken, want)
			}
			return
		}
	}
	t.Error("the hour has no limit")
}

func claimOf(w *worldtest.World, owner string) workspace.Claim {
	return workspace.Claim{
		WorkspaceID: w.Main.ID,
		ID:          "one",
		Owner:       owner,
		Now:         worldtest.Now,
		Lease:       time.Minute,
		Keep:        time.Hour,
	}
}

// A rate that counts a request twice never lets more through than its limit.
func TestTake_ResponseLost(t *testing.T) {
	w, hour, through := worldtest.NewWorld(t), worldtest.Now.Truncate(time.Hour), 0
	for range 20 {
		lost := fault.Fault{Port: fault.TablePort, Operation: "update", Fault: fault.Lost, Times: 1}
		if err := w.Faults.Add(lost); err != nil {
			t.Fatal(err)
		}
		taken, ok, err := w.Store.Take(t.Context(), w.Main.ID, hour, 10)
		if err != nil || taken > 10 {
			t.Fatalf("Take = %d, %v, %v, want at most 10", taken, ok, err)
		}
		if ok {
			through++
		}
	}
	if through == 0 || through > 10 {
		t.Errorf("%d of 20 requests were let through, want 1 to 10", through)
	}
}

// A transaction that never got a response is not known to have failed, and its caller is told so.
func TestLostResponses_All(t *testing.T) {
	w := worldtest.NewWorld(t)
	lost := fault.Fault{Port: fault.TablePort, Operation: "transact", Fault: fault.Lost, Times: 4}
	if err := w.Faults.Add(lost); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Store.TakeExport(t.Context(), w.Main.ID, worldtest.Now, 9); !errors.Is(err, table.ErrUnavailable) {
		t.Errorf("TakeExport without any response = %v, want %v", err, table.ErrUnavailable)
	}
}
