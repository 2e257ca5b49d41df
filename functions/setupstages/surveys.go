package setupstages

import (
	"context"
	"log/slog"
	"slices"

	"earshot/shared/parallel"
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

// WithArchive returns what a run asks: the platforms, and the archive for those that cannot be asked themselves. Of two
// sources with one name, a survey asks the first that can be searched. An archive whose platforms cannot be listed is
// left out: each of them then counts as one that cannot be searched.
func WithArchive(
	live []source.Source, archive func(context.Context) ([]source.Source, error), log *slog.Logger,
) func(context.Context) []source.Source {
	return func(ctx context.Context) []source.Source {
		archived, err := archive(ctx)
		if err != nil {
			log.Warn("the archive was not asked", "cause", err)
		}
		return append(slices.Clip(live), archived...)
	}
}

// FoundBeside is Found, while the survey of the run is made: that may read the archive's platforms.
func (s *Session) FoundBeside(
	ctx context.Context, surveys func(context.Context, proposal.Key) *survey.Survey,
) (e proposal.Evidence, made *survey.Survey, err error) {
	err = parallel.Together(
		func() error {
			made = surveys(ctx, s.Key)
			return nil
		}, func() (err error) {
			e, err = s.Found(ctx)
			return err
		})
	return e, made, err
}
