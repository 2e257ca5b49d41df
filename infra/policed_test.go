package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"earshot/shared/feed"
	"earshot/shared/port/blob"
	"earshot/shared/port/identity"
	"earshot/shared/port/mail"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
)

// police allows what a function's row does, and notes what it was asked for: each as an action on a resource, such as
// "PutItem on core" or "Query on core/byDue".
type police struct {
	allowed map[string]bool

	mu   sync.Mutex
	used map[string]bool
}

func newPolice(function Function) *police {
	p := &police{allowed: map[string]bool{}, used: map[string]bool{}}
	for _, grant := range function.Tables {
		for _, action := range grant.Actions {
			p.allowed[action+" on "+grant.Table] = true
		}
		for _, index := range grant.Indexes {
			p.allowed["Query on "+grant.Table+"/"+index] = true
		}
	}
	for _, name := range function.Sends {
		p.allowed["SendMessage on "+name] = true
	}
	for _, action := range function.Files {
		p.allowed[action+" on "+exportsFolder] = true
	}
	for _, action := range function.DayFiles {
		p.allowed[action+" on "+dayFilesFolder] = true
	}
	for _, action := range function.Shards {
		p.allowed[action+" on "+shardsFolder] = true
	}
	for _, action := range function.People {
		p.allowed[action+" on people"] = true
	}
	if function.Starts {
		p.allowed["StartExecution on machine"] = true
	}
	if function.Mail {
		p.allowed["SendEmail on mail"] = true
	}
	return p
}

// ask is an error when something is not allowed, as AWS would answer one.
func (p *police) ask(actions ...string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, action := range actions {
		p.used[action] = true
		if !p.allowed[action] {
			return fmt.Errorf("AccessDeniedException: %s", action)
		}
	}
	return nil
}

// denied is what was asked for and not allowed, and idle what is allowed and was not asked for.
func (p *police) report() (denied, idle []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for action := range p.used {
		if !p.allowed[action] {
			denied = append(denied, action)
		}
	}
	for action := range p.allowed {
		if !p.used[action] {
			idle = append(idle, action)
		}
	}
	slices.Sort(denied)
	slices.Sort(idle)
	return denied, idle
}

// policedTable asks before each operation, by the names that DynamoDB has for it in a policy.
type policedTable struct {
	table.Table
	*police
}

func (t policedTable) Get(ctx context.Context, get table.Get) (table.Item, error) {
	if err := t.ask("GetItem on " + get.Table); err != nil {
		return nil, err
	}
	return t.Table.Get(ctx, get)
}

func (t policedTable) BatchGet(ctx context.Context, gets []table.Get) (table.Batch, error) {
	for _, get := range gets {
		if err := t.ask("BatchGetItem on " + get.Table); err != nil {
			return table.Batch{}, err
		}
	}
	return t.Table.BatchGet(ctx, gets)
}

func (t policedTable) Query(ctx context.Context, query table.Query) (table.Page, error) {
	on := query.Table
	if query.Index != "" {
		on += "/" + query.Index
	}
	if err := t.ask("Query on " + on); err != nil {
		return table.Page{}, err
	}
	return t.Table.Query(ctx, query)
}

func (t policedTable) Put(ctx context.Context, put table.Put) error {
	if err := t.ask("PutItem on " + put.Table); err != nil {
		return err
	}
	return t.Table.Put(ctx, put)
}

func (t policedTable) Update(ctx context.Context, update table.Update) (table.Item, error) {
	if err := t.ask("UpdateItem on " + update.Table); err != nil {
		return nil, err
	}
	return t.Table.Update(ctx, update)
}

func (t policedTable) Delete(ctx context.Context, del table.Delete) error {
	if err := t.ask("DeleteItem on " + del.Table); err != nil {
		return err
	}
	return t.Table.Delete(ctx, del)
}

func (t policedTable) Transact(ctx context.Context, tx table.Transaction) error {
	for _, write := range tx.Writes {
		var action string
		switch write := write.(type) {
		case table.Put:
			action = "PutItem on " + write.Table
		case table.Update:
			action = "UpdateItem on " + write.Table
		case table.Delete:
			action = "DeleteItem on " + write.Table
		case table.Check:
			action = "ConditionCheckItem on " + write.Table
		}
		if err := t.ask(action); err != nil {
			return err
		}
	}
	return t.Table.Transact(ctx, tx)
}

type policedQueue struct {
	queue.Queue
	*police
}

func (q policedQueue) Send(ctx context.Context, name string, messages ...queue.Message) error {
	if err := q.ask("SendMessage on " + name); err != nil {
		return err
	}
	return q.Queue.Send(ctx, name, messages...)
}

type policedBlob struct {
	blob.Blob
	*police
	folder string
}

// Folders that functions keep files in.
const (
	exportsFolder  = "files"
	dayFilesFolder = "day files"
	shardsFolder   = "shards"
)

func (b policedBlob) Put(ctx context.Context, key string, file blob.File) error {
	if err := b.ask("PutObject on " + b.folder); err != nil {
		return err
	}
	return b.Blob.Put(ctx, key, file)
}

func (b policedBlob) Get(ctx context.Context, key string) (io.ReadCloser, error) {
	if err := b.ask("GetObject on " + b.folder); err != nil {
		return nil, err
	}
	return b.Blob.Get(ctx, key)
}

func (b policedBlob) GetRange(ctx context.Context, key string, offset, length int64) ([]byte, error) {
	if err := b.ask("GetObject on " + b.folder); err != nil {
		return nil, err
	}
	return b.Blob.GetRange(ctx, key, offset, length)
}

// Link asks for what whoever follows the link does in the function's name.
func (b policedBlob) Link(ctx context.Context, key string, expires time.Duration) (string, error) {
	if err := b.ask("GetObject on " + b.folder); err != nil {
		return "", err
	}
	return b.Blob.Link(ctx, key, expires)
}

func (b policedBlob) Delete(ctx context.Context, key string) error {
	if err := b.ask("DeleteObject on " + b.folder); err != nil {
		return err
	}
	return b.Blob.Delete(ctx, key)
}

type policedMail struct{ *police }

func (m policedMail) Send(_ context.Context, message mail.Message) error {
	if err := m.ask("SendEmail on mail"); err != nil {
		return err
	}
	return mail.Check(message)
}

// policedPeople is a directory that asks by Cognito's names. A group is made as the first one joins it.
type policedPeople struct {
	play *play
	*police
}

func (d policedPeople) Account(_ context.Context, email string) (identity.Account, error) {
	if err := d.ask("AdminGetUser on people", "ListUsers on people"); err != nil {
		return identity.Account{}, err
	}
	if !d.play.signed[email] {
		return identity.Account{}, identity.ErrNoAccount
	}
	return identity.Account{ID: "account of " + email, Email: email}, nil
}

func (d policedPeople) Join(context.Context, string, string) error {
	return d.change("AdminAddUserToGroup on people", "CreateGroup on people")
}

func (d policedPeople) Leave(context.Context, string, string) error {
	return d.change("AdminRemoveUserFromGroup on people")
}

func (d policedPeople) CreateGroup(context.Context, string) error {
	return d.change("CreateGroup on people")
}

func (d policedPeople) DeleteGroup(context.Context, string) error {
	return d.change("DeleteGroup on people")
}

func (d policedPeople) change(actions ...string) error {
	if err := d.ask(actions...); err != nil || !d.play.frozen {
		return err
	}
	return identity.ErrUnavailable
}

// slackless is the Slack of workspaces that have none.
type slackless struct{}

func (slackless) Team(context.Context, string) (feed.Team, error) {
	return feed.Team{}, feed.ErrSlackNotConnected
}

func (slackless) Channels(context.Context, string) ([]feed.Channel, error) {
	return nil, feed.ErrSlackNotConnected
}

func (slackless) Post(context.Context, string, string, feed.SlackMessage) error {
	return feed.ErrSlackNotConnected
}

// Authorize returns the state alone, which a test sends back as Slack does.
func (slackless) Authorize(_ context.Context, _, state string) (string, error) { return state, nil }

func (slackless) Connect(context.Context, string, string, string) (feed.Team, error) {
	return feed.Team{}, &feed.SlackRefusal{Reason: "There is no Slack."}
}

func (slackless) Disconnect(context.Context, string) error { return nil }
