package listenstore

import (
	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// FromKeyword returns the row of a keyword.
func FromKeyword(orgID string, k keyword.Keyword) table.Item {
	key := rows.KeywordKey(orgID, k.ID)
	item := table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		"rev":                    k.Revision,
		"id":                     k.ID,
		"text":                   k.Text,
		"createdAt":              rows.FromTime(k.CreatedAt),
		"updatedAt":              rows.FromTime(k.UpdatedAt),
	}
	rows.Set(item, "weight", int64(k.Weight()))
	rows.Set(item, "context", k.Context)
	rows.Set(item, "logic", string(k.AdditionalTermsLogic))
	rows.Set(item, "exactMatch", k.ExactMatch)
	rows.Set(item, "caseSensitive", k.CaseSensitive)
	rows.Set(item, "tag", string(k.Tag))
	rows.Set(item, "paused", k.Paused)
	for name, list := range map[string][]string{"terms": k.AdditionalTerms, "excludeWords": k.ExcludeWords,
		"wildcardExcludeWords": k.WildcardExcludeWords, "excludeAuthors": k.ExcludeAuthors} {
		if len(list) > 0 {
			item[name] = rows.FromTexts(list)
		}
	}
	if k.Platforms != nil {
		item["platforms"] = rows.FromTexts(k.Platforms)
	}
	return item
}

// ToKeyword reads a keyword from its row.
func ToKeyword(item table.Item) keyword.Keyword {
	k := keyword.Keyword{
		ID:                   rows.Integer(item, "id"),
		Text:                 rows.Text(item, "text"),
		Context:              rows.Text(item, "context"),
		AdditionalTerms:      rows.Texts(item, "terms"),
		AdditionalTermsLogic: keyword.Logic(rows.Text(item, "logic")),
		ExactMatch:           rows.Boolean(item, "exactMatch"),
		CaseSensitive:        rows.Boolean(item, "caseSensitive"),
		ExcludeWords:         rows.Texts(item, "excludeWords"),
		WildcardExcludeWords: rows.Texts(item, "wildcardExcludeWords"),
		ExcludeAuthors:       rows.Texts(item, "excludeAuthors"),
		Tag:                  keyword.Tag(rows.Text(item, "tag")),
		Paused:               rows.Boolean(item, "paused"),
		CreatedAt:            rows.ToTime(rows.Text(item, "createdAt")),
		UpdatedAt:            rows.ToTime(rows.Text(item, "updatedAt")),
		Revision:             rows.Integer(item, "rev"),
	}
	if k.AdditionalTermsLogic == "" {
		k.AdditionalTermsLogic = keyword.Any
	}
	if _, narrowed := item["platforms"]; narrowed {
		k.Platforms = rows.Texts(item, "platforms")
	}
	return k
}
