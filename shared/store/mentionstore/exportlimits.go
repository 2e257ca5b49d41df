package mentionstore

import "time"

// Limits of exports ("Limits" in the description), and how long an export and its file are kept.
const (
	ExportsAnHour = 5 // of a workspace, in each hour of the UTC clock
	ExportSlots   = 2 // exports of a workspace that run at once
	MaxExportRows = 50_000
	// MaxExportPages is how many pages of mentions an export reads at most, which are its backing queries.
	MaxExportPages = MaxExportRows / MaxMentionsPage
	// MaxParquetRows bounds an export as Parquet, which may hold a whole history. Time bounds its pages.
	MaxParquetRows = 1_000_000
	ExportKept     = 7 * 24 * time.Hour
)
