package mentions

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"earshot/shared/store/mentionstore"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
)

// Timeline reads mentions, newest first.
type Timeline interface {
	Mentions(ctx context.Context, query mentionstore.MentionsQuery) (mentionstore.MentionsPage, error)
}

type list struct {
	selector Selector
	timeline Timeline
}

func registerList(api *web.API, l list) {
	web.Register(api, web.Operation{
		ID: "listMentions", Method: http.MethodPost, Path: "/api/v2/mentions", Group: Group, Reads: true,
		Summary: "List mentions, newest first",
		Description: "Lists only relevant mentions unless `includeAll` is true. " + selectionRules + "\n\nFollow " +
			"`pagination.nextCursor` until it is null. Mentions that arrive meanwhile neither repeat nor hide a " +
			"mention that was there at the start. A page may be shorter than `limit`, or empty, although more " +
			"pages follow. This happens when mentions are long, or when a filter passes so few that the search " +
			"for more would cost too much at once. A cursor belongs to the filters that it was returned with. " +
			"If the view's filters have changed since, the cursor is refused: start again without it.\n\n" +
			"With `collapse: \"story\"` the list has only the newest mention of each story (`storyId`) that it " +
			"selects. A mention without a story stays. `storyCount` says how many mentions of the story the list " +
			"selects. It is absent where counting would read too much. The list then shows the mentions that were " +
			"stored when its first page was read. A mention whose filtered values change while you page may be " +
			"shown beside another of its story, or hide it. Exports and notifications of feeds do not collapse.",
		Codes: selectionCodes, Example: MentionList{Data: []mentionwire.Mention{example()}},
	}, l.list)
}

// ListInput selects a page of mentions.
type ListInput struct{ Body ListMentions }

// ListMentions is the body that selects a page.
type ListMentions struct {
	Selection
	Collapse string  `json:"collapse,omitempty" enum:"story" doc:"story: of each story only the newest mention that the list selects."`
	Limit    int     `json:"limit,omitempty" minimum:"1" maximum:"100" default:"20" doc:"The largest number of mentions in a page."`
	Cursor   *string `json:"cursor,omitempty" doc:"The nextCursor of a page. Only limit and includeEngagementMetrics may differ from the request for that page."`
}

// byStory is the value of collapse that lists each story once.
const byStory = "story"

// MentionList is a page of mentions.
type MentionList struct {
	Data       []mentionwire.Mention `json:"data"`
	Pagination web.Pagination        `json:"pagination"`
}

// selection is what a cursor is bound to: the list and everything that selects its rows.
type selection struct {
	List     string            `json:"list"`
	Query    mentionwire.Query `json:"query"`
	Collapse string            `json:"collapse,omitempty"`
}

func (l list) list(ctx context.Context, in *ListInput) (*MentionList, error) {
	selected, effective, err := l.toQuery(ctx, in.Body.Selection)
	if err != nil {
		return nil, err
	}
	query := mentionstore.MentionsQuery{All: selected.IncludeAll, Limit: in.Body.Limit}.Narrowed(effective)
	query.Collapse = in.Body.Collapse == byStory
	return page(
		ctx, l.timeline, query, selection{"mentions", selected, in.Body.Collapse}, in.Body.Cursor, in.Body.Engagement,
	)
}

// page reads the page of a list that a cursor is for, or the first.
func page(
	ctx context.Context, timeline Timeline, query mentionstore.MentionsQuery, selected any, cursor *string,
	engagement bool,
) (*MentionList, error) {
	caller := web.CallerOf(ctx)
	query.WorkspaceID = caller.Workspace.ID
	if cursor != nil {
		if err := web.OpenCursor(caller, selected, *cursor, &query.After); err != nil {
			return nil, err
		}
	}
	found, err := timeline.Mentions(ctx, query)
	if err != nil {
		return nil, err
	}
	answer := &MentionList{Data: make([]mentionwire.Mention, 0, len(found.Mentions))}
	for sent, n := 0, 0; n < len(found.Mentions); n++ {
		wire := mentionwire.FromMention(found.Mentions[n], engagement)
		if len(found.Stories) > 0 {
			wire.StoryCount = int64(found.Stories[n])
		}
		size, err := sentSize(wire)
		if err != nil {
			return nil, err
		}
		// Strangers' texts may be several times as long when they leave the Lambda.
		if sent += size; sent > web.MaxSent && n > 0 {
			found.Next = found.PositionOf(found.Mentions[n-1])
			break
		}
		answer.Data = append(answer.Data, wire)
	}
	if found.Next != "" {
		next, err := web.SealCursor(caller, selected, found.Next)
		if err != nil {
			return nil, err
		}
		answer.Pagination.NextCursor = web.Some(next)
	}
	return answer, nil
}

// sentSize returns how many bytes a mention has when it leaves a Lambda. For a short mention it returns an upper bound.
func sentSize(m mentionwire.Mention) (int, error) {
	const short, atMost = 4 << 10, 48 << 10 // a hundred short mentions fit, whatever their texts
	texts := len(m.URL) + len(m.SourceID) + len(m.AuthorName) + len(m.ImageURL) + len(m.RelevanceComment)
	for _, text := range []*string{m.Title, m.Body, m.Author, m.AuthorURL, m.AuthorAvatar} {
		if text != nil {
			texts += len(*text)
		}
	}
	if texts < short && m.Review == nil {
		return atMost, nil
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(m); err != nil {
		return 0, fmt.Errorf("measure a mention: %w", err)
	}
	return web.Sent(out.Bytes()), nil
}
