package files

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"earshot/shared/mention"
)

// Stamp returns a digest of the cells of a day, in whatever order they come. Cells that count nothing do not change it.
// Two days with the same stamp have the same counts.
func Stamp(cells []mention.Volume) string {
	var lines []string
	for _, cell := range cells {
		if cell.Mentions == 0 {
			continue
		}
		lines = append(lines, fmt.Sprintf("%q %d %v", cellOf(cell), cell.Mentions, cell.Hours))
	}
	slices.Sort(lines)
	digest := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(digest[:16])
}

// cellOf returns the properties that the mentions of a cell share.
func cellOf(cell mention.Volume) []string {
	score := "-"
	if cell.Score != nil {
		score = fmt.Sprint(int(*cell.Score))
	}
	properties := []string{cell.Day.UTC().Format(DayForm), cell.Source, string(cell.Sentiment), score, cell.Language}
	for _, tag := range cell.Tags {
		properties = append(properties, string(tag))
	}
	return properties
}

// A Count makes cells of mentions, as the store counts them.
type Count map[string]*mention.Volume

// Add counts a mention.
func (c Count) Add(m *mention.Mention) {
	posted := m.PostedAt.UTC()
	cell := mention.Volume{
		Day:       posted.Truncate(24 * time.Hour),
		Source:    strings.ToLower(m.Source),
		Sentiment: m.Sentiment,
		Score:     m.RelevanceScore,
		Language:  m.Language,
		Tags:      slices.Compact(slices.Sorted(slices.Values(m.Tags))),
	}
	key := fmt.Sprintf("%q", cellOf(cell))
	if c[key] == nil {
		c[key] = &cell
	}
	c[key].Mentions++
	c[key].Hours[posted.Hour()]++
}

// Stamp returns the digest of the counted mentions.
func (c Count) Stamp() string {
	cells := make([]mention.Volume, 0, len(c))
	for _, cell := range c {
		cells = append(cells, *cell)
	}
	return Stamp(cells)
}
