package agent

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"earshot/shared/port/model"
	"earshot/shared/proposal"
)

// A session is one run of the agent.
type session struct {
	Options
	fence    fence
	log      log
	talk     model.Conversation
	made     []call // in their order
	tokens   int
	calls    int // counted against Depth.ToolCalls
	spent    time.Duration
	refusals int // submissions that the gate refused
}

func newSession(o Options, kept map[string][]byte) (*session, error) {
	s := &session{Options: o, fence: fenceOf(o.Evidence), log: log{recorder: o.Recorder, kept: kept}}
	first, err := s.fence.brief(o.Evidence)
	if err != nil {
		return nil, err
	}
	s.talk = model.Conversation{
		System:   instructions(o.Depth),
		Messages: []model.Message{{Role: model.User, Blocks: []model.Block{{Text: first}}}},
		Tools:    tools(),
	}
	return s, nil
}

// maxReply bounds a turn of the model in bytes of JSON: far more than the longest submission, and less than a record
// may weigh.
const maxReply = 96 << 10

// compose goes on until the gate accepts a submission, or a stop. ctx is the caller's, limited the same within the
// run's seconds.
func (s *session) compose(ctx, limited context.Context) (*proposal.Decisions, error) {
	for n := 1; ; n++ {
		last, err := s.afford()
		if err != nil {
			return nil, err
		}
		t, err := once(ctx, s.log, turnName(n), func() (turn, error) { return s.ask(limited) })
		if err != nil {
			return nil, err
		}
		s.tokens += t.Reply.InputTokens + t.Reply.OutputTokens
		s.spent += time.Duration(t.Took) * time.Millisecond
		if err := s.deliverable(t.Reply); err != nil {
			return nil, err
		}
		if err := s.overspent(); err != nil {
			return nil, err
		}
		results, decisions, err := s.serve(ctx, limited, t.Reply.Uses(), last)
		if decisions != nil || err != nil {
			return decisions, err
		}
		s.talk.Messages = append(s.talk.Messages, echo(t.Reply), model.Message{Role: model.User, Blocks: results})
	}
}

// afford says whether the next turn is the last that the budget has room for, and tells the model so; it stops when
// there is room for none.
func (s *session) afford() (last bool, err error) {
	asking := estimate(s.talk)
	room := s.Depth.Tokens - s.tokens - asking
	if room < leastAnswer {
		return false, exceededBy("no tokens are left for a turn")
	}
	s.talk.MaxTokens = min(mostAnswer, room)
	// What a turn with tools would leave must hold a further one, which is longer by what the tools said.
	last = s.calls >= s.Depth.ToolCalls || late(s.spent, s.Depth.Agent) ||
		room-usualAnswer < asking+usualResults+mostAnswer
	note := "\n" + s.left()
	if last {
		note = "\nThis is your last turn. Call " + submitTool +
			" now, and no other tool: anything else ends the work without a proposal."
	}
	message := &s.talk.Messages[len(s.talk.Messages)-1]
	message.Blocks = append(message.Blocks, model.Block{Text: strings.TrimSpace(note)})
	return last, nil
}

// overspent stops a run whose last turn or call went over a budget, whatever it brought.
func (s *session) overspent() error {
	switch {
	case s.tokens > s.Depth.Tokens:
		return exceededBy("the tokens of the run are spent")
	case s.spent >= s.Depth.Agent:
		return exceededBy("the time for the model is over")
	}
	return nil
}

// deliverable says whether a turn is one that the run can go on from.
func (s *session) deliverable(r model.Reply) error {
	switch {
	case r.Stop == model.StopLength && s.talk.MaxTokens < mostAnswer:
		return exceededBy("the tokens that were left did not hold the turn")
	case r.Stop == model.StopFiltered:
		return failedFor("the provider's filter cut the turn off")
	case r.Stop != model.StopTools && r.Stop != model.StopEnd:
		return invalidFor("the turn is cut off or malformed")
	case len(r.Uses()) == 0:
		return invalidFor("the model ended without a submission")
	}
	return nil
}

// attempts of a turn, and the pause before the second; each further pause is twice as long.
const (
	attempts   = 4
	firstPause = time.Second
)

// ask is one turn of the model. Throttling and outages are waited out, within the run's seconds.
func (s *session) ask(limited context.Context) (turn, error) {
	begun := s.Clock.Now()
	pause := firstPause
	for attempt := 1; ; attempt++ {
		if limited.Err() != nil {
			return turn{}, exceededBy("the time for the model is over")
		}
		reply, err := s.Model.Converse(limited, s.talk)
		switch {
		case err == nil:
			return turn{Reply: s.bounded(reply), Took: s.since(begun)}, nil
		case limited.Err() != nil:
			return turn{}, exceededBy("the time for the model is over")
		case attempt == attempts || !passes(err):
			return turn{}, failedFor(err.Error())
		}
		wait(limited, pause)
		pause *= 2
	}
}

// passes says whether an error may be gone the next time. A context's is an adapter's own time limit: the run's has not
// ended.
func passes(err error) bool {
	return errors.Is(err, model.ErrThrottled) || errors.Is(err, model.ErrUnavailable) ||
		errors.Is(err, context.DeadlineExceeded)
}

// wait waits, or until the context ends.
func wait(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// since is how long something took, in whole milliseconds, rounded up.
func (s *session) since(begun time.Time) int64 {
	return int64((max(s.Clock.Now().Sub(begun), 0) + time.Millisecond - 1) / time.Millisecond)
}

// bounded is a reply as it is kept: one that is too large keeps nothing but its price, and a model that states none is
// taken to have used what was estimated.
func (s *session) bounded(r model.Reply) model.Reply {
	written, err := json.Marshal(r.Blocks)
	if r.InputTokens <= 0 {
		r.InputTokens = estimate(s.talk)
	}
	if r.OutputTokens <= 0 {
		r.OutputTokens = len(written) / bytesPerToken
	}
	if err != nil || len(written) > maxReply {
		r.Blocks, r.Stop = nil, model.StopMalformed
	}
	return r
}

// echo is the model's turn as it is told it again: with ids, names and inputs that a provider takes, whatever it wrote.
func echo(r model.Reply) model.Message {
	message := model.Message{Role: model.Assistant}
	ids := useIDs(r.Uses())
	for _, block := range r.Blocks {
		switch {
		case block.Use != nil:
			use := model.ToolUse{ID: ids[0], Name: known(block.Use.Name), Input: "{}"}
			if isObject(block.Use.Input) {
				use.Input = block.Use.Input
			}
			message.Blocks, ids = append(message.Blocks, model.Block{Use: &use}), ids[1:]
		case strings.TrimSpace(block.Text) != "" && utf8.ValidString(block.Text):
			message.Blocks = append(message.Blocks, model.Block{Text: block.Text})
		}
	}
	return message
}
