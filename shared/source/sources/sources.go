// Package sources makes the adapters that a deployment has credentials for. It links all of them, so only mains that
// collect or measure import it.
package sources

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"earshot/shared/port/secret"
	"earshot/shared/source"
	"earshot/shared/source/bluesky"
	"earshot/shared/source/dev"
	"earshot/shared/source/fetch"
	"earshot/shared/source/firehose"
	"earshot/shared/source/github"
	"earshot/shared/source/hackernews"
	"earshot/shared/source/medium"
	"earshot/shared/source/news"
	"earshot/shared/source/newsletter"
	"earshot/shared/source/podcasts"
	"earshot/shared/source/producthunt"
	"earshot/shared/source/reddit"
	"earshot/shared/source/stackoverflow"
	"earshot/shared/source/twitter"
	"earshot/shared/source/youtube"
)

// A maker makes an adapter from the secrets that its About names. Without secrets the adapter still has its About.
type maker func(o Options, secrets map[string]string) source.Source

// Options are the parts that adapters are made with.
type Options struct {
	Client *fetch.Client
	Log    *slog.Logger // for partial failures
}

// makers has a line for each platform in catalogue.Searched.
var makers = []maker{
	func(o Options, s map[string]string) source.Source { return bluesky.New(o.Client, s, "") },
	func(o Options, _ map[string]string) source.Source { return dev.New(o.Client, "") },
	func(o Options, _ map[string]string) source.Source {
		return firehose.New(firehose.Options{UserAgent: o.Client.Agent(), Client: o.Client})
	},
	func(o Options, s map[string]string) source.Source { return github.New(o.Client, s, "") },
	func(o Options, _ map[string]string) source.Source { return hackernews.New(o.Client, "") },
	func(o Options, _ map[string]string) source.Source { return medium.New(o.Client, "") },
	func(o Options, _ map[string]string) source.Source { return news.New(o.Client, "") },
	func(o Options, s map[string]string) source.Source {
		return newsletter.New(o.Client, strings.Fields(s[newsletter.Feeds]), o.Log)
	},
	func(o Options, _ map[string]string) source.Source { return podcasts.New(o.Client, "") },
	func(o Options, s map[string]string) source.Source { return producthunt.New(o.Client, s, "") },
	func(o Options, s map[string]string) source.Source { return reddit.New(o.Client, s, "") },
	func(o Options, s map[string]string) source.Source { return stackoverflow.New(o.Client, s, "") },
	func(o Options, s map[string]string) source.Source { return twitter.New(o.Client, s, "", nil) },
	func(o Options, s map[string]string) source.Source { return youtube.New(o.Client, s, "") },
}

// Open returns the sources whose credentials are configured, and the About of those that lack one. It reads all secrets
// at once and sends no request to a platform. Errors: the secret store's.
func Open(
	ctx context.Context, o Options, secrets secret.Store,
) (open []source.Source, lacking []source.About, err error) {
	var names []string
	for _, about := range all(o) {
		for _, credential := range about.Credentials {
			names = append(names, credential.Name)
		}
	}
	have, err := secrets.Get(ctx, names...)
	if err != nil {
		return nil, nil, fmt.Errorf("read the sources' credentials: %w", err)
	}
	for _, make := range makers {
		made := make(o, have)
		if about := made.About(); lacks(about, have) {
			lacking = append(lacking, about)
		} else {
			open = append(open, made)
		}
	}
	return open, lacking, nil
}

func all(o Options) []source.About {
	abouts := make([]source.About, 0, len(makers))
	for _, make := range makers {
		abouts = append(abouts, make(o, nil).About())
	}
	return abouts
}

func lacks(about source.About, have map[string]string) bool {
	for _, credential := range about.Credentials {
		if !credential.Optional && have[credential.Name] == "" {
			return true
		}
	}
	return false
}
