package agency_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/port/table"
	"earshot/shared/store/purgestore"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// retried is how often an operation of the table that answers errors is tried.
const retried = 4

// Whatever step fails, the answer says so, and nothing of the workspace is left; the same request again makes it.
func TestCreationFails(t *testing.T) {
	for _, c := range []struct {
		name, code string
		fail       func(d *desk)
		doubt      bool // nobody knows whether the group was made: the purge looks after it
	}{
		{"the place", "WORKSPACE_CREATE_FAILED", func(d *desk) {
			faulttest.Nth(t, d.ports, 1,
				fault.Fault{Port: fault.TablePort, Operation: "transact", Fault: fault.Error, Times: retried})
		}, false},
		{"the place, throttled", "WORKSPACE_CREATE_FAILED", func(d *desk) {
			faulttest.Nth(t, d.ports, 1,
				fault.Fault{Port: fault.TablePort, Operation: "transact", Fault: fault.Throttle, Times: retried})
		}, false},
		{"the place, unheard", "WORKSPACE_CREATE_FAILED", func(d *desk) {
			d.rows.unheard = func(tx table.Transaction) bool { return len(tx.Writes) == 3 }
		}, false},
		{"the agency cannot be read", "WORKSPACE_CREATE_FAILED", func(d *desk) {
			faulttest.Nth(t, d.ports, 1,
				fault.Fault{Port: fault.TablePort, Operation: "get", Fault: fault.Error, Times: retried})
		}, false},
		{"the group, unheard", "WORKSPACE_ACCESS_FAILED", func(d *desk) {
			faulttest.Nth(t, d.ports, 1,
				fault.Fault{Port: fault.IdentityPort, Operation: "createGroup", Fault: fault.Error, Times: 1})
		}, true},
		{"the group, refused", "WORKSPACE_ACCESS_FAILED", func(d *desk) {
			d.refuse = func(call string) error {
				if call == "create" {
					return errors.New("no such user pool")
				}
				return nil
			}
		}, false},
		{"the settings", "WORKSPACE_SETUP_FAILED", func(d *desk) {
			faulttest.Nth(t, d.ports, 2,
				fault.Fault{Port: fault.TablePort, Operation: "transact", Fault: fault.Error, Times: retried})
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t)
			c.fail(&d)
			refused := d.create(t, `{"name":"Client","domain":"client.example"}`, "Idempotency-Key", "k").Is(t, 500, c.code)
			if !strings.Contains(refused.Message, "send the request again") || strings.Contains(refused.Message, "user pool") {
				t.Error(refused.Message)
			}
			if left := d.ports.List(); len(left) > 0 {
				t.Errorf("it did not get so far: %v", left)
			}
			left := d.rows.changed(t)
			if c.doubt {
				if len(left) != 1 || !strings.HasSuffix(left[0], " purge") {
					t.Errorf("%v is left", left)
				}
			} else if len(left) > 0 {
				t.Errorf("%v is left", left)
			}
			if len(d.groupNames()) > 0 || d.agency(t).Workspaces.Count != 2 {
				t.Errorf("groups %v, %+v", d.groupNames(), d.agency(t))
			}
			d.ports.Clear()
			d.refuse, d.rows.unheard = nil, nil
			made := d.created(t, `{"name":"Client","domain":"client.example"}`, "Idempotency-Key", "k")
			d.isWhole(t, made.ID, "company")
			if len(d.list(t)) != 3 || d.agency(t).Workspaces.Count != 3 {
				t.Errorf("%+v", d.list(t))
			}
		})
	}
}

// When nobody heard that the last step was done, the answer is the workspace all the same.
func TestCreationIsDoneUnheard(t *testing.T) {
	d := newDesk(t)
	d.rows.unheard = func(tx table.Transaction) bool {
		return slices.ContainsFunc(tx.Writes, func(w table.Write) bool {
			put, ok := w.(table.Put)
			return ok && table.KeyOf(put.Item).Sort == "workspace"
		})
	}
	made := d.created(t, `{"name":"Client","domain":"client.example"}`)
	d.isWhole(t, made.ID, "company")
	if _, there := d.group(made.ID); !there || made.Domain.OrZero() != "client.example" || len(d.list(t)) != 3 {
		t.Errorf("%+v, groups %v", made, d.groupNames())
	}
}

// When what was begun cannot be undone either, the answer promises nothing that is not so, and the purge takes it away.
func TestCreationCannotBeUndone(t *testing.T) {
	d := newDesk(t)
	faulttest.Nth(t, d.ports, 2,
		fault.Fault{Port: fault.TablePort, Operation: "transact", Fault: fault.Error, Times: 2 * retried})
	d.create(t, `{"name":"Client"}`).Is(t, 500, "INTERNAL_ERROR")
	d.ports.Clear()
	d.refuse = func(call string) error { return errors.New("no such user pool") }
	refused := d.create(t, `{"name":"Client"}`).Is(t, 500, "WORKSPACE_ACCESS_FAILED")
	if !strings.Contains(refused.Message, "within minutes") {
		t.Error(refused.Message)
	}
	if d.agency(t).Workspaces.Count != 3 { // the place of the first is kept as long as nobody knows
		t.Errorf("%+v", d.agency(t))
	}
	d.refuse = nil
	d.purged(t)
	if left := d.rows.changed(t); len(left) > 0 || len(d.groupNames()) > 0 || d.agency(t).Workspaces.Count != 2 {
		t.Errorf("%v is left, groups %v, %+v", left, d.groupNames(), d.agency(t))
	}
}

// noSlack is the connection of workspaces that have none.
func noSlack(context.Context, string) error { return nil }

// purged lets time go by, and the purge do its work.
func (d desk) purged(t testing.TB) {
	t.Helper()
	beside := purgestore.Beside{Group: d.DeleteGroup, Slack: noSlack}
	for hour := range 4 {
		d.World.Clock.Freeze(worldtest.Now.Add(time.Duration(hour+1) * 2 * time.Hour))
		due, err := d.Store.Purges(t.Context(), 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range due {
			if _, err := d.Store.Purge(t.Context(), id, beside, 0); err != nil {
				t.Error(err)
			}
		}
	}
	if due, err := d.Store.Purges(t.Context(), 100); err != nil || len(due) > 0 {
		t.Errorf("%v is still to be purged, %v", due, err)
	}
}

// died is what went wrong with a request: at its nth operation of a port.
type died struct {
	port  string
	n     int
	kind  fault.Kind
	times int
}

func (x died) String() string {
	return fmt.Sprintf("%s of operation %d of the %s", x.kind, x.n, x.port)
}

// put adds the faults: a request that gets so far meets all of them.
func (d desk) put(t testing.TB, all ...died) {
	t.Helper()
	for _, x := range all {
		faulttest.Nth(t, d.ports, x.n, fault.Fault{Port: x.port, Fault: x.kind, Times: x.times})
	}
}

// met says whether a request got as far as to meet it.
func (d desk) met(x died) bool {
	return !slices.ContainsFunc(d.ports.List(), func(f fault.Fault) bool { return f.Port == x.port })
}

// everywhere calls do with what may go wrong at each operation of a request, after what has gone wrong before, until it
// goes well so far.
func everywhere(t *testing.T, do func(t *testing.T, x died) (met bool)) {
	for _, port := range []string{fault.TablePort, fault.IdentityPort} {
		tries := 1
		if port == fault.TablePort {
			tries = retried
		}
		for kind, times := range map[fault.Kind]int{fault.Crash: 1, fault.Error: tries} {
			for n, met := 1, true; met; n++ {
				x := died{port, n, kind, times}
				t.Run(x.String(), func(t *testing.T) { met = do(t, x) })
				if n > 30 {
					t.Fatal("a request has no end")
				}
			}
		}
	}
}

// A request that dies at any step, or meets an error at it, and is sent again makes one workspace, whole, and counts
// once. What else is left after it is known to the purge.
func TestCreationDies(t *testing.T) {
	for name, before := range map[string][]died{
		"at first": nil, "after the group failed": {{fault.IdentityPort, 1, fault.Error, 1}},
		"after the settings failed": {{fault.TablePort, 5, fault.Error, retried}},
	} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, func(t *testing.T, x died) bool {
				d := newDesk(t)
				d.put(t, append(slices.Clone(before), x)...)
				d.create(t, `{"name":"Client","domain":"client.example"}`, "Idempotency-Key", "k") // whatever it answers
				met := d.met(x)
				d.ports.Clear()

				made := d.created(t, `{"name":"Client","domain":"client.example"}`, "Idempotency-Key", "k")
				list := d.list(t)
				if len(list) != 3 || list[2].ID != made.ID && list[0].ID != made.ID && list[1].ID != made.ID ||
					d.agency(t).Workspaces.Count != 3 {
					t.Errorf("%+v, %+v", list, d.agency(t))
				}
				if _, there := d.group(made.ID); !there {
					t.Error("it has no group")
				}
				d.purged(t)
				d.isWhole(t, made.ID, "company")
				for _, row := range d.rows.changed(t) {
					if !strings.Contains(row, made.ID) && !strings.Contains(row, " made#") {
						t.Errorf("there is %s", row)
					}
				}
				if names := d.groupNames(); len(names) != 1 || len(d.list(t)) != 3 {
					t.Errorf("groups %v", names)
				}
				return met
			})
		})
	}
}

// What a process that died left behind and nobody asks for again, the purge takes away; until then its place is kept.
func TestCreationIsAbandoned(t *testing.T) {
	everywhere(t, func(t *testing.T, x died) bool {
		d := newDesk(t)
		d.put(t, x)
		made := d.create(t, `{"name":"Client"}`).Status == 200
		met := d.met(x)
		d.ports.Clear()
		listed := len(d.list(t)) == 3 // it died after its last step
		if made && !listed {
			t.Error("it was answered and is not there")
		}
		d.purged(t)
		changed, count := d.rows.changed(t), d.agency(t).Workspaces.Count
		if listed != (len(d.list(t)) == 3) || listed != (len(d.groupNames()) == 1) || listed != (count == 3) ||
			!listed && len(changed) > 0 {
			t.Errorf("listed %v: %v, groups %v", listed, changed, d.groupNames())
		}
		return met
	})
}

// The place of a request that died is its own: when there is no other, it is made there.
func TestCreationGoesOnInItsPlace(t *testing.T) {
	d := newDesk(t)
	d.change(t, func(a *workspace.Agency) { a.WorkspaceLimit = 3 })
	faulttest.Nth(t, d.ports, 1,
		fault.Fault{Port: fault.IdentityPort, Operation: "createGroup", Fault: fault.Crash, Times: 1})
	d.create(t, `{"name":"Client"}`, "Idempotency-Key", "k").Is(t, 500, "INTERNAL_ERROR")
	group := d.groupNames()
	d.create(t, `{"name":"Client"}`).Is(t, 400, "AGENCY_WORKSPACE_LIMIT")
	made := d.created(t, `{"name":"Client"}`, "Idempotency-Key", "k")
	if len(group) != 1 || made.ID != group[0] || len(d.groupNames()) != 1 {
		t.Errorf("%+v, groups %v", made, group)
	}
	d.isWhole(t, made.ID)
	// Nor is the room wanting once the purge has begun with that place.
	d = newDesk(t)
	d.change(t, func(a *workspace.Agency) { a.WorkspaceLimit = 3 })
	faulttest.Nth(t, d.ports, 1,
		fault.Fault{Port: fault.IdentityPort, Operation: "createGroup", Fault: fault.Crash, Times: 1})
	d.create(t, `{"name":"Client"}`, "Idempotency-Key", "k").Is(t, 500, "INTERNAL_ERROR")
	group = d.groupNames()
	d.World.Clock.Freeze(worldtest.Now.Add(10 * time.Minute))
	refused := purgestore.Beside{Group: d.refuses, Slack: noSlack}
	if done, err := d.Store.Purge(t.Context(), group[0], refused, 0); err != nil || done.Refused == nil {
		t.Fatal(done, err)
	}
	if made = d.created(t, `{"name":"Client"}`, "Idempotency-Key", "k"); made.ID == group[0] {
		t.Error("it was made where the purge is at work")
	}
	d.purged(t)
	if names := d.groupNames(); len(names) != 1 || names[0] != made.ID || d.agency(t).Workspaces.Count != 3 {
		t.Errorf("groups %v, %+v", names, d.agency(t))
	}
}

// A repeat is told when what it made has been deleted since.
func TestCreationRepeatedAfterDeletion(t *testing.T) {
	d := newDesk(t)
	faulttest.Nth(t, d.ports, 2, fault.Fault{Port: fault.TablePort, Operation: "transact", Fault: fault.Crash, Times: 1})
	d.create(t, `{"name":"Client"}`, "Idempotency-Key", "k").Is(t, 500, "INTERNAL_ERROR")
	list := d.list(t)
	at := slices.IndexFunc(list, func(w agencyWorkspace) bool { return w.Name == "Client" })
	if at < 0 {
		t.Fatalf("%+v", list)
	}
	d.delete(t, list[at].ID).OK(t, nil)
	d.create(t, `{"name":"Client"}`, "Idempotency-Key", "k").Is(t, 400, "INVALID_INPUT")
	if len(d.list(t)) != 2 {
		t.Errorf("%+v", d.list(t))
	}
}
