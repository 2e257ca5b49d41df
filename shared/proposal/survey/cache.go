package survey

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"earshot/shared/proposal"
)

const (
	// MaxEntry is how many bytes are kept under one key at most: less than a table's row holds.
	MaxEntry = 350<<10 - 1
	// maxText bounds, in bytes, a title or a body of a post of a survey: what a judge or a person reads of it.
	maxText = 4 << 10
	// leastText is below which posts are left out instead of being cut further.
	leastText = 256
	// maxPlain bounds what an entry is once it is read: far above what MaxEntry's posts can be, and no danger.
	maxPlain = 16 << 20
)

// key names what is asked, in 64 hexadecimal digits. The time is not in it: an entry says its own.
func (a *asking) key(kind string, t target, span string) string {
	digest := sha256.Sum256(fmt.Appendf(nil, "survey 2 %q %q %d %q %q", kind, a.about.Name, a.held, t.name, span))
	return hex.EncodeToString(digest[:])
}

// fresh says whether what was asked for then is good now.
func (a *asking) fresh(at time.Time) bool {
	age := a.s.o.Clock.Now().Sub(at)
	return age >= 0 && age < proposal.CachedFor
}

// recall reads an entry; one that cannot be read is one that is not there.
func (s *Survey) recall(ctx context.Context, key string, into any) bool {
	if s.o.Cache == nil {
		return false
	}
	packed, err := s.o.Cache.Cached(ctx, key)
	if err != nil {
		s.o.Log.WarnContext(ctx, "a source's kept answer cannot be read: it is asked again", "error", err)
		return false
	}
	if packed == nil {
		return false
	}
	content, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxPlain))
	if err == nil {
		err = json.Unmarshal(content, into)
	}
	if err != nil {
		s.o.Log.WarnContext(ctx, "a source's kept answer is damaged: it is asked again", "error", err)
	}
	return err == nil
}

// keep writes an entry. What is too large is shortened first, to half the bytes a text, again and again (page.shorten);
// what is too large even then is not kept. A cache that fails costs requests, and no answer.
func (s *Survey) keep(ctx context.Context, key string, entry any, shorten func(bound int)) {
	if s.o.Cache == nil {
		return
	}
	packed, err := pack(entry)
	for bound := maxText / 2; err == nil && len(packed) > MaxEntry && shorten != nil && bound > 0; bound /= 2 {
		shorten(bound)
		packed, err = pack(entry)
	}
	switch {
	case err != nil:
	case len(packed) > MaxEntry:
		err = fmt.Errorf("it has %d bytes, at most %d are kept", len(packed), MaxEntry)
	default:
		err = s.o.Cache.Cache(ctx, key, packed, proposal.CachedFor)
	}
	if err != nil {
		s.o.Log.WarnContext(ctx, "a source's answer cannot be kept", "error", err)
	}
}

// deflaters are kept for the next entry: the tables of each take longer to make than an entry to compress.
var deflaters = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // this level exists
	}
	return w
}}

func pack(entry any) ([]byte, error) {
	content, err := json.Marshal(entry)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	w.Reset(&packed)
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
