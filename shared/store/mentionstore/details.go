package mentionstore

import (
	"bytes"
	"encoding/binary"
	"math"
	"time"

	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// A packed row has what no index and no condition reads of its mention in one attribute, AttrDetails: a byte for the
// form, the number of bytes of the plain fields, the plain fields, and the others as deflated returns them. A field is
// its number, the length of its value and the value. Numbers are varints, and times are numbers of Unix milliseconds.
// What a mention lacks is no field. A reader passes over fields that it does not know.
const detailsForm = 1

// The fields of details. Stored rows need their numbers: append, and never change one.
const (
	_ = iota
	fieldURL
	fieldTitle
	fieldBody
	fieldAuthorName
	fieldAuthorAvatar
	fieldAuthorURL
	fieldComment
	fieldImageURL
	fieldObserved
	fieldStored
	fieldFeedback
	fieldJudgedScore
	fieldJudgedComment
	fieldKeyword   // the text of one, in the order of the facts' ids
	fieldAnnounced // the id of one feed
	fieldVector
	fieldRatingMax // a float64; of each review
	fieldResponse
	fieldResponseAt
	fieldTarget
	fieldVerified // 1 or 0
	fieldEdited
	fieldSentimentSet // of each mention whose sentiment a user set; it has no value
)

// details are fields in the making.
type details []byte

func (d *details) text(field byte, value string) {
	*d = appendText(append(*d, field), value)
}

func (d *details) textIf(field byte, value *string) {
	if value != nil {
		d.text(field, *value)
	}
}

// some sets a text that is not empty.
func (d *details) some(field byte, value string) {
	if value != "" {
		d.text(field, value)
	}
}

func (d *details) number(field byte, value int64) {
	d.text(field, string(binary.AppendVarint(nil, value)))
}

// time sets a time that rows can hold, as rows.FromTime writes it.
func (d *details) time(field byte, value time.Time) {
	if value = rows.ToTime(rows.FromTime(value)); !value.IsZero() {
		d.number(field, value.UnixMilli())
	}
}

// detailsOf returns the details of a mention, as a row has them.
func detailsOf(m *mention.Mention) []byte {
	plain, d := fieldsOf(m)
	short := deflated(d)
	if short == nil {
		plain = append(plain, d...)
	}
	content := append(binary.AppendUvarint([]byte{detailsForm}, uint64(len(plain))), plain...)
	return append(content, short...)
}

// detailsIn returns the details of a packed row of old if m has the same, and nil otherwise.
func detailsIn(row table.Item, old, m *mention.Mention) []byte {
	if old == nil || !packed(row) {
		return nil
	}
	plain, d := fieldsOf(old)
	if newPlain, newD := fieldsOf(m); !bytes.Equal(plain, newPlain) || !bytes.Equal(d, newD) {
		return nil
	}
	return rows.Bytes(row, rows.AttrDetails)
}

// fieldsOf returns the details that do not compress, and the others.
func fieldsOf(m *mention.Mention) (plain, d details) {
	if len(m.Vector) > 0 {
		plain.text(fieldVector, string(m.Vector)) // which does not compress
	}
	d.textIf(fieldTitle, m.Title)
	d.textIf(fieldBody, m.Body)
	d.some(fieldURL, m.URL)
	d.some(fieldAuthorName, m.AuthorName)
	d.textIf(fieldAuthorURL, m.AuthorURL)
	d.textIf(fieldAuthorAvatar, m.AuthorAvatar)
	d.some(fieldImageURL, m.ImageURL)
	for _, keyword := range m.Keywords {
		d.text(fieldKeyword, keyword.Text)
	}
	d.some(fieldComment, m.RelevanceComment)
	d.some(fieldJudgedComment, m.JudgedComment)
	if m.JudgedScore != nil {
		d.number(fieldJudgedScore, int64(*m.JudgedScore))
	}
	if m.FeedbackRelevant != nil {
		d.number(fieldFeedback, int64(*m.FeedbackRelevant))
	}
	d.time(fieldObserved, m.EngagementObservedAt)
	d.time(fieldEdited, m.EditedAt)
	if m.SentimentSet {
		d.text(fieldSentimentSet, "")
	}
	if millis := rows.FromMillis(m.StoredAt); millis != 0 {
		d.number(fieldStored, millis)
	}
	for _, id := range m.Announced {
		d.number(fieldAnnounced, id)
	}
	if r := m.Review; r != nil {
		d.text(fieldRatingMax, string(binary.BigEndian.AppendUint64(nil, math.Float64bits(r.RatingMax))))
		d.some(fieldResponse, r.Response)
		d.time(fieldResponseAt, r.ResponseAt)
		d.some(fieldTarget, r.TargetName)
		if r.Verified != nil {
			d.text(fieldVerified, string([]byte{toByte(*r.Verified)}))
		}
	}
	return plain, d
}

func toByte(is bool) byte {
	if is {
		return 1
	}
	return 0
}

// unpackDetails fills a mention with what detailsOf packed, and returns the texts of its keywords.
func unpackDetails(content []byte, m *mention.Mention) (keywords []string) {
	r := reader{rest: content}
	r.bytes(1)
	plain := r.bytes(r.number())
	i := inflaters.Get().(*inflater)
	defer inflaters.Put(i)
	for _, part := range [][]byte{plain, i.inflated(r.rest)} {
		fields := reader{rest: part}
		for len(fields.rest) > 0 {
			field := fields.bytes(1)[0]
			value := fields.bytes(fields.number())
			if field == fieldKeyword {
				keywords = append(keywords, string(value))
				continue
			}
			setDetail(m, field, value)
		}
	}
	return keywords
}

// setDetail sets what a field says of a mention.
func setDetail(m *mention.Mention, field byte, value []byte) {
	number := reader{rest: value}
	switch field {
	case fieldURL:
		m.URL = string(value)
	case fieldTitle:
		m.Title = new(string(value))
	case fieldBody:
		m.Body = new(string(value))
	case fieldAuthorName:
		m.AuthorName = string(value)
	case fieldAuthorAvatar:
		m.AuthorAvatar = new(string(value))
	case fieldAuthorURL:
		m.AuthorURL = new(string(value))
	case fieldComment:
		m.RelevanceComment = string(value)
	case fieldImageURL:
		m.ImageURL = string(value)
	case fieldObserved:
		m.EngagementObservedAt = time.UnixMilli(number.integer()).UTC()
	case fieldEdited:
		m.EditedAt = time.UnixMilli(number.integer()).UTC()
	case fieldSentimentSet:
		m.SentimentSet = true
	case fieldStored:
		m.StoredAt = rows.ToMillis(number.integer())
	case fieldFeedback:
		m.FeedbackRelevant = new(int(number.integer()))
	case fieldJudgedScore:
		m.JudgedScore = new(mention.Score(number.integer()))
	case fieldJudgedComment:
		m.JudgedComment = string(value)
	case fieldAnnounced:
		m.Announced = append(m.Announced, number.integer())
	case fieldVector:
		m.Vector = value
	case fieldRatingMax, fieldResponse, fieldResponseAt, fieldTarget, fieldVerified:
		setReview(m, field, value)
	}
}

func setReview(m *mention.Mention, field byte, value []byte) {
	if m.Review == nil {
		m.Review = &mention.Review{}
	}
	number := reader{rest: value}
	switch field {
	case fieldRatingMax:
		m.Review.RatingMax = number.float()
	case fieldResponse:
		m.Review.Response = string(value)
	case fieldResponseAt:
		m.Review.ResponseAt = time.UnixMilli(number.integer()).UTC()
	case fieldTarget:
		m.Review.TargetName = string(value)
	case fieldVerified:
		m.Review.Verified = new(len(value) > 0 && value[0] != 0)
	}
}
