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

// Sources returns the sources that can be searched at the moment.
type Sources func(context.Context) ([]source.Source, error)

// MakeSurvey makes the survey of a run, which asks sources.
type MakeSurvey func(context.Context, proposal.Key) (*survey.Survey, error)

// Surveys makes the survey of a run: of the sources that there are at that moment, with one budget for all of the run's
// stages. Errors: those of sources.
func Surveys(stored Surveyed, now clock.Clock, log *slog.Logger, sources Sources) MakeSurvey {
	return func(ctx context.Context, key proposal.Key) (*survey.Survey, error) {
		asked, err := sources(ctx)
		if err != nil {
			return nil, err
		}
		return survey.New(
			survey.Options{Sources: asked, Cache: stored, Budget: budget{stored, key}, Clock: now, Log: log},
		), nil
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
// left out: each of them then counts as one that cannot be searched. Errors: those of live.
func WithArchive(live, archive Sources, log *slog.Logger) Sources {
	return func(ctx context.Context) ([]source.Source, error) {
		var asked, archived []source.Source
		err := parallel.Together(
			func() (err error) { asked, err = live(ctx); return err },
			func() error {
				var left error
				if archived, left = archive(ctx); left != nil {
					log.Warn("the archive was not asked", "cause", left)
				}
				return nil
			})
		if err != nil {
			return nil, err
		}
		return append(slices.Clip(asked), archived...), nil
	}
}

// FoundBeside is Found, while the survey of the run is made: that may read the archive's platforms.
func (s *Session) FoundBeside(
	ctx context.Context, surveys MakeSurvey,
) (e proposal.Evidence, made *survey.Survey, err error) {
	err = parallel.Together(
		func() (err error) {
			made, err = surveys(ctx, s.Key)
			return err
		}, func() (err error) {
			e, err = s.Found(ctx)
			return err
		})
	return e, made, err
}
