package sources

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"earshot/shared/port/clock"
	"earshot/shared/port/secret"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
)

// patience bounds the reading of the credentials at start.
const patience = 5 * time.Second

// FromEnvironment opens a deployment's sources, as Open does, for a process that starts. Their User-Agent has the
// environment's SOURCES_CONTACT. It logs the sources that lack credentials. Errors: the secret store's, which has 5 s.
func FromEnvironment(
	env func(string) string, secrets secret.Store, now clock.Clock, log *slog.Logger,
) ([]source.Source, error) {
	client := fetch.New(fetch.Options{Clock: now, UserAgent: fetch.Agent(env("SOURCES_CONTACT"))})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	open, lacking, err := Open(ctx, Options{Client: client, Log: log}, secrets)
	if err != nil {
		return nil, err
	}
	for _, about := range lacking {
		log.Info("a source is off: its credentials are not configured", "source", about.Name)
	}
	return open, nil
}

// WhenAsked returns a function that opens the sources when it is first called, as FromEnvironment does, and again after
// an error. It is for processes of which many are never asked about a source. It is safe for concurrent use.
func WhenAsked(
	env func(string) string, secrets secret.Store, now clock.Clock, log *slog.Logger,
) func(context.Context) ([]source.Source, error) {
	var mu sync.Mutex
	var open []source.Source
	return func(context.Context) (_ []source.Source, err error) {
		mu.Lock()
		defer mu.Unlock()
		if open == nil {
			open, err = FromEnvironment(env, secrets, now, log)
		}
		return open, err
	}
}
