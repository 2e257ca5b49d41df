package feeds

import (
	"errors"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/feed"
	"earshot/shared/name"
	"earshot/shared/web"
	"earshot/shared/web/destinationwire"
	"earshot/shared/web/filterwire"
)

// FeedID names a feed.
type FeedID struct {
	ID int64 `path:"id" minimum:"1" maximum:"9007199254740991" doc:"The feed's id."`
}

// CreateFeedInput holds a new feed.
type CreateFeedInput struct{ Body CreateFeed }

// CreateFeed is the body that makes a feed.
type CreateFeed struct {
	Name         FeedName                           `json:"name"`
	Icon         destinationwire.Nullable[FeedIcon] `json:"icon,omitzero" doc:"Shown beside the name."`
	Simple       filterwire.NullSimple              `json:"simpleFilters,omitzero" doc:"Selects the mentions of the feed. If null or absent, it excludes none."`
	Advanced     filterwire.NullAdvanced            `json:"advancedFilters,omitzero" doc:"Selects the mentions of the feed. If null or absent, it excludes none."`
	IsDefault    bool                               `json:"isDefault,omitempty" default:"false" doc:"Whether clients show this feed first. true makes it the default in place of another feed."`
	Destinations []destinationwire.Destination      `json:"destinations,omitempty" maxItems:"20" doc:"Where the feed's mentions are sent. At most one destination of a type."`
}

// UpdateFeedInput holds a change of a feed.
type UpdateFeedInput struct {
	FeedID
	Body UpdateFeed
}

// UpdateFeed is the body that changes a feed. Properties that are not given stay.
type UpdateFeed struct {
	Name         *FeedName                          `json:"name,omitempty"`
	Icon         destinationwire.Nullable[FeedIcon] `json:"icon,omitzero" doc:"Shown beside the name. null removes it."`
	Simple       filterwire.NullSimple              `json:"simpleFilters,omitzero" doc:"Replaces the filter. null removes it."`
	Advanced     filterwire.NullAdvanced            `json:"advancedFilters,omitzero" doc:"Replaces the filter. null removes it."`
	IsDefault    *bool                              `json:"isDefault,omitempty" doc:"Whether clients show this feed first. true makes it the default in place of another feed. false on the default leaves no default."`
	Destinations *[]destinationwire.Destination     `json:"destinations,omitempty" maxItems:"20" doc:"Replaces all destinations. At most one of a type."`
}

// empty reports whether no property is given.
func (u UpdateFeed) empty() bool {
	return u.Name == nil && !u.Icon.Given && !u.Simple.Given && !u.Advanced.Given && u.IsDefault == nil &&
		u.Destinations == nil
}

// Feed is a feed on the wire.
type Feed struct {
	ID           int64                         `json:"id" minimum:"1" maximum:"9007199254740991" doc:"Unique in the workspace."`
	Name         string                        `json:"name" doc:"Name of the feed. It need not be unique."`
	Icon         web.Null[string]              `json:"icon" doc:"An emoji or the short name of a picture."`
	Simple       filterwire.NullSimple         `json:"simpleFilters" doc:"The simple filter as it was written. A mention must pass advancedFilters too."`
	Advanced     filterwire.NullAdvanced       `json:"advancedFilters" doc:"The advanced filter as it was written. A mention must pass simpleFilters too."`
	IsDefault    bool                          `json:"isDefault" doc:"Whether clients show this feed first. At most one feed of a workspace is the default."`
	Destinations []destinationwire.Destination `json:"destinations" doc:"Where the feed's mentions are sent. At most one destination of a type."`
	CreatedAt    string                        `json:"createdAt" format:"date-time"`
	UpdatedAt    string                        `json:"updatedAt" format:"date-time" doc:"When the feed was last changed. It does not change when another feed becomes the default."`
}

// ListFeedsInput selects a page, or all feeds without a limit.
type ListFeedsInput struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" doc:"The largest number of feeds in a page. Without it, the page has all that follow."`
	Cursor string `query:"cursor" minLength:"1" doc:"The nextCursor of a page."`
}

// FeedList is a page of a workspace's feeds, or all of them.
type FeedList struct {
	Data       []Feed         `json:"data"`
	Pagination web.Pagination `json:"pagination"`
}

// FeedDeleted is the response to a feed's deletion.
type FeedDeleted struct {
	OK bool `json:"ok"`
}

// withoutControls is a text of which something shows. Spaces beyond ASCII's are Resolve's to find.
const withoutControls = `^[^\x00-\x1F\x7F-\x9F]*[^\s\x00-\x1F\x7F-\x9F][^\x00-\x1F\x7F-\x9F]*$`

// visible describes withoutControls in errors.
const visible = "at least one visible character and no control characters"

// FeedName is a feed's name.
type FeedName string

// Schema describes the names.
func (FeedName) Schema(huma.Registry) *huma.Schema {
	schema := destinationwire.Patterned(withoutControls, "a name with "+visible, 100, "Unhappy customers")
	schema.Description = "Any name. It need not be unique. Surrounding space is removed."
	return schema
}

// FeedIcon is the icon that clients show with a feed's name.
type FeedIcon string

// Schema describes the icons.
func (FeedIcon) Schema(huma.Registry) *huma.Schema {
	schema := destinationwire.Patterned(withoutControls, "a name with "+visible, 32, "🔥")
	schema.Description = "An emoji or the short name of a picture. Surrounding space is removed."
	return schema
}

// Resolve reports faults that the schema cannot express.
func (c *CreateFeed) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	return nameFaults(at, string(c.Name), string(c.Icon.OrZero()))
}

// Resolve reports faults that the schema cannot express.
func (u *UpdateFeed) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	var named FeedName
	if u.Name != nil {
		named = *u.Name
	}
	return nameFaults(at, string(named), string(u.Icon.OrZero()))
}

// nameFaults returns the faults of a feed's name and icon that the schema cannot express.
func nameFaults(at *huma.PathBuffer, feedName, icon string) (faults []error) {
	for _, text := range []struct{ property, value string }{{"name", feedName}, {"icon", icon}} {
		fault := name.FaultOf(text.value)
		if text.value == "" || fault == "" || strings.ContainsFunc(text.value, unicode.IsControl) {
			continue // not given, or a fault of the schema's
		}
		faults = append(faults, web.Fault(at, text.property, "pattern", string(fault)))
	}
	return faults
}

// toFeed returns the feed in a body.
func (c CreateFeed) toFeed() feed.Feed {
	return feed.Feed{
		Name:            strings.TrimSpace(string(c.Name)),
		Icon:            strings.TrimSpace(string(c.Icon.OrZero())),
		SimpleFilters:   []byte(c.Simple.JSON()),
		AdvancedFilters: []byte(c.Advanced.JSON()),
		Default:         c.IsDefault,
		Destinations:    destinationwire.ToDestinations(c.Destinations),
	}
}

// apply changes a feed.
func (u UpdateFeed) apply(f *feed.Feed) {
	if u.Name != nil {
		f.Name = strings.TrimSpace(string(*u.Name))
	}
	if u.Icon.Given {
		f.Icon = strings.TrimSpace(string(u.Icon.OrZero()))
	}
	if u.Simple.Given {
		f.SimpleFilters = []byte(u.Simple.JSON())
	}
	if u.Advanced.Given {
		f.AdvancedFilters = []byte(u.Advanced.JSON())
	}
	if u.IsDefault != nil {
		f.Default = *u.IsDefault
	}
	if u.Destinations != nil {
		f.Destinations = destinationwire.ToDestinations(*u.Destinations)
	}
}

// fromFeed writes a feed.
func fromFeed(f feed.Feed) (Feed, error) {
	wire := Feed{
		ID:           f.ID,
		Name:         f.Name,
		Icon:         web.NullIfEmpty(f.Icon),
		IsDefault:    f.Default,
		Destinations: destinationwire.FromDestinations(f.Destinations),
		CreatedAt:    web.FormatTime(f.CreatedAt),
		UpdatedAt:    web.FormatTime(f.UpdatedAt),
	}
	var simple, advanced error
	if len(f.SimpleFilters) > 0 {
		simple = wire.Simple.UnmarshalJSON(f.SimpleFilters)
	}
	if len(f.AdvancedFilters) > 0 {
		advanced = wire.Advanced.UnmarshalJSON(f.AdvancedFilters)
	}
	return wire, errors.Join(simple, advanced)
}

// feedExample returns the document's example.
func feedExample() Feed {
	wire, _ := fromFeed(feed.Feed{
		ID:            1,
		Name:          "Unhappy customers",
		Icon:          "🔥",
		SimpleFilters: []byte(`{"sentiment":["negative"],"keyword":[7]}`),
		Default:       true,
		Destinations: []feed.Destination{
			feed.Destination{
				Type:      feed.Email,
				Frequency: feed.Weekly,
				Timezone:  "Europe/Berlin",
				Emails:    []string{"alerts@northwind.example"},
			}.WithDefaults(),
			feed.Destination{Type: feed.Webhook, URL: "https://hooks.example.com/mentions"}.WithDefaults(),
		},
	})
	wire.CreatedAt, wire.UpdatedAt = "2026-11-20T10:15:00.000Z", "2026-11-20T10:15:00.000Z"
	return wire
}
