package deployment

import (
	"earshot/functions/analytics"
	"earshot/functions/analyticsfiles"
	"earshot/shared/dayfilecount"
	"earshot/shared/store/allstores"
)

// DayFiles keeps files of days.
type DayFiles interface {
	analyticsfiles.Files
	dayfilecount.Files
}

// filed is a store with files of days, which this process counts.
type filed struct {
	*allstores.Store
	dayfilecount.Counter
}

// figures returns what analytics reads: the store, and the files of days if they are written.
func figures(p Parts) analytics.Store {
	if !p.WriteDayFiles {
		return p.Store
	}
	return filed{p.Store, dayfilecount.Counter{Manifest: analytics.Manifest{Store: p.Store}, Files: p.DayFiles}}
}
