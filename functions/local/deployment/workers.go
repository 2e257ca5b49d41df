package deployment

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"time"

	"earshot/functions/ai/summaries"
	"earshot/functions/analyticsfiles"
	"earshot/functions/archive"
	"earshot/functions/authorize"
	"earshot/functions/collect"
	"earshot/functions/exports"
	"earshot/functions/feeds"
	"earshot/functions/feeds/deliver"
	"earshot/functions/feeds/deliveries"
	"earshot/functions/ingest"
	"earshot/functions/keywords/backfills"
	"earshot/functions/local/workers"
	"earshot/functions/members/invitecleanup"
	"earshot/functions/postshards"
	"earshot/functions/purge"
	"earshot/functions/search/searches"
	"earshot/functions/setupstages/sweep"
	"earshot/shared/feed/audience"
	"earshot/shared/judge"
	"earshot/shared/listening"
	"earshot/shared/port/blob"
	"earshot/shared/port/clock"
	"earshot/shared/port/identity"
	"earshot/shared/port/mail"
	"earshot/shared/port/model"
	"earshot/shared/port/queue"
	"earshot/shared/port/signin"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/store/allstores"
	"earshot/shared/store/workspacestore"
	"earshot/shared/worker"
	"earshot/shared/workspace"
)

// Parts holds what the functions are composed of.
type Parts struct {
	Store *allstores.Store
	Judge *judge.Judge
	Model model.Model // that the judge may ask; nil: none
	Queue queue.Queue
	Blob  blob.Blob
	// DayFiles keeps the files of days; nil if there is no place for them. They are written if WriteDayFiles is true.
	DayFiles      DayFiles
	WriteDayFiles bool
	Mail          mail.Mailer
	// Identity is the directory of people's accounts.
	Identity  identity.Directory
	SignUpURL string // where people sign up
	BaseURL   string // of the API, without a slash at its end
	SignIn    signin.Pages
	Documents authorize.Documents // of OAuth clients
	Slack     feeds.Slack
	Webhook   feeds.Webhook
	Receiver  string                                                       // see feeds.Options
	Lookup    func(ctx context.Context, host string) ([]netip.Addr, error) // see feeds.Options; nil: names are not looked up
	Sources   []source.Source
	Fetched   func(collect.Fetch) // see collect.Options
	// Archive keeps incoming posts for the setup engine to search; nil: they are not kept.
	Archive func(context.Context, []post.Post) error
	// Archived returns the platforms of that archive; nil if there is none.
	Archived func(context.Context) ([]source.Source, error)
	// PostShards builds the archive's shards; nil: nobody does.
	PostShards *postshards.Options
	Setup      Setup
	Search     Search
	Clock      clock.Clock
	Log        *slog.Logger
	// Quiet takes the records of scheduled work. The workers log its failures.
	Quiet *slog.Logger
}

// Search holds what on-demand search asks.
type Search struct {
	// Live returns the sources whose platforms can be asked at the moment.
	Live func(context.Context) []source.Source
	// Archive returns the platforms of the archive; nil if there is none.
	Archive func(context.Context) ([]source.Source, error)
	// Pause waits between two looks at a running search; nil waits by the machine's clock.
	Pause func(ctx context.Context, duration time.Duration) error
}

// Intake returns the way in of posts. A changed keyword matches at once.
func Intake(p Parts) *ingest.Intake {
	options := ingest.Options{
		Mentions: p.Store,
		Judge:    p.Judge,
		Clock:    p.Clock,
		Archive:  p.Archive,
		// A changed destination counts at once.
		Audiences: &audience.Audiences{Store: p.Store, Clock: p.Clock},
		Told:      ingest.Tell(p.Queue, p.Quiet),
		Listening: listening.New(
			listening.Options{Settings: p.Store, Clock: p.Clock, Judging: true, Report: p.leftOut},
		),
	}
	if p.Model != nil {
		options.Advised = judge.NewAdvised(
			p.Judge, p.Model, workspacestore.ModelBudget{Store: p.Store.Kernel, Daily: modelTokens, Kind: workspacestore.Judge},
			modelTime,
		)
		options.Unadvised = func(err error) { p.Log.Warn("the model was of no help", slog.Any("cause", err)) }
	}
	return ingest.New(options)
}

// What a workspace may spend on a model in a day, and how long the model may take to answer.
const (
	modelTokens      = workspace.DefaultModelTokens
	modelTime        = 20 * time.Second
	summaryModelTime = time.Minute
)

// sweepTime is how often setup drafts that would not settle by themselves are looked for.
const sweepTime = 5 * time.Minute

// Consumers returns the functions that queues call, by the queues' names.
func Consumers(p Parts, intake *ingest.Intake) map[string]worker.QueueHandler {
	return map[string]worker.QueueHandler{
		queue.Posts: ingest.Handler(p.options(ingest.Group), intake),
		queue.Scans: scans(p),
		queue.Exports: exports.Handler(
			p.options(exports.Group), exports.Options{Store: p.Store, Blob: p.Blob, Clock: p.Clock},
		),

		queue.Invitations: nudges(p),
		queue.Backfills: backfills.Handler(p.options(backfills.Group), backfills.Options{
			Store: p.Store, Intake: intake, Archive: p.Archived, Live: p.Sources, Clock: p.Clock,
		}),
		queue.Deliveries: deliver.Handler(p.options(deliver.Group), deliver.Options{
			Store:   p.Store,
			Webhook: p.Webhook,
			Slack:   p.Slack,
			Mail:    p.Mail,
			BaseURL: p.BaseURL,
			Queue:   p.Queue,
			Clock:   p.Clock,
			Random:  rand.Float64,
		}),
		queue.Searches: searches.Handler(p.options(searches.Group), searches.Options{
			Store:   p.Store,
			Judge:   p.Judge,
			Live:    p.Search.Live,
			Archive: p.Search.Archive,
			Clock:   p.Clock,
			Log:     p.Quiet,
		}),
		queue.Summaries: summaries.Handler(p.options(summaries.Group), summaries.Options{
			Store: p.Store, Writer: writer(p), Clock: p.Clock, Log: p.Quiet,
		}),
	}
}

// Schedules returns the functions that schedules call, by the functions' names. untouched is the store without
// injected faults.
func Schedules(p Parts, untouched *allstores.Store) map[string]workers.Schedule {
	schedules := map[string]workers.Schedule{
		collect.Group: {Every: time.Minute},
		archive.Group: {Every: time.Hour},
		sweep.Group: {
			Every: sweepTime,
		},
		invitecleanup.Group: {Every: cleanupTime},
		purge.Group:         {Every: purgeTime},
		deliveries.Group:    {Every: deliveriesTime},
	}
	if p.WriteDayFiles {
		schedules[analyticsfiles.Group] = workers.Schedule{Every: dayFilesTime}
	}
	if p.PostShards != nil {
		schedules[postshards.Group] = workers.Schedule{Every: time.Minute, Within: mergeTime}
	}
	timed := p
	timed.Store = untouched
	for name, schedule := range schedules {
		schedule.Run, schedule.Asked = scheduled(timed)[name], scheduled(p)[name]
		schedules[name] = schedule
	}
	return schedules
}

func scheduled(p Parts) map[string]worker.ScheduleHandler {
	collector := collect.New(collect.Options{
		Tasks: p.Store, Sources: p.Sources, Queue: p.Queue, Clock: p.Clock, Log: p.Quiet, Fetched: p.Fetched,
		Archived:  p.Archived != nil,
		Listening: listening.New(listening.Options{Settings: p.Store, Clock: p.Clock, Report: p.leftOut}),
	})
	all := map[string]worker.ScheduleHandler{
		collect.Group: collect.Handler(p.options(collect.Group), collector),
		archive.Group: archive.Handler(p.options(archive.Group), p.Store),
		sweep.Group:   sweeps(p),

		invitecleanup.Group: cleanups(p),
		purge.Group:         purges(p),
		deliveries.Group: deliveries.Handler(
			p.options(deliveries.Group), deliveries.Options{Store: p.Store, Queue: p.Queue, Clock: p.Clock},
		),

		analyticsfiles.Group: analyticsfiles.Handler(p.options(analyticsfiles.Group), analyticsfiles.Options{
			Store:   p.Store,
			Files:   p.DayFiles,
			Clock:   p.Clock,
			Log:     p.Quiet,
			Quiet:   dayFilesTime,
			Compare: dayFilesTime,
		}),
	}
	if p.PostShards != nil {
		all[postshards.Group] = postshards.Handler(p.options(postshards.Group), *p.PostShards)
	}
	return all
}

// deliveriesTime is how often it is looked for what is to be delivered. On AWS it is a minute.
const deliveriesTime = 5 * time.Second

// mergeTime is how long building shards may take. The largest merge takes some minutes.
const mergeTime = 15 * time.Minute

// dayFilesTime is how often files of days are written. It is also how long their days are quiet before that: longer
// than any change of a mention takes in this process.
const dayFilesTime = 30 * time.Second

func (p Parts) options(function string) worker.Options {
	return worker.Options{Function: function, Log: p.Quiet, Clock: p.Clock}
}

func (p Parts) leftOut(err error) { p.Log.Warn("a keyword is left out", slog.Any("cause", err)) }
