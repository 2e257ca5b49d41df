package feature

// The parameters of FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/).
const (
	basis uint64 = 14695981039346656037
	prime uint64 = 1099511628211
)

func add(hash uint64, b byte) uint64 { return (hash ^ uint64(b)) * prime }

func hashed(text string) uint64 {
	hash := basis
	for i := range len(text) {
		hash = add(hash, text[i])
	}
	return hash
}

// mix spreads a hash over all its bits.
func mix(hash uint64) uint64 {
	hash ^= hash >> 29
	hash *= 0x9e3779b97f4a7c15 // 2^64 / golden ratio
	return hash ^ hash>>32
}

// bucket returns the bucket of a hash among 2^bits.
func bucket(hash uint64, bits uint) uint32 { return uint32(mix(hash) & (1<<bits - 1)) }

// A set is a set of buckets. A repeated feature counts once, because a line of one emoji would outweigh all words.
type set [1 << MaxBits / 64]uint64

// add adds a bucket and reports whether it is new.
func (s *set) add(bucket uint32) bool {
	word, bit := &s[bucket/64%uint32(len(s))], uint64(1)<<(bucket%64)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	return true
}
