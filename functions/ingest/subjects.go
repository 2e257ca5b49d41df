package ingest

import (
	"sync"

	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/listening"
)

// subjects keeps the judge's compiled knowledge of keywords, as long as their workspace is unchanged.
type subjects struct {
	mu  sync.Mutex
	all map[string]*subjectsOf // by workspace
}

type subjectsOf struct {
	workspace *listening.Workspace
	keywords  map[int64]*judge.Subject
}

// forKeywords returns the subjects of some keywords of a workspace, in their order.
func (s *subjects) forKeywords(j *judge.Judge, w *listening.Workspace, keywords []*keyword.Keyword) []*judge.Subject {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[string]*subjectsOf{}
	}
	known := s.all[w.ID]
	if known == nil || known.workspace != w {
		known = &subjectsOf{workspace: w, keywords: map[int64]*judge.Subject{}}
		s.all[w.ID] = known
	}
	list := make([]*judge.Subject, len(keywords))
	for i, k := range keywords {
		if known.keywords[k.ID] == nil {
			known.keywords[k.ID] = j.Subject(w.Company, *k, feedback(w, k.ID))
		}
		list[i] = known.keywords[k.ID]
	}
	return list
}

func feedback(w *listening.Workspace, keywordID int64) []judge.Feedback {
	var learned []judge.Feedback
	for _, lesson := range w.Lessons {
		if lesson.KeywordID == keywordID && len(lesson.Vector) > 0 {
			learned = append(learned, judge.Feedback{Relevant: lesson.Relevant, Vector: lesson.Vector})
		}
	}
	return learned
}
