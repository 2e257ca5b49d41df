package mentions_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"

	"earshot/functions/mentions"
	"earshot/shared/store/storetest"
	"earshot/shared/web"
	"earshot/shared/web/webtest"
	"earshot/shared/workspace"
)

// BenchmarkInvoke is a whole invoke of GET /mentions/{sourceId}, from the event to the answer, on one store in one run:
//
//	bare      the operation alone: no key, no limit, no validation, no headers
//	admitted  the same after the two round trips that a keyed request cannot do without
//	kit       the function as it is deployed
//
// The three take turns, and the figures are the ratios of kit to the others.
func BenchmarkInvoke(b *testing.B) {
	w := storetest.NewWorld(b)
	w.Put(b, w.Main.ID, storetest.Mention(1, "hackernews_comment_41907231", storetest.Now))
	event := webtest.Client{Token: w.Read}.Event(webtest.Request{Target: "/api/v2/mentions/hackernews_comment_41907231"})
	token, _ := workspace.ParseToken(w.Read)

	bare := func(admit func(context.Context) error) web.LambdaHandler {
		mux := http.NewServeMux()
		mux.HandleFunc("GET /api/v2/mentions/{sourceId}", func(out http.ResponseWriter, r *http.Request) {
			if err := admit(r.Context()); err != nil {
				http.Error(out, err.Error(), http.StatusForbidden)
				return
			}
			found, err := w.Store.Mention(r.Context(), w.Main.ID, r.PathValue("sourceId"))
			if err != nil {
				http.Error(out, err.Error(), http.StatusInternalServerError)
				return
			}
			out.Header().Set("Content-Type", "application/json")
			json.NewEncoder(out).Encode(mentions.FromMention(found, false))
		})
		return httpadapter.New(mux).ProxyWithContext
	}
	kit := web.New(web.Options{Credentials: w.Store, Windows: w.Store, Replays: w.Store, Clock: w.Clock})
	mentions.Register(kit, w.Store)
	ways := []struct {
		name   string
		handle web.LambdaHandler
	}{
		{"bare", bare(func(context.Context) error { return nil })},
		{"admitted", bare(func(ctx context.Context) error {
			key, _, err := w.Store.Credentials(ctx, token.KeyID, "")
			if err != nil || !token.Opens(*key) {
				return errors.Join(err, errors.New("no key"))
			}
			_, _, err = w.Store.Take(ctx, key.Workspace.ID, w.Clock.Now().Truncate(time.Hour), web.HourlyLimit)
			return err
		})},
		{"kit", kit.LambdaHandler()},
	}
	invoke := func(handle web.LambdaHandler) {
		response, err := handle(b.Context(), event)
		if err != nil || response.StatusCode != http.StatusOK {
			b.Fatal(response.StatusCode, response.Body, err)
		}
	}
	turn := func() { w.Clock.Freeze(w.Clock.Now().Add(time.Hour)) }
	var took [3]time.Duration
	rounds := 0
	for b.Loop() {
		if rounds++; rounds%(web.HourlyLimit/2) == 0 {
			turn() // before the window is spent: two of the ways count
		}
		for i, way := range ways {
			begun := time.Now()
			invoke(way.handle)
			took[i] += time.Since(begun)
		}
	}
	for i, way := range ways {
		turn()
		b.ReportMetric(float64(took[i].Microseconds())/float64(rounds), way.name+"-µs")
		b.ReportMetric(testing.AllocsPerRun(100, func() { invoke(way.handle) }), way.name+"-allocs")
	}
	b.ReportMetric(float64(took[2])/float64(took[0]), "kit/bare")
	b.ReportMetric(float64(took[2])/float64(took[1]), "kit/admitted")
	b.ReportMetric(0, "ns/op")
}
