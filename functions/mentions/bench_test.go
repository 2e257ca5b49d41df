package mentions_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/awslabs/aws-lambda-go-api-proxy/core"
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

// BenchmarkInvoke is a whole invoke of GET /mentions/{sourceId}, from the event to the answer, in four ways:
//
//	plain     the operation alone, of a request that is already an http.Request: what any handler costs
//	bare      the same behind the adapter of API Gateway's events: no key, no limit, no validation, no headers
//	admitted  the same after the two round trips that a keyed request cannot do without
//	kit       the function as it is deployed, its log line with the metrics included
//
// The ways take turns of many invokes, each begun without the others' garbage. The figures are the processor time of an
// invoke (the median of the turns), the median of the turns' ratios of kit to each other way, and as "-min" the ratio of
// their fastest turns. "memory" has a store that answers at once: what is left is the kit. "table" has
// the embedded table, whose two round trips of admission, a read and a write that is durable, cost twice the one read of
// the operation.
func BenchmarkInvoke(b *testing.B) {
	w := worldtest.NewWorld(b)
	w.Put(b, w.Main.ID, worldtest.Mention(1, "hackernews_comment_41907231", worldtest.Now))
	b.Run("memory", func(b *testing.B) { invoke(b, w, inMemory(b, w)) })
	b.Run("table", func(b *testing.B) { invoke(b, w, w.Store) })
}

// inTurn is how many invokes a turn has, and inHour how many of them an hour has: fewer than the hourly limit.
const (
	inTurn = 1000
	inHour = 250
)

func invoke(b *testing.B, w *worldtest.World, stored stock) {
	const target = "/api/v2/mentions/hackernews_comment_41907231"
	event := worldtest.Client{Token: w.Read}.Event(worldtest.Request{Target: target})
	token, _ := workspace.ParseToken(w.Read)
	alone := func(admit func(context.Context) error) http.Handler {
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
		return mux
	}
	anyone := func(context.Context) error { return nil }
	keyed := func(ctx context.Context) error {
		key, _, err := stored.Credentials(ctx, token.KeyID, "")
		if err != nil || !token.Opens(*key) {
			return errors.Join(err, errors.New("no key"))
		}
		_, _, err = stored.Take(ctx, key.Workspace.ID, w.Clock.Now().Truncate(time.Hour), web.HourlyLimit)
		return err
	}
	kit := web.New(web.Options{Credentials: stored, Windows: stored, Replays: w.Store, Clock: w.Clock,
		Log: slog.New(lambdalog.Staged(slog.NewJSONHandler(io.Discard, nil), "prod"))})
	mentions.Register(kit, mentions.Options{Store: stored, Clock: w.Clock})
	plain, request := alone(anyone), httptest.NewRequest(http.MethodGet, target, http.NoBody)
	answering := func(handle web.LambdaHandler) func() int {
		return func() int {
			response, err := handle(b.Context(), event)
			if err != nil {
				b.Fatal(err)
			}
			return response.StatusCode
		}
	}
	ways := []struct {
		name string
		once func() int // returns the status
	}{
		{"plain", func() int {
			out := core.NewProxyResponseWriter()
			plain.ServeHTTP(out, request.WithContext(b.Context()))
			response, err := out.GetProxyResponse()
			if err != nil {
				b.Fatal(err)
			}
			return response.StatusCode
		}},
		{"bare", answering(httpadapter.New(alone(anyone)).ProxyWithContext)},
		{"admitted", answering(httpadapter.New(alone(keyed)).ProxyWithContext)},
		{"kit", answering(kit.LambdaHandler())},
	}
	took := make([][]float64, len(ways)) // µs an invoke, by way and turn
	for b.Loop() {
		for i, way := range ways {
			runtime.GC()
			begun := worldtest.ProcessorTime()
			for n := range inTurn {
				if n%inHour == 0 {
					w.Clock.Freeze(w.Clock.Now().Add(time.Hour)) // the next window: two of the ways count
				}
				if status := way.once(); status != http.StatusOK {
					b.Fatal(way.name, status)
				}
			}
			took[i] = append(took[i], float64((worldtest.ProcessorTime()-begun).Nanoseconds())/1000/inTurn)
		}
	}
	kits := took[len(ways)-1]
	for i, way := range ways {
		w.Clock.Freeze(w.Clock.Now().Add(time.Hour))
		b.ReportMetric(testing.AllocsPerRun(100, func() { way.once() }), way.name+"-allocs")
		b.ReportMetric(median(took[i]), way.name+"-µs")
		if i == len(ways)-1 {
			break
		}
		ratios := make([]float64, len(kits))
		for turn := range kits {
			ratios[turn] = kits[turn] / took[i][turn]
		}
		b.ReportMetric(slices.Min(kits)/slices.Min(took[i]), "kit/"+way.name+"-min")
		b.ReportMetric(median(ratios), "kit/"+way.name)
	}
	b.ReportMetric(0, "ns/op")
}

func median(values []float64) float64 {
	return slices.Sorted(slices.Values(values))[len(values)/2]
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
