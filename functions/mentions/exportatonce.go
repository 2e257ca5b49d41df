package mentions

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"time"

	"earshot/shared/mention"
	"earshot/shared/store/mentionstore"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
)

// Bounds of an export that is returned at once.
const (
	atOnceRows  = 1_000
	atOnceBytes = 4 << 20
	atOncePages = 15
	atOnceTime  = 5 * time.Second // before the last page is begun
)

// atOnce returns the file as a response; nil if it takes too long for that.
func (e export) atOnce(ctx context.Context, query mentionstore.MentionsQuery, body ExportMentions) (*web.Bytes, error) {
	var out bytes.Buffer
	file, err := mentionwire.NewFile(&out, body.Format)
	if err != nil {
		return nil, err
	}
	started := time.Now()
	for range atOncePages {
		if time.Since(started) > atOnceTime {
			return nil, nil
		}
		page, err := e.exports.Mentions(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("read mentions to export: %w", err)
		}
		for _, m := range page.Mentions {
			if err := file.Write(mentionwire.FromMention(m, body.Engagement)); err != nil {
				return nil, err
			}
		}
		if file.Rows() > atOnceRows || out.Len() > atOnceBytes {
			return nil, nil
		}
		if page.Next == "" {
			return e.closeFile(ctx, file, &out, body.Format)
		}
		query.After = page.Next
	}
	return nil, nil
}

func (e export) closeFile(
	ctx context.Context, file *mentionwire.File, out *bytes.Buffer, format mentionwire.Format,
) (*web.Bytes, error) {
	if err := file.Close(); err != nil {
		return nil, err
	}
	if out.Len() > atOnceBytes || web.Sent(out.Bytes()) > web.MaxSent {
		return nil, nil
	}
	web.SetHeader(ctx, "X-Total-Count", strconv.Itoa(file.Rows()))
	web.SetHeader(ctx, "Content-Disposition", `attachment; filename="`+format.FileName(e.clock.Now())+`"`)
	return &web.Bytes{ContentType: format.ContentType(), Body: out.Bytes()}, nil
}

// exampleFile returns the document's example of a CSV file.
func exampleFile() string {
	var out bytes.Buffer
	file, err := mentionwire.NewFile(&out, mentionwire.CSV)
	if err == nil {
		shown := example()
		shown.Timestamp = mention.Timestamp(time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC))
		err = file.Write(shown)
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		panic(fmt.Sprintf("mentions: %v", err)) // a mistake in the program: it writes to memory
	}
	return out.String()
}
