package identitytest_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/shared/port/identity"
	"earshot/shared/port/identity/identitytest"
)

// memory is a directory, but for its fault.
type memory struct {
	fault string

	mu       sync.Mutex
	accounts []identity.Account
	pretend  map[string]bool            // by id
	groups   map[string]map[string]bool // by group and id
	kept     map[string]map[string]bool // members of groups that were deleted, for a fault
	deleted  map[string]bool
}

var errNoName = errors.New("a group without a name")

func (m *memory) signUp(email, name string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	id := fmt.Sprintf("account-%d", len(m.accounts))
	if m.fault == "one id for all" {
		id = "account"
	}
	m.accounts = append(m.accounts, identity.Account{ID: id, Email: email, Name: name})
	return id
}

func (m *memory) Account(ctx context.Context, email string) (identity.Account, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil && m.fault != "goes on when canceled" {
		return identity.Account{}, err
	}
	for _, account := range m.accounts {
		if m.is(account.Email, email) && (!m.pretend[account.ID] || m.fault == "takes pretenders") {
			return account, nil
		}
	}
	if m.fault == "says so in its own words" {
		return identity.Account{}, errors.New("no account")
	}
	return identity.Account{}, identity.ErrNoAccount
}

// is compares an account's address with one that is asked for.
func (m *memory) is(email, asked string) bool {
	switch m.fault {
	case "minds case":
		return email == asked
	case "folds as Unicode does":
		return email == strings.ToLower(asked)
	case "finds by prefix":
		return asked != "" && strings.HasPrefix(email, identity.Fold(asked))
	case "finds by pattern":
		found, _ := path.Match(identity.Fold(asked), email)
		return found
	case "trims":
		return email == identity.Fold(strings.TrimSpace(asked))
	}
	return email == identity.Fold(asked)
}

func (m *memory) Join(ctx context.Context, group, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if group == "" && m.fault != "joins one without a name" {
		return errNoName
	}
	known := false
	for _, account := range m.accounts {
		known = known || account.ID == id
	}
	if !known && m.fault != "anyone joins" {
		return identity.ErrNoAccount
	}
	switch members := m.groups[group]; {
	case m.fault == "one group for all":
		group = "all"
	case m.fault == "joins once" && members[id]:
		return errors.New("a member already")
	case m.fault == "makes no group twice" && members != nil:
		m.groups[group] = nil
	case m.fault == "does not join" && len(members) == 1:
		return nil
	}
	if m.groups[group] == nil {
		m.groups[group] = map[string]bool{}
		maps.Copy(m.groups[group], m.kept[group])
	}
	if m.fault == "minds a group that goes" {
		if m.others(); m.groups[group] == nil {
			return errors.New("no such group")
		}
	}
	m.groups[group][id] = true
	return nil
}

func (m *memory) Leave(ctx context.Context, group, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	switch {
	case m.fault == "minds who is not there" && !m.groups[group][id]:
		return identity.ErrNoAccount
	case m.fault == "leaves everything":
		for _, members := range m.groups {
			delete(members, id)
		}
	case m.fault == "deletes the group":
		delete(m.groups, group)
	case m.fault != "stays":
		delete(m.groups[group], id)
	}
	if m.fault == "ends with its last member" && len(m.groups[group]) == 0 {
		delete(m.groups, group)
	}
	return nil
}

func (m *memory) CreateGroup(ctx context.Context, group string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil && m.fault != "makes when canceled" {
		return err
	}
	if group == "" && m.fault != "makes one without a name" {
		return errNoName
	}
	there := m.groups[group] != nil
	switch {
	case m.fault == "makes none", m.fault == "makes none again" && m.deleted[group]:
		return nil
	case m.fault == "minds what is there" && there:
		return errors.New("a group already")
	case m.fault == "makes it anew":
		there = false
	case m.fault == "makes it twice at once":
		m.others()
	}
	if !there {
		m.groups[group] = map[string]bool{}
	}
	return nil
}

func (m *memory) DeleteGroup(ctx context.Context, group string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil && m.fault != "deletes when canceled" {
		return err
	}
	if m.groups[group] == nil {
		switch {
		case m.fault == "minds what is not there", m.fault == "minds no name" && group == "":
			return errors.New("no such group")
		}
		return nil
	}
	switch m.fault {
	case "deletes none", "deletes none but empty ones":
		if m.fault == "deletes none" || len(m.groups[group]) > 0 {
			return nil
		}
	case "deletes members only":
		clear(m.groups[group])
		return nil
	case "deletes all":
		clear(m.groups)
	case "deletes accounts":
		m.accounts = slices.DeleteFunc(m.accounts, func(account identity.Account) bool { return m.groups[group][account.ID] })
	case "keeps who was in it":
		m.kept[group] = m.groups[group]
	}
	delete(m.groups, group)
	m.deleted[group] = true
	return nil
}

// others lets others do what they came for.
func (m *memory) others() {
	m.mu.Unlock()
	time.Sleep(time.Millisecond)
	m.mu.Lock()
}

func (m *memory) members(group string) (ids []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fault == "one group for all" {
		group = "all"
	}
	for id := range m.groups[group] {
		ids = append(ids, id)
	}
	return ids
}

func (m *memory) names() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Keys(m.groups))
}

const faultVariable = "IDENTITYTEST_FAULT"

// TestSuite runs the suite on the memory with the fault that the environment names.
func TestSuite(t *testing.T) {
	identitytest.Run(t, func(*testing.T) identitytest.Medium {
		m := &memory{fault: os.Getenv(faultVariable), pretend: map[string]bool{}, groups: map[string]map[string]bool{},
			kept: map[string]map[string]bool{}, deleted: map[string]bool{}}
		return identitytest.Medium{
			Directory: m,
			SignUp:    func(_ context.Context, email, name string) (string, error) { return m.signUp(email, name), nil },
			Members:   func(_ context.Context, group string) ([]string, error) { return m.members(group), nil },
			Groups:    func(context.Context) ([]string, error) { return m.names(), nil },
			Pretend: map[string]func(context.Context, string) error{"unconfirmed": func(_ context.Context, email string) error {
				m.pretend[m.signUp(email, "")] = true
				return nil
			}},
		}
	}, identitytest.Options{})
}

// Each fault fails the suite, in the test that is for it.
func TestSuite_FindsFaults(t *testing.T) {
	if os.Getenv(faultVariable) != "" {
		t.Skip("it runs for a fault already")
	}
	for fault, found := range map[string]string{
		"one id for all": "Account", "goes on when canceled": "Canceled", "takes pretenders": "Pretenders",
		"says so in its own words": "Account",
		"minds case":               "Case", "folds as Unicode does": "Case", "finds by prefix": "Similar",
		"finds by pattern": "Similar",
		"trims":            "NoAddress",
		"anyone joins":     "JoinNobody", "one group for all": "Join", "joins once": "Join",
		"makes no group twice": "JoinAtOnce",
		"does not join":        "JoinAtOnce", "minds who is not there": "Leave", "leaves everything": "Leave",
		"deletes the group": "Leave", "stays": "Leave",
		"makes none": "CreateGroup", "minds what is there": "CreateGroup", "makes it anew": "CreateGroup",
		"ends with its last member": "CreateGroup",
		"makes it twice at once":    "CreateGroupAtOnce", "minds what is not there": "DeleteGroup",
		"deletes none":                "DeleteGroup",
		"deletes none but empty ones": "DeleteGroup", "deletes members only": "DeleteGroup", "deletes all": "DeleteGroup",
		"deletes accounts": "DeleteGroup", "keeps who was in it": "DeleteGroup", "makes none again": "DeleteGroup",
		"minds a group that goes": "DeleteGroupAtOnce", "makes one without a name": "NoName",
		"joins one without a name": "NoName",
		"minds no name":            "NoName", "makes when canceled": "Canceled", "deletes when canceled": "Canceled",
	} {
		t.Run(fault, func(t *testing.T) {
			command := exec.Command(os.Args[0], "-test.run=^TestSuite$", "-test.v", "-test.timeout=1m")
			command.Env = append(os.Environ(), faultVariable+"="+fault)
			output, err := command.CombinedOutput()
			if err == nil || !strings.Contains(string(output), "--- FAIL: TestSuite/"+found+" ") {
				t.Errorf("%v\n%.4000s", err, output)
			}
		})
	}
}
