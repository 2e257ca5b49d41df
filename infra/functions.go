package main

import (
	"time"

	"earshot/shared/store"
)

// A Function is one folder under functions/ that runs as a Lambda: what it needs, and what it may do. It may do nothing
// else but write its own logs and send traces.
type Function struct {
	Name    string // of its folder
	Trigger Trigger
	// MemoryMiB buys processor time too: 1,769 MiB are one core.
	MemoryMiB float64
	Timeout   time.Duration
	// Tables that it may reach; each is in its environment as TABLE_<NAME>.
	Tables []Grant
}

// A Grant allows operations on one table, by DynamoDB's names. Query holds for the table and each of its indexes, the
// others for the table alone.
type Grant struct {
	Table   string
	Actions []string
}

// A Trigger is what runs a function.
type Trigger string

// API functions answer HTTP requests; which ones, the OpenAPI document says (x-function).
const API Trigger = "api"

// apiTimeout leaves a function the time to answer before API Gateway gives up on it, at 29 s.
const apiTimeout = 28 * time.Second

// Manifest lists the functions of a deployment. A new function is a new row here; what it may do
// then shows in testdata/grants.txt, and nothing else of this folder changes.
func Manifest() []Function {
	return []Function{
		{
			Name: "discovery", Trigger: API, MemoryMiB: 512, Timeout: apiTimeout,
		},
		{
			Name: "mentions", Trigger: API, MemoryMiB: 1024, Timeout: apiTimeout,
			Tables: []Grant{
				{store.CoreTable, []string{"GetItem", "BatchGetItem"}},
				{store.MentionsTable, []string{"GetItem", "BatchGetItem", "Query"}},
				{store.ArchiveTable, []string{"GetItem", "BatchGetItem", "Query"}},
				{store.CountersTable, []string{"GetItem", "BatchGetItem", "PutItem", "UpdateItem", "DeleteItem"}},
			},
		},
	}
}
