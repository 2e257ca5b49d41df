package sources

import (
	"context"
	"log/slog"
	"time"

	"earshot/shared/port/clock"
	"earshot/shared/port/secret"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
)

// patience is how long the credentials may take to be read at start.
const patience = 5 * time.Second

// FromEnvironment opens a deployment's sources, as Open does, for a process that starts: all of them ask with the
// environment's SOURCES_CONTACT. The log is told which are off for want of credentials. Errors: the secret store's,
// which has 5 s.
func FromEnvironment(env func(string) string, secrets secret.Store, now clock.Clock, log *slog.Logger) ([]source.Source, error) {
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
