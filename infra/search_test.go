package main

import (
	"context"
	"encoding/json"
	"time"

	composed "earshot/functions/local/deployment"
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
	live := func(context.Context) []source.Source { return []source.Source{hackernews} }
	parts := p.parts["searches"]
	parts.Search = composed.Search{Live: live}
	p.parts["searches"] = parts
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
