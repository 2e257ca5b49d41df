package mentions

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/mention"
	"earshot/shared/store/mentionstore"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
	"earshot/shared/web/problem"
)

type byAuthor struct{ timeline Timeline }

func registerByAuthor(api *web.API, b byAuthor) {
	web.Register(api, web.Operation{
		ID: "listMentionsByAuthor", Method: http.MethodGet, Path: "/api/v2/mentions/by-author", Group: Group,
		Summary: "List an author's mentions, newest first",
		Description: "The list includes mentions that are not relevant. Name the author by `source` and " +
			"`handle`, or by `profileUrl`. `profileUrl` has one of these forms: " +
			strings.Join(quoted(mention.ProfileForms()), ", ") + ". Handles compare without case and without a " +
			"leading @. If you give both, they must name the same author. Follow `pagination.nextCursor` until " +
			"it is null.",
		Example: MentionList{Data: []mentionwire.Mention{example()}},
	}, b.list)
}

// quoted marks texts as code, for Markdown.
func quoted(texts []string) []string {
	marked := make([]string, len(texts))
	for i, text := range texts {
		marked[i] = "`" + text + "`"
	}
	return marked
}

// ByAuthorInput selects a page of an author's mentions.
type ByAuthorInput struct {
	Source  string `query:"source" minLength:"1" maxLength:"64" doc:"The platform." example:"reddit"`
	Handle  string `query:"handle" minLength:"1" maxLength:"200" doc:"The author's handle on the platform." example:"quietharbor"`
	Profile string `query:"profileUrl" minLength:"1" maxLength:"2048" doc:"The URL of the author's page." example:"https://www.reddit.com/user/quietharbor"`
	Limit   int    `query:"limit" minimum:"1" maximum:"50" default:"10" doc:"The largest number of mentions in a page."`
	Cursor  string `query:"cursor" minLength:"1" doc:"The nextCursor of a page of the same author."`
}

// Resolve reports the faults that the schema cannot express.
func (in *ByAuthorInput) Resolve(huma.Context) []error {
	var faults []problem.Detail
	fault := func(name, code, message string) {
		faults = append(faults, problem.Detail{Path: "query." + name, Code: code, Message: message})
	}
	const missing = "The request names no author. Give source and handle, or profileUrl."
	switch {
	case in.Handle == "" && in.Profile == "":
		fault("handle", "required", missing)
	case in.Handle != "" && mention.Handle(in.Handle) == "":
		fault("handle", "format", "Expected a handle.")
	}
	if in.Source == "" && in.Profile == "" {
		fault("source", "required", missing)
	}
	return web.Faults(faults...)
}

// author returns the author that the input names, in the form in which authors compare.
func (in ByAuthorInput) author() (mentionstore.Author, error) {
	if in.Profile == "" {
		return mentionstore.Author{Source: strings.ToLower(in.Source), Handle: mention.Handle(in.Handle)}, nil
	}
	source, handle, ok := mention.ParseProfile(in.Profile)
	author := mentionstore.Author{Source: source, Handle: mention.Handle(handle)}
	if !ok || author.Handle == "" {
		return author, problem.New(
			problem.InvalidInput,
			"profileUrl has none of the forms of an author's page that Earshot knows: %s. "+
				"Name other authors by source and handle.",
			strings.Join(mention.ProfileForms(), ", "),
		)
	}
	if in.Source != "" && !strings.EqualFold(in.Source, source) ||
		in.Handle != "" && mention.Handle(in.Handle) != author.Handle {
		return author, problem.New(
			problem.InvalidInput, "profileUrl names another author than source and handle. Give only one of the two.",
		)
	}
	return author, nil
}

// authorSelection is what a cursor is bound to.
type authorSelection struct {
	List   string              `json:"list"`
	Author mentionstore.Author `json:"author"`
}

func (b byAuthor) list(ctx context.Context, in *ByAuthorInput) (*MentionList, error) {
	author, err := in.author()
	if err != nil {
		return nil, err
	}
	var cursor *string
	if in.Cursor != "" {
		cursor = &in.Cursor
	}
	return page(
		ctx, b.timeline, mentionstore.MentionsQuery{Author: &author, Limit: in.Limit},
		authorSelection{"by-author", author}, cursor, false,
	)
}
