package store

import (
	"earshot/shared/keyword"
	"earshot/shared/port/table"
)

func fromKeyword(orgID string, k keyword.Keyword) table.Item {
	key := keywordKey(orgID, k.ID)
	item := table.Item{
		table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort, "rev": k.Revision, "id": k.ID, "text": k.Text,
		"createdAt": fromTime(k.CreatedAt), "updatedAt": fromTime(k.UpdatedAt),
	}
	set(item, "weight", int64(k.Weight()))
	set(item, "context", k.Context)
	set(item, "logic", string(k.AdditionalTermsLogic))
	set(item, "exactMatch", k.ExactMatch)
	set(item, "caseSensitive", k.CaseSensitive)
	set(item, "tag", string(k.Tag))
	set(item, "paused", k.Paused)
	for name, list := range map[string][]string{"terms": k.AdditionalTerms, "excludeWords": k.ExcludeWords,
		"wildcardExcludeWords": k.WildcardExcludeWords, "excludeAuthors": k.ExcludeAuthors} {
		if len(list) > 0 {
			item[name] = fromStrings(list)
		}
	}
	if k.Platforms != nil {
		item["platforms"] = fromStrings(k.Platforms)
	}
	return item
}

func toKeyword(item table.Item) keyword.Keyword {
	k := keyword.Keyword{
		ID: integer(item, "id"), Text: str(item, "text"), Context: str(item, "context"), AdditionalTerms: strs(item, "terms"),
		AdditionalTermsLogic: keyword.Logic(str(item, "logic")), ExactMatch: boolean(item, "exactMatch"), CaseSensitive: boolean(item, "caseSensitive"),
		ExcludeWords: strs(item, "excludeWords"), WildcardExcludeWords: strs(item, "wildcardExcludeWords"), ExcludeAuthors: strs(item, "excludeAuthors"),
		Tag: keyword.Tag(str(item, "tag")), Paused: boolean(item, "paused"),
		CreatedAt: toTime(str(item, "createdAt")), UpdatedAt: toTime(str(item, "updatedAt")), Revision: integer(item, "rev"),
	}
	if k.AdditionalTermsLogic == "" {
		k.AdditionalTermsLogic = keyword.Any
	}
	if _, narrowed := item["platforms"]; narrowed {
		k.Platforms = strs(item, "platforms")
	}
	return k
}
