package main

import (
	"cmp"
	"strings"
	"time"

	"earshot/shared/port/queue"
	"earshot/shared/proposal"
	"earshot/shared/store/rows"
)

// A Function is one folder under functions/ that runs as a Lambda, with its needs and rights. Besides these rights it
// may write its own logs, send traces, and take the messages of the queue that calls it.
type Function struct {
	Name    string // in its deployed name, its alarms and its records
	Trigger Trigger
	// Folder is its place below functions/, if that is not Name. A function that moves keeps its deployed name.
	Folder string
	// Group names the nested stack that it is in, with its paths; empty: the stack of the service itself. Every
	// function that is added is in one (see group). A function never moves from one stack to another.
	Group string
	// MemoryMiB buys processor time too: coreMiB are one core.
	MemoryMiB float64
	Timeout   time.Duration
	// AtOnce limits how many of it may run at the same time; 0: no limit. See Stage.Reserves.
	AtOnce float64

	// Tables lists the tables that it may reach. Each is in its environment as TABLE_<NAME>.
	Tables []Grant
	// Sends names the queues that it may send to; the URL of each is in its environment as QUEUE_<NAME>.
	Sends []string
	// Files lists what it may do with the files of exports, by S3's names; their bucket is in its environment as
	// BLOB_BUCKET.
	Files []string
	// DayFiles lists what it may do with the day files of mentions, by S3's names, if the stage writes them. Their
	// bucket is in ANALYTICS_BUCKET.
	DayFiles []string
	// Statements says that it runs statements over day files, if the stage writes them, in ATHENA_WORKGROUP and
	// ATHENA_DATABASE.
	Statements bool
	// Shards lists what it may do with the shards of the archive of posts, by S3's names. Their bucket is in
	// ARCHIVE_BUCKET.
	Shards []string
	// DiskMiB is its temporary storage; 0: Lambda's own 512 MiB.
	DiskMiB float64
	// Sources says that it asks the platforms. It may read their credentials, below the path in SECRET_PATH; the
	// environment never has a secret. Its requests name the operator by SOURCES_CONTACT.
	Sources bool
	// Slack are its actions on the tokens of workspaces' Slack, which are in Parameter Store below the path in SECRET_PATH.
	Slack []string
	// SlackApp says that it connects workspaces with the deployment's app at Slack: it may read the app's id and secret
	// below the path in SLACK_APP_PATH.
	SlackApp bool
	// Mail says that it sends mail, if the stage has an address to send from, in MAIL_FROM.
	Mail bool
	// Letters says that people get its mails again and again, and can stop them: its mails have a link to the API, in
	// API_URL, and SES reports on them, by the configuration set in MAIL_CONFIGURATION_SET.
	Letters bool
	// People lists what it may do with the directory of people, by Cognito's names. The directory is in USER_POOL_ID,
	// or in its events for the function that hears of accounts.
	People []string
	// SignsIn says that it sends people to sign in on Cognito's pages, by SIGNIN_PAGES, SIGNIN_CLIENT and SIGNIN_ISSUER.
	SignsIn bool
	// Model says that it asks the stage's model, if the stage has one, by MODEL_ID and MODEL_DAILY_TOKENS.
	Model bool
	// ModelName says that it tells people the stage's model or its budgets, by the same variables, and may not ask it.
	ModelName bool
	// Starts says that it starts executions of the setup pipeline, whose state machine is in STATE_MACHINE_ARN.
	Starts bool
}

// ID names the function in the tree of constructs, where a name has no slashes.
func (f Function) ID() string { return strings.ReplaceAll(f.Name, "/", "-") }

// home returns the function's place in the tree of constructs.
func (f Function) home() string {
	if f.hearsOfAccounts() {
		return dataStack + "/" + f.ID()
	}
	if f.Group != "" {
		return serviceStack + "/" + title(f.Group) + "/" + f.ID()
	}
	return serviceStack + "/" + f.ID()
}

// failuresApart reports whether the alarm on the function's failures is in the nested stack of such alarms. That of the
// function that starts the pipeline is not: the function waits for the stages' aliases, which wait for that stack.
func (f Function) failuresApart() bool { return f.Group == "" && !f.hearsOfAccounts() && !f.Starts }

// folder returns the function's folder below functions/.
func (f Function) folder() string { return cmp.Or(f.Folder, f.Name) }

// invites reports whether the function mails people where to sign up.
func (f Function) invites() bool { return f.Mail && len(f.People) > 0 }

// A Grant allows operations on one table, by DynamoDB's names, and queries of the indexes that it names. A
// transaction is allowed by the operations in it: it has no operation of its own.
type Grant struct {
	Table   string
	Actions []string
	Indexes []string
}

// apiTimeout leaves a function the time to answer before API Gateway gives up on it, at 29 s.
const apiTimeout = 28 * time.Second

// Manifest lists the functions of a deployment. A new function is a new row here. Its rights then show in
// testdata/grants.txt, and nothing else in this folder changes.
func Manifest() []Function {
	byTime, byAuthor, byID, byStory, byDue, byText := "byTime", "byAuthor", "byId", "byStory", "byDue", "byText"
	return []Function{
		{
			Name: "discovery", Trigger: API{}, MemoryMiB: 512, Timeout: apiTimeout,
		},
		{
			Name: "mentions", Trigger: API{}, MemoryMiB: 1024, Timeout: apiTimeout,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"},
					nil,
				},
				{
					rows.MentionsTable,
					[]string{"GetItem", "BatchGetItem", "PutItem"},
					[]string{byTime, byAuthor, byID, byStory},
				},
				{
					rows.ArchiveTable,
					[]string{"GetItem", "BatchGetItem", "PutItem"},
					[]string{byTime, byAuthor, byID, byStory},
				},
				{rows.CountersTable, []string{"GetItem", "BatchGetItem", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
			Sends: []string{queue.Exports},
			Files: []string{"GetObject"}, // by the links that it signs
		},
		{
			Name: "keywords", Trigger: API{}, MemoryMiB: 1024, Timeout: apiTimeout,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"},
					nil,
				},
				{
					rows.CountersTable,
					[]string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"},
					nil,
				},
			},
		},
		{
			Name: "suggestions", Folder: "keywords/suggestions", Trigger: API{}, MemoryMiB: 1024, Timeout: apiTimeout,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem"}, nil},
				{rows.MentionsTable, []string{"BatchGetItem"}, []string{byTime}},
				{
					rows.CountersTable,
					[]string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"},
					nil,
				},
			},
		},
		{
			// A preview reads up to 20,000 posts.
			Name: "preview", Folder: "keywords/preview", Group: "lookback", Trigger: API{}, MemoryMiB: 1024, Timeout: apiTimeout,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{"GetItem", "BatchGetItem", "PutItem", "ConditionCheckItem"},
					nil,
				},
				{rows.ArchiveTable, []string{"BatchGetItem"}, nil},
				{
					rows.CountersTable,
					[]string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"},
					nil,
				},
			},
			Shards: []string{"GetObject"},
		},
		{
			// It has the judge's tables, as ingest. Two at once, because a platform keeps its pace in each by itself.
			Name:      "backfills",
			Folder:    "keywords/backfills",
			Group:     "lookback",
			Trigger:   Queue{Name: queue.Backfills, Batch: 1, AtOnce: 2},
			MemoryMiB: 1024,
			Timeout:   2 * time.Minute,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem"}, nil},
				{rows.MentionsTable, []string{"GetItem", "BatchGetItem", "PutItem"}, nil},
				{rows.ArchiveTable, []string{"GetItem", "BatchGetItem", "PutItem"}, nil},
				{rows.CountersTable, []string{"GetItem", "BatchGetItem", "Query", "UpdateItem"}, nil},
			},
			Sends:   []string{queue.Deliveries},
			Shards:  []string{"GetObject"},
			Model:   true,
			Sources: true,
		},
		{
			Name: "feeds", Trigger: API{}, MemoryMiB: 512, Timeout: apiTimeout,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"},
					nil,
				},
				{rows.MentionsTable, []string{"BatchGetItem"}, []string{byTime}},
				{rows.ArchiveTable, []string{"BatchGetItem"}, []string{byTime}},
				{rows.CountersTable, []string{"GetItem", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
			Slack:    []string{"GetParameters", "PutParameter", "DeleteParameter"},
			SlackApp: true,
			Mail:     true,
		},
		{
			Name:      "receivers",
			Folder:    "feeds/receivers",
			Group:     "deliveries",
			Trigger:   API{},
			MemoryMiB: 512,
			Timeout:   apiTimeout,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"},
					nil,
				},
				{rows.CountersTable, []string{"GetItem", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
			Sends: []string{queue.Deliveries},
		},
		{
			// A preview reads up to 64 MiB of rows, none of which is old enough for the archive.
			Name: "alerts", Group: "deliveries", Trigger: API{}, MemoryMiB: 1024, Timeout: apiTimeout,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"},
					nil,
				},
				{rows.MentionsTable, []string{"BatchGetItem"}, []string{byTime}},
				{rows.ArchiveTable, []string{"BatchGetItem"}, nil},
				{rows.CountersTable, []string{"GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
			Slack: []string{"GetParameters"},
		},
		{
			// An attempt takes 15 s at most. A slow endpoint has one call at a time (shared/store/deliverystore), so that the
			// others find room among these.
			Name:      "deliver",
			Folder:    "feeds/deliver",
			Group:     "deliveries",
			Trigger:   Queue{Name: queue.Deliveries, Batch: 1, AtOnce: 20},
			MemoryMiB: 512,
			Timeout:   time.Minute,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"},
					nil,
				},
				{rows.MentionsTable, []string{"BatchGetItem"}, []string{byTime}},
				{rows.ArchiveTable, []string{"BatchGetItem"}, nil},
				{rows.CountersTable, []string{"GetItem", "Query", "PutItem", "UpdateItem"}, nil},
			},
			Sends:   []string{queue.Deliveries, queue.Summaries},
			Slack:   []string{"GetParameters"},
			Mail:    true,
			Letters: true,
		},
		{
			Name:      "deliveries",
			Folder:    "feeds/deliveries",
			Group:     "deliveries",
			Trigger:   Schedule{Every: time.Minute, Retries: 2},
			MemoryMiB: 256,
			Timeout:   45 * time.Second,
			Tables:    []Grant{{rows.CoreTable, []string{"BatchGetItem"}, []string{byDue}}},
			Sends:     []string{queue.Deliveries},
		},
		{
			Name: "filters", Trigger: API{}, MemoryMiB: 512, Timeout: apiTimeout,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "PutItem", "UpdateItem"}, nil},
				{rows.CountersTable, []string{"PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
		},
		{
			Name: "analytics", Group: "analytics", Trigger: API{}, MemoryMiB: 1024, Timeout: apiTimeout,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "Query"}, nil},
				{rows.MentionsTable, []string{"BatchGetItem"}, []string{byTime}},
				{rows.ArchiveTable, []string{"BatchGetItem"}, []string{byTime}},
				{rows.CountersTable, []string{"GetItem", "Query", "UpdateItem"}, nil},
			},
			DayFiles:   []string{"GetObject"},
			Statements: true,
		},
		{
			Name: "ai", Group: "ai", Trigger: API{}, MemoryMiB: 512, Timeout: apiTimeout,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "Query"}, nil},
				{rows.CountersTable, []string{"GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
			Sends: []string{queue.Summaries},
			Model: true,
		},
		{
			// It reads as much as a request for themes and for figures, and waits a minute for the model.
			Name:      "summaries",
			Folder:    "ai/summaries",
			Group:     "ai",
			Trigger:   Queue{Name: queue.Summaries, Batch: 1, AtOnce: 2},
			MemoryMiB: 1024,
			Timeout:   2 * time.Minute,
			Tables: []Grant{
				{rows.MentionsTable, []string{"BatchGetItem"}, []string{byTime}},
				{rows.ArchiveTable, []string{"BatchGetItem"}, []string{byTime}},
				{rows.CountersTable, []string{"GetItem", "Query", "UpdateItem"}, nil},
			},
			Model: true,
		},
		{
			Name: "search", Group: "search", Trigger: API{}, MemoryMiB: 1024, Timeout: apiTimeout,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem"}, nil},
				{
					rows.CountersTable,
					[]string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"},
					nil,
				},
			},
			Sends: []string{queue.Searches},
		},
		{
			// Its tools call the operations of nine functions in this process, so it has their rights, except those of
			// operations that no tool calls.
			Name: "mcp", Group: "mcp", Trigger: API{}, MemoryMiB: 1024, Timeout: apiTimeout,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{
						"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem",
					},
					nil,
				},
				{rows.MentionsTable, []string{"GetItem", "BatchGetItem"}, []string{byTime, byID}},
				{rows.ArchiveTable, []string{"GetItem", "BatchGetItem"}, []string{byTime, byID}},
				{
					rows.CountersTable,
					[]string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"},
					nil,
				},
			},
			Sends:      []string{queue.Scans, queue.Searches},
			DayFiles:   []string{"GetObject"},
			Statements: true,
			Slack:      []string{"GetParameters"},
			Starts:     true,
			ModelName:  true,
		},
		{
			// A person waits for a search. It asks the platforms for 20 s at most, and has the judge's tables, as ingest.
			Name:      "searches",
			Folder:    "search/searches",
			Group:     "search",
			Trigger:   Queue{Name: queue.Searches, Batch: 1, AtOnce: 10},
			MemoryMiB: coreMiB,
			Timeout:   time.Minute,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem"}, nil},
				{rows.MentionsTable, []string{"BatchGetItem"}, nil},
				{rows.ArchiveTable, []string{"BatchGetItem"}, nil},
				{
					rows.CountersTable,
					[]string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "ConditionCheckItem"},
					nil,
				},
			},
			Shards:  []string{"GetObject"},
			Sources: true,
		},
		{
			Name: "feedback", Trigger: API{}, MemoryMiB: 512, Timeout: apiTimeout,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"},
					nil,
				},
				{rows.MentionsTable, []string{"GetItem", "PutItem"}, nil},
				{rows.ArchiveTable, []string{"GetItem", "PutItem"}, nil},
				{rows.CountersTable, []string{"GetItem", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
		},
		{
			Name: "organization", Trigger: API{}, MemoryMiB: 512, Timeout: apiTimeout,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{
						"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem",
					},
					nil,
				},
				{rows.MentionsTable, []string{"BatchGetItem"}, []string{byTime}},
				{rows.CountersTable, []string{"GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
			ModelName: true,
		},
		{
			Name: "authorize", Group: "authorize", Trigger: API{}, MemoryMiB: 512, Timeout: apiTimeout,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{
						"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem",
					},
					nil,
				},
				{rows.CountersTable, []string{"GetItem", "PutItem", "UpdateItem"}, nil},
			},
			SignsIn: true,
		},
		{
			Name:      "members",
			Trigger:   API{},
			MemoryMiB: 512,
			Timeout:   apiTimeout,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{
						"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem",
					},
					nil,
				},
				{rows.CountersTable, []string{"GetItem", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
			Mail: true,
			People: []string{
				"AdminGetUser", "ListUsers", "AdminAddUserToGroup", "AdminRemoveUserFromGroup", "CreateGroup",
			},
		},
		{
			// One request looks up 50 people, and settles up to 200 pairs of a person and a workspace.
			Name:      "agency",
			Trigger:   API{},
			MemoryMiB: 1024,
			Timeout:   apiTimeout,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{
						"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem",
					},
					nil,
				},
				{rows.CountersTable, []string{"GetItem", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
			Sends: []string{queue.Invitations},
			Mail:  true,
			People: []string{
				"AdminGetUser", "ListUsers", "AdminAddUserToGroup", "AdminRemoveUserFromGroup", "CreateGroup",
				"DeleteGroup",
			},
		},
		{
			Name:      "invitations",
			Folder:    "members/invitations",
			Trigger:   Queue{Name: queue.Invitations, Batch: 10, AtOnce: 2},
			MemoryMiB: 512,
			Timeout:   time.Minute,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{
						"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem",
					},
					nil,
				},
			},
			People: []string{
				"AdminGetUser", "ListUsers", "AdminAddUserToGroup", "AdminRemoveUserFromGroup", "CreateGroup",
			},
		},
		{
			// The directory waits 5 s for it, and a person waits for the directory: more time is useless. A small
			// function starts slowly.
			Name:      "accountcreated",
			Folder:    "members/accountcreated",
			Trigger:   Account{},
			MemoryMiB: 512,
			Timeout:   5 * time.Second,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{"GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"},
					nil,
				},
			},
			Sends: []string{queue.Invitations},
			People: []string{
				"AdminGetUser", "ListUsers", "AdminAddUserToGroup", "AdminRemoveUserFromGroup", "CreateGroup",
			},
		},
		{
			Name:      "invitecleanup",
			Folder:    "members/invitecleanup",
			Trigger:   Schedule{Every: 15 * time.Minute, Retries: 3},
			MemoryMiB: 512,
			Timeout:   5 * time.Minute,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "UpdateItem", "DeleteItem"}, []string{byDue}},
			},
			Sends:  []string{queue.Invitations},
			People: []string{"AdminAddUserToGroup", "AdminRemoveUserFromGroup", "CreateGroup"},
		},
		{
			// It ends before the next call begins, and before another call may take over its work
			// (shared/store/purgestore).
			Name:      "purge",
			Trigger:   Schedule{Every: 10 * time.Minute, Retries: 3},
			MemoryMiB: 512,
			Timeout:   8 * time.Minute,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{"GetItem", "BatchGetItem", "Query", "UpdateItem", "DeleteItem", "ConditionCheckItem"},
					[]string{byDue},
				},
				{rows.MentionsTable, []string{"Query", "DeleteItem"}, nil},
				{rows.ArchiveTable, []string{"Query", "DeleteItem"}, nil},
				{rows.CountersTable, []string{"Query", "DeleteItem"}, nil},
			},
			Files:    []string{"DeleteObject"},
			DayFiles: []string{"DeleteObject"},
			People:   []string{"DeleteGroup"},
			Slack:    []string{"GetParameters", "DeleteParameter"},
		},
		{
			// 50,000 rows take a minute, and 500 pages that a filter leaves almost nothing of three. A longer limit
			// would hide the message of a worker that died for so long that its repeat came too late: after two hours
			// the API calls an export failed.
			Name:      "exports",
			Trigger:   Queue{Name: queue.Exports, Batch: 1, AtOnce: 5},
			MemoryMiB: 1024,
			Timeout:   5 * time.Minute,
			Tables: []Grant{
				{rows.MentionsTable, []string{"BatchGetItem"}, []string{byTime}},
				{rows.ArchiveTable, []string{"BatchGetItem"}, []string{byTime}},
				{rows.CountersTable, []string{"GetItem", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
			Files: []string{"PutObject"},
		},
		{
			// The judge's tables are 10 MB of the binary, and every keyword of all workspaces is in one matcher.
			Name:      "ingest",
			Trigger:   Queue{Name: queue.Posts, Batch: 10, Window: 5 * time.Second, AtOnce: 5},
			MemoryMiB: 1024,
			Timeout:   time.Minute,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "Query", "PutItem"}, nil},
				{rows.MentionsTable, []string{"GetItem", "BatchGetItem", "PutItem"}, nil},
				{rows.ArchiveTable, []string{"GetItem", "BatchGetItem", "PutItem"}, nil},
				{rows.CountersTable, []string{"GetItem", "BatchGetItem", "PutItem", "UpdateItem"}, nil},
			},
			Sends: []string{queue.Deliveries},
			Model: true,
		},
		{
			// Old mentions are moved within an hour of the next tick. Ten minutes move some ten thousand mentions, or read
			// the texts of a million.
			Name: "archive", Trigger: Schedule{Every: time.Hour, Retries: 3}, MemoryMiB: 256, Timeout: 10 * time.Minute,
			Tables: []Grant{
				{rows.CoreTable, []string{"Query"}, nil},
				{rows.MentionsTable, []string{"BatchGetItem", "ConditionCheckItem", "DeleteItem"}, []string{byTime}},
				{rows.ArchiveTable, []string{"BatchGetItem", "ConditionCheckItem", "PutItem"}, []string{byTime}},
				{rows.CountersTable, []string{"Query", "PutItem", "UpdateItem"}, nil}, // terms of days
			},
		},
		{
			// One at a time, because a platform must not be asked twice at once. It ends before the next minute's call.
			Name:      "collect",
			Trigger:   Schedule{Every: time.Minute, Retries: 2},
			MemoryMiB: 512,
			Timeout:   55 * time.Second,
			AtOnce:    1,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{
						"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem",
					},
					[]string{byDue},
				},
				{rows.MentionsTable, []string{"GetItem", "BatchGetItem", "PutItem"}, []string{byTime}},
				{rows.ArchiveTable, []string{"GetItem", "BatchGetItem", "PutItem"}, []string{byTime}},
				{rows.CountersTable, []string{"GetItem", "UpdateItem"}, nil},
			},
			Sends:   []string{queue.Posts, queue.Backfills},
			Sources: true,
		},
		{
			Name: "setup", Trigger: API{}, MemoryMiB: 1024, Timeout: apiTimeout,
			Tables: []Grant{
				{
					rows.CoreTable,
					[]string{
						"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem",
					},
					nil,
				},
				{rows.CountersTable, []string{"GetItem", "PutItem", "UpdateItem", "DeleteItem"}, nil},
				{rows.MentionsTable, []string{"BatchGetItem"}, []string{byTime}},
			},
			Sends:     []string{queue.Scans},
			Starts:    true,
			ModelName: true,
		},
		{
			// A domain is given up after 20 s (website). A longer limit would hide the message of a scan that died: it
			// comes again after six times this limit, which must be within the scan's own limit.
			Name:      "scan",
			Folder:    "setupstages/scan",
			Trigger:   Queue{Name: queue.Scans, Batch: 1, AtOnce: 5},
			MemoryMiB: 512,
			Timeout:   30 * time.Second,
			Tables:    []Grant{{rows.CoreTable, []string{"GetItem", "UpdateItem"}, nil}},
		},
		step(proposal.StageCandidates, 512, written()),
		searching(inParts(asking(onCounters(step(proposal.StageMeasure, 512, written(byText)), "BatchGetItem")))),
		// It has the judge's tables, as ingest.
		searching(asking(onCounters(step(proposal.StageSample, 1024, written()), "BatchGetItem"))),
		withModel(searching(inParts(asking(keeping(step(proposal.StageAgent, 1024, stored())))))),
		step(proposal.StageValidate, 512, stored()),
		{
			// A call makes shards of the posts that rest, once there are many or they have waited an hour, and merges some. It
			// ends before a batch counts as resting (shards.DefaultQuiet). Two million posts are merged at most, on disk.
			Name:      "postshards",
			Group:     "postshards",
			Trigger:   Schedule{Every: 20 * time.Minute, Retries: 3},
			MemoryMiB: coreMiB,
			DiskMiB:   4096,
			Timeout:   15 * time.Minute,
			Tables: []Grant{
				{rows.ArchiveTable, []string{"BatchGetItem"}, nil},
				{rows.CountersTable, []string{"GetItem", "Query", "PutItem", "DeleteItem"}, nil},
			},
			Shards: []string{"GetObject", "PutObject", "DeleteObject"},
		},
		on(rows.CoreTable, Function{
			Name:      "sweep",
			Folder:    "setupstages/sweep",
			Trigger:   Schedule{Every: 5 * time.Minute, Retries: 3, Ended: true},
			MemoryMiB: 512,
			Timeout:   2 * time.Minute,
			Tables:    stored(byDue),
		}, "GetItem"),
	}
}

// Functions lists the functions of the stage's deployment: the manifest's, and those of what it switched on.
func (s Stage) Functions() []Function {
	functions := Manifest()
	if s.AnalyticsFiles {
		functions = append(functions, dayFilesWriter())
	}
	if s.MailFrom != "" {
		functions = append(functions, reportReader())
	}
	return functions
}

// dayFilesWriter returns the function that writes day files. It ends before another call takes over its work
// (functions/analyticsfiles).
func dayFilesWriter() Function {
	return Function{
		Name:      "analyticsfiles",
		Group:     "dayfiles",
		Trigger:   Schedule{Every: time.Hour, Retries: 3},
		MemoryMiB: 1024,
		Timeout:   10 * time.Minute,
		Tables: []Grant{
			{rows.CoreTable, []string{"Query"}, nil},
			{rows.MentionsTable, []string{"BatchGetItem"}, []string{"byTime"}},
			{rows.ArchiveTable, []string{"BatchGetItem"}, []string{"byTime"}},
			{rows.CountersTable, []string{"GetItem", "Query", "PutItem"}, nil},
		},
		DayFiles: []string{"PutObject", "DeleteObject"},
	}
}
