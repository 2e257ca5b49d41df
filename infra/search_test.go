package main

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"earshot/shared/port/queue"
	"earshot/shared/post"
	"earshot/shared/source"
)

// search asks a platform twice, the first time twice with one Idempotency-Key. The second search finds a post that is
// new and one that the first had.
func (p *play) search() {
	hackernews := p.sources["hackernews"]
	hackernews.fails = nil
	young := p.world.Clock.Now().Add(-time.Hour)
	told := func(id, title string) post.Post {
		each := found(id, young, 3)
		each.Title = &title
		return each
	}
	hackernews.posts = []post.Post{
		found("hackernews_story_1", young, 3),
		told("hackernews_story_7", "The records of our northwind account are gone again"),
	}
	p.looksAt(hackernews)
	p.askOf("search", 400, "POST", "search", `{"query":"-"}`, "Idempotency-Key", "refused")
	for _, query := range []string{"northwind", "northwind records"} {
		var begun, ended struct{ SearchID, Status string }
		for range 2 {
			content := p.askOf(
				"search", 202, "POST", "search", `{"query":"`+query+`","waitMs":0}`, "Idempotency-Key", "search "+query,
			)
			if err := json.Unmarshal(content, &begun); err != nil {
				p.t.Error(err)
			}
		}
		p.take("searches", queue.Searches)
		err := json.Unmarshal(p.askOf("search", 200, "GET", "search/"+begun.SearchID, ""), &ended)
		if err != nil || ended.Status != "completed" {
			p.t.Errorf("the search %s ended %+v, %v", query, ended, err)
		}
		hackernews.posts = append(hackernews.posts, told("hackernews_story_8", "How do you export records from northwind?"))
	}
	p.askOf("search", 200, "GET", "search", "", "Authorization", "Bearer "+p.world.Master,
		"x-earshot-organization-id", p.world.Member.ID)
	hackernews.posts = nil
}

// summarize has a summary written of what came in, old mentions too.
func (p *play) summarize(keywordID int64) {
	from := p.world.Clock.Now().Add(-300 * 24 * time.Hour).Format(time.DateOnly)
	p.askOf("ai", 400, "POST", "ai/summaries", `{"startDate":"yesterday"}`, "Idempotency-Key", "refused summary")
	p.twiceAt("ai", 202, "POST", "ai/summaries",
		fmt.Sprintf(`{"startDate":%q,"filters":{"keyword":[%d]}}`, from, keywordID))
	p.take("summaries", queue.Summaries)
	var list struct {
		Data []struct{ SummaryID, Status string }
	}
	err := json.Unmarshal(p.askOf("ai", 200, "GET", "ai/summaries", ""), &list)
	if err != nil || len(list.Data) != 2 || list.Data[0].Status != "completed" {
		p.t.Errorf("the summaries are %+v, %v", list, err)
		return
	}
	p.askOf("ai", 200, "GET", "ai/summaries/"+list.Data[0].SummaryID, "")
}

// looksAt has searches ask one platform.
func (p *play) looksAt(platform source.Source) {
	parts := p.parts["searches"]
	parts.Search.Live = func(context.Context) []source.Source { return []source.Source{platform} }
	p.parts["searches"] = parts
}

// searching is what a search costs that finds so many new posts on one platform. The guide takes for granted how long
// the platform takes to answer, and that the request waits that long.
func (p *play) searching(results int) (reads, writes float64, dollars float64) {
	const platformTime, apiGB, workerGB = 3 * time.Second, 1.0, 1769.0 / 1024
	hackernews := p.sources["hackernews"]
	for n := range results {
		title := fmt.Sprintf("Case %d: our northwind records and what became of them", n)
		each := found(fmt.Sprintf("hackernews_story_%d", 9000+n), p.world.Clock.Now().Add(-time.Hour), 3)
		each.Title = &title
		hackernews.posts = append(hackernews.posts, each)
	}
	p.looksAt(hackernews)
	api, readAPI := metered(p.parts["search"])
	worked, readWorker := metered(p.parts["searches"])
	p.parts["search"], p.parts["searches"] = api, worked
	p.askOf("search", 202, "POST", "search", `{"query":"northwind","waitMs":0}`)
	asked := readAPI(p.t)
	p.take("searches", queue.Searches)
	ran := readWorker(p.t)
	reads, writes = asked.ReadUnits+ran.ReadUnits, asked.WriteUnits+ran.WriteUnits
	const queueRequests = 3 // sent, received, deleted
	dollars = requestPrice + 2*callPrice + queueRequests*messagePrice + reads*readUnitPrice + writes*writeUnitPrice +
		platformTime.Seconds()*(apiGB+workerGB)*gbSecondPrice + float64(asked.line+ran.line)*logPrice
	return reads, writes, dollars
}

// What the guide says 1,000 searches cost: counted, at the prices that it names.
func TestTheGuideCountsSearches(t *testing.T) {
	for _, results := range []int{0, 20, 100} {
		reads, writes, dollars := newPlay(t).searching(results)
		holds(t, fmt.Sprintf("| %d | %g reads, %g writes | %.2f |", results, reads, writes, dollars*1000))
	}
}
