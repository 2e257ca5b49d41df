package setupstages

import (
	"context"
	"log/slog"

	"earshot/shared/port/clock"
	"earshot/shared/proposal"
	"earshot/shared/proposal/survey"
	"earshot/shared/source"
)

// Surveyed is what a survey asks of the store.
type Surveyed interface {
	survey.Cache
	// SpendSurvey takes n of the limit requests of a run, or none when fewer are left, and says which.
	SpendSurvey(ctx context.Context, key proposal.Key, n, limit int) (bool, error)
}

// Surveys makes the survey of a run: of the sources that there are at that moment, with one budget for all of the run's
// stages.
func Surveys(
	stored Surveyed, now clock.Clock, log *slog.Logger, sources func(context.Context) []source.Source,
) func(context.Context, proposal.Key) *survey.Survey {
	return func(ctx context.Context, key proposal.Key) *survey.Survey {
		return survey.New(
			survey.Options{Sources: sources(ctx), Cache: stored, Budget: budget{stored, key}, Clock: now, Log: log},
		)
	}
}

// A budget is a run's requests to sources.
type budget struct {
	stored Surveyed
	key    proposal.Key
}

func (b budget) Spend(ctx context.Context, n int) (bool, error) {
	return b.stored.SpendSurvey(ctx, b.key, n, proposal.SourceBudget)
}
