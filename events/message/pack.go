package message

import (
	"unicode/utf8"

	"earshot/shared/port/queue"
	"earshot/shared/post"
)

// Pack writes posts into messages of the queue posts, in their order, of at most size bytes each; whatever the posts'
// texts hold, a queue takes them. Of a post that alone is larger the texts are cut, for JSON may need six bytes for one
// of theirs. A post that cannot be written at all (a rating that is no number, other fields that are too large) is left
// out and counted.
func Pack(posts []post.Post, size int) (messages [][]byte, left int) {
	const before, after = `{"posts":[`, "]}"
	var body []byte
	for _, p := range posts {
		written := fit(FromPost(p), size-len(before)-len(after))
		if written == nil {
			left++
			continue
		}
		if body != nil && len(body)+len(",")+len(written)+len(after) > size {
			messages = append(messages, append(body, after...))
			body = nil
		}
		if body == nil {
			body = []byte(before)
		} else {
			body = append(body, ',')
		}
		body = append(body, written...)
	}
	if body != nil {
		messages = append(messages, append(body, after...))
	}
	return messages, left
}

// fit writes a post within size bytes, the longer of its texts halved until it does; nil when it cannot be.
func fit(p Post, size int) []byte {
	for {
		written, err := queue.JSON(p)
		if err != nil {
			return nil
		}
		if len(written) <= size {
			return written
		}
		longest := &p.Body
		if length(p.Title) > length(p.Body) {
			longest = &p.Title
		}
		if length(*longest) < 2 {
			return nil
		}
		half := **longest
		half = half[:start(half, len(half)/2)]
		*longest = &half
	}
}

func length(text *string) int {
	if text == nil {
		return 0
	}
	return len(*text)
}

// start is where the character begins that the byte is part of.
func start(text string, at int) int {
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}
