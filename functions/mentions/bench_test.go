package mentions_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"

	"earshot/functions/mentions"
	"earshot/shared/lambdalog"
	"earshot/shared/mention"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A stock is what an invoke needs of a store.
type stock interface {
	mentions.Store
	web.Credentials
	web.Windows
}

// BenchmarkInvoke is a whole invoke of GET /mentions/{sourceId}, from the event to the answer, in three ways:
//
//	bare      the operation alone: no key, no limit, no validation, no headers
//	admitted  the same after the two round trips that a keyed request cannot do without
//	kit       the function as it is deployed, its log line with the metrics included
//
// The three take turns, and the figures are the ratios of kit to the others. "memory" has a store that answers at once:
// what is left is the processor time of the kit. "table" has the embedded table, whose two round trips of admission, a
// read and a write that is durable, cost twice the one read of the operation.
func BenchmarkInvoke(b *testing.B) {
	w := worldtest.NewWorld(b)
	w.Put(b, w.Main.ID, worldtest.Mention(1, "hackernews_comment_41907231", worldtest.Now))
	b.Run("memory", func(b *testing.B) { invoke(b, w, inMemory(b, w)) })
	b.Run("table", func(b *testing.B) { invoke(b, w, w.Store) })
}

func invoke(b *testing.B, w *worldtest.World, stored stock) {
	event := worldtest.Client{Token: w.Read}.Event(worldtest.Request{Target: "/api/v2/mentions/hackernews_comment_41907231"})
	token, _ := workspace.ParseToken(w.Read)
	bare := func(admit func(context.Context) error) web.LambdaHandler {
		mux := http.NewServeMux()
		mux.HandleFunc("GET /api/v2/mentions/{sourceId}", func(out http.ResponseWriter, r *http.Request) {
			if err := admit(r.Context()); err != nil {
				http.Error(out, err.Error(), http.StatusForbidden)
				return
			}
			found, err := stored.Mention(r.Context(), w.Main.ID, r.PathValue("sourceId"))
			if err != nil {
				http.Error(out, err.Error(), http.StatusInternalServerError)
				return
			}
			out.Header().Set("Content-Type", "application/json")
			json.NewEncoder(out).Encode(mentionwire.FromMention(found, false))
		})
		return httpadapter.New(mux).ProxyWithContext
	}
	kit := web.New(web.Options{Credentials: stored, Windows: stored, Replays: w.Store, Clock: w.Clock,
		Log: slog.New(lambdalog.Staged(slog.NewJSONHandler(io.Discard, nil), "prod"))})
	mentions.Register(kit, mentions.Options{Store: stored, Clock: w.Clock})
	ways := []struct {
		name   string
		handle web.LambdaHandler
	}{
		{"bare", bare(func(context.Context) error { return nil })},
		{"admitted", bare(func(ctx context.Context) error {
			key, _, err := stored.Credentials(ctx, token.KeyID, "")
			if err != nil || !token.Opens(*key) {
				return errors.Join(err, errors.New("no key"))
			}
			_, _, err = stored.Take(ctx, key.Workspace.ID, w.Clock.Now().Truncate(time.Hour), web.HourlyLimit)
			return err
		})},
		{"kit", kit.LambdaHandler()},
	}
	once := func(handle web.LambdaHandler) {
		response, err := handle(b.Context(), event)
		if err != nil || response.StatusCode != http.StatusOK {
			b.Fatal(response.StatusCode, response.Body, err)
		}
	}
	turn := func() { w.Clock.Freeze(w.Clock.Now().Add(time.Hour)) }
	var took [3]time.Duration
	rounds := 0
	for b.Loop() {
		if rounds++; rounds%(web.HourlyLimit/2) == 1 {
			turn() // before the window is spent: two of the ways count
		}
		for i, way := range ways {
			begun := time.Now()
			once(way.handle)
			took[i] += time.Since(begun)
		}
	}
	for i, way := range ways {
		turn()
		b.ReportMetric(float64(took[i].Nanoseconds())/1000/float64(rounds), way.name+"-µs")
		b.ReportMetric(testing.AllocsPerRun(100, func() { once(way.handle) }), way.name+"-allocs")
	}
	b.ReportMetric(float64(took[2])/float64(took[0]), "kit/bare")
	b.ReportMetric(float64(took[2])/float64(took[1]), "kit/admitted")
	b.ReportMetric(0, "ns/op")
}

// memory is a store of one mention and one key.
type memory struct {
	mentions.Store
	found mention.Mention
	key   *workspace.Key
}

func inMemory(b *testing.B, w *worldtest.World) memory {
	token, _ := workspace.ParseToken(w.Read)
	key, _, err := w.Store.Credentials(b.Context(), token.KeyID, "")
	if err != nil {
		b.Fatal(err)
	}
	found, err := w.Store.Mention(b.Context(), w.Main.ID, "hackernews_comment_41907231")
	if err != nil {
		b.Fatal(err)
	}
	return memory{Store: w.Store, found: found, key: key}
}

func (m memory) Mention(context.Context, string, string) (mention.Mention, error) {
	return m.found, nil
}

func (m memory) Granted(context.Context, workspace.GrantToken, string) (*workspace.Key, error) {
	return m.key, nil
}

func (m memory) Credentials(context.Context, string, string) (*workspace.Key, *workspace.Workspace, error) {
	return m.key, nil, nil
}

func (m memory) Take(context.Context, string, time.Time, int) (int, bool, error) { return 1, true, nil }
