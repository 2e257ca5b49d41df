// Package deployment runs every Lambda of the API in one process. It composes each function as the function's own
// main does for AWS, behind the paths that the OpenAPI document gives it.
//
// Only the programs under functions/local and the tools import it, because it links every function.
package deployment

import (
	"strings"

	"earshot/functions/agency"
	"earshot/functions/ai"
	"earshot/functions/ai/summaries"
	"earshot/functions/alerts"
	"earshot/functions/analytics"
	"earshot/functions/authorize"
	"earshot/functions/discovery"
	"earshot/functions/feedback"
	"earshot/functions/feeds"
	"earshot/functions/feeds/receivers"
	"earshot/functions/filters"
	"earshot/functions/keywords"
	"earshot/functions/keywords/preview"
	"earshot/functions/keywords/suggestions"
	"earshot/functions/local/apigateway"
	"earshot/functions/mcp"
	"earshot/functions/members"
	"earshot/functions/mentions"
	"earshot/functions/organization"
	"earshot/functions/search"
	"earshot/functions/setup"
	"earshot/shared/store/workspacestore"
	"earshot/shared/summary/compose"
	"earshot/shared/web"
	"earshot/shared/wizard"
	"earshot/shared/workspace"
)

// Functions returns the Lambdas' handlers by the functions' names.
func Functions(p Parts) map[string]apigateway.Handler {
	keyed := web.Options{Credentials: p.Store, Windows: p.Store, Replays: p.Store, Clock: p.Clock, Log: p.Log}
	forMCP := keyed
	forMCP.Resource = workspace.ResourceMCP
	groups := registrations(p)
	functions := map[string]apigateway.Handler{
		discovery.Group: handler(
			web.Options{Clock: p.Clock, Log: p.Log},
			func(api *web.API) { discovery.Register(api, discovery.Options{}) },
		),
		authorize.Group: handler(web.Options{Clock: p.Clock, Log: p.Log}, func(api *web.API) {
			authorize.Register(api, authorize.Options{
				Store: p.Store, SignIn: p.SignIn, Documents: p.Documents, Clock: p.Clock,
			})
		}),
		mcp.Group: handler(forMCP, func(api *web.API) {
			called := web.New(keyed)
			for _, group := range mcp.Groups {
				groups[group](called)
			}
			_, host, _ := strings.Cut(p.BaseURL, "://")
			mcp.Register(api, mcp.Options{Operations: func() *web.API { return called }, Host: host})
		}),
	}
	for name, register := range groups {
		functions[name] = handler(keyed, register)
	}
	return functions
}

// registrations add the operations of each function whose callers have a key, by the functions' names.
func registrations(p Parts) map[string]func(*web.API) {
	return map[string]func(*web.API){
		mentions.Group: func(api *web.API) {
			mentions.Register(api, mentions.Options{Store: p.Store, Queue: p.Queue, Blob: p.Blob, Clock: p.Clock})
		},
		analytics.Group: func(api *web.API) {
			analytics.Register(api, analytics.Options{Store: figures(p), Clock: p.Clock})
		},
		ai.Group: func(api *web.API) {
			ai.Register(api, ai.Options{
				Store: p.Store, Queue: p.Queue, Clock: p.Clock, Advisor: advisor(p), Log: p.Quiet,
			})
		},
		feedback.Group: func(api *web.API) {
			feedback.Register(api, feedback.Options{Store: p.Store})
		},
		feeds.Group: func(api *web.API) {
			feeds.Register(api, feeds.Options{
				Store:    p.Store,
				Clock:    p.Clock,
				Receiver: p.Receiver,
				Mail:     p.Mail,
				Slack:    p.Slack,
				Webhook:  p.Webhook,
				Lookup:   p.Lookup,
			})
		},
		alerts.Group: func(api *web.API) {
			alerts.Register(api, alerts.Options{
				Store: p.Store, Clock: p.Clock, Receiver: p.Receiver, Slack: p.Slack, Lookup: p.Lookup,
			})
		},
		receivers.Group: func(api *web.API) {
			receivers.Register(api, receivers.Options{Store: p.Store, Queue: p.Queue, Clock: p.Clock})
		},
		filters.Group: func(api *web.API) {
			filters.Register(api, filters.Options{Store: p.Store})
		},
		keywords.Group: func(api *web.API) {
			keywords.Register(api, keywords.Options{Store: p.Store})
		},
		suggestions.Group: func(api *web.API) {
			suggestions.Register(api, suggestions.Options{Store: p.Store, Clock: p.Clock})
		},
		preview.Group: func(api *web.API) {
			preview.Register(api, preview.Options{
				Store: p.Store, Archive: p.Archived, Live: len(p.Sources) > 0, Clock: p.Clock,
			})
		},
		members.Group: func(api *web.API) {
			members.Register(api, members.Options{
				Store:     p.Store,
				Directory: p.Identity,
				Mailer:    p.Mail,
				SignUpURL: p.SignUpURL,
				Clock:     p.Clock,
				Log:       p.Log,
			})
		},
		agency.Group: func(api *web.API) {
			agency.Register(api, agency.Options{
				Store:     p.Store,
				Directory: p.Identity,
				Mailer:    p.Mail,
				Queue:     p.Queue,
				SignUpURL: p.SignUpURL,
				Clock:     p.Clock,
				Log:       p.Log,
			})
		},
		search.Group: func(api *web.API) {
			search.Register(api, search.Options{Store: p.Store, Queue: p.Queue, Clock: p.Clock, Pause: p.Search.Pause})
		},
		setup.Group: func(api *web.API) {
			setup.Register(api, setup.Options{
				Store: p.Store, Queue: p.Queue, Flow: p.Setup.Flow, Model: p.Setup.ModelID, Sources: p.Setup.Asked,
			})
		},
		organization.Group: func(api *web.API) {
			tokens := 0
			if p.Model != nil {
				tokens = modelTokens
			}
			organization.Register(api, organization.Options{Store: p.Store, Clock: p.Clock, ModelTokens: tokens})
		},
	}
}

// advisor returns the wizard's model; nil if there is none.
func advisor(p Parts) *wizard.Advisor {
	if p.Model == nil {
		return nil
	}
	return &wizard.Advisor{
		Model: p.Model,
		Budget: workspacestore.ModelBudget{
			Store: p.Store.Kernel,
			Daily: modelTokens,
			For:   ai.Group,
			Kind:  workspacestore.Wizard,
		},
		Limit: modelTime,
	}
}

// writer returns the model of summaries; nil if there is none.
func writer(p Parts) *compose.Writer {
	if p.Model == nil {
		return nil
	}
	return &compose.Writer{
		Model: p.Model,
		ID:    p.Setup.ModelID,
		Budget: workspacestore.ModelBudget{
			Store: p.Store.Kernel, Daily: modelTokens, For: summaries.BudgetFor, Kind: workspacestore.Summary,
		},
		Limit: summaryModelTime,
	}
}

func handler(options web.Options, register func(*web.API)) apigateway.Handler {
	api := web.New(options)
	register(api)
	return apigateway.Handler(api.LambdaHandler())
}
