package mentionstore

import (
	"testing"

	"earshot/shared/port/table"
)

// BenchmarkRows writes and reads the row of a mention with a body of 111 bytes, in both forms.
func BenchmarkRows(b *testing.B) {
	m := everyday()
	for name, packs := range map[string]bool{"before": false, "packed": true} {
		item := fromMention("org_01M7W77J509CW50WXNDEDFQTS8", m, packs)
		b.Run("write/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				fromMention("org_01M7W77J509CW50WXNDEDFQTS8", m, packs)
			}
			b.ReportMetric(float64(table.Size(item)), "bytes")
		})
		b.Run("read/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				toMention(item)
			}
		})
	}
}
