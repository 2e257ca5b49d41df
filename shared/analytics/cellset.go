package analytics

import (
	"strconv"
	"time"

	"earshot/shared/mention"
)

// A cellKind is what the mentions of a cell share, except their day.
type cellKind struct {
	source, language string
	sentiment        mention.Sentiment
	score            int // -1 without a score
	tags             []string
}

// A cellCount counts the mentions of a cell in an hour of UTC. kind is an index.
type cellCount struct {
	kind     int32
	hour     uint8
	mentions int64
}

// A cellSet holds cells of a workspace or of a keyword. Days without cells are left out.
type cellSet struct {
	kinds []cellKind
	days  map[time.Time]*dayCells // by the start of the day in UTC

	numbers map[string]int32 // of kinds
	name    []byte           // of the kind that is being looked up
}

func newCellSet() *cellSet {
	return &cellSet{days: map[time.Time]*dayCells{}, numbers: map[string]int32{}}
}

// number returns the index of a kind. It keeps the kind's tags.
func (s *cellSet) number(k cellKind) int32 {
	name := append(append(s.name[:0], k.source...), 0)
	name = append(append(name, k.language...), 0)
	name = append(append(name, k.sentiment...), 0)
	name = strconv.AppendInt(name, int64(k.score), 10)
	for _, tag := range k.tags {
		name = append(append(name, 0), tag...)
	}
	s.name = name
	number, known := s.numbers[string(name)]
	if !known {
		number = int32(len(s.kinds)) //nolint:gosec // fewer kinds than cells
		s.kinds, s.numbers[string(name)] = append(s.kinds, k), number
	}
	return number
}

// addVolumes adds cells. It adds all cells of a day or none.
func (s *cellSet) addVolumes(volumes []mention.Volume) {
	from := 0
	for i := range volumes {
		if i+1 == len(volumes) || !volumes[i+1].Day.Equal(volumes[i].Day) {
			s.addDay(volumes[from : i+1])
			from = i + 1
		}
	}
}

// addDay adds the cells of a day, or further cells of it.
func (s *cellSet) addDay(cells []mention.Volume) {
	at := cells[0].Day.UTC()
	day := s.days[at]
	if day == nil {
		day = &dayCells{set: s, summed: true}
		s.days[at] = day
	}
	for i := range cells {
		v := &cells[i]
		k := cellKind{source: v.Source, language: v.Language, sentiment: v.Sentiment, score: -1}
		if v.Score != nil {
			k.score = int(*v.Score)
		}
		for _, tag := range v.Tags {
			k.tags = append(k.tags, string(tag))
		}
		number := s.number(k)
		for hour, n := range v.Hours {
			if n != 0 {
				day.counts = append(day.counts, cellCount{number, uint8(hour), n}) //nolint:gosec // at most 23
			}
		}
		day.number++
		day.mentions += v.Mentions
		day.sum += v.Sum
		day.summed = day.summed && v.Summed == v.Mentions
		day.changed = day.changed || v.Changed
	}
	if day.cells == nil {
		day.cells = cells
	} else {
		day.cells = append(day.cells[:len(day.cells):len(day.cells)], cells...)
	}
}

// byName returns the days by their names in dayForm.
func (s *cellSet) byName() map[string]*dayCells {
	days := make(map[string]*dayCells, len(s.days))
	for at, day := range s.days {
		days[at.Format(dayForm)] = day
	}
	return days
}
