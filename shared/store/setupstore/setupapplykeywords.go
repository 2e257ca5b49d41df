package setupstore

import (
	"context"
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/proposal/cleanup"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/rows"
)

// keywords decides what each chosen ref stands for: the keyword that was made of it, an existing keyword, or a new one.
// An option sets the terms of its keyword.
func (a *application) keywords(ctx context.Context, choice SetupChoice) error {
	options := map[string]proposal.Option{} // by the keyword's ref
	for _, o := range a.run.Proposal.Options {
		if slices.Contains(choice.Options, o.ID) {
			options[o.KeywordRef] = o
		}
	}
	fresh := map[table.Key]int64{} // texts to the ids that they get
	for _, k := range a.run.Proposal.Keywords {
		if text := listenstore.KeywordTextKey(
			a.orgID, k.Keyword,
		); slices.Contains(choice.Keywords, k.Ref) && !a.made(k.Ref) &&
			a.rows[text] == nil {
			fresh[text] = 0
		}
	}
	if err := a.roomFor(len(fresh)); err != nil {
		return err
	}
	ids, err := a.store.next(ctx, a.orgID, rows.SequenceOfKeywords, &a.drawn.keywords, len(fresh))
	if err != nil {
		return err
	}
	a.tied = map[string]int64{}
	for _, k := range a.run.Proposal.Keywords {
		var option *proposal.Option
		if o, chosen := options[k.Ref]; chosen {
			option = &o
		}
		wanted := slices.Contains(choice.Keywords, k.Ref)
		text := listenstore.KeywordTextKey(a.orgID, k.Keyword)
		switch earlier := a.known.Keywords[k.Ref]; {
		case a.made(k.Ref) && a.rows[rows.KeywordKey(a.orgID, earlier.ID)] == nil:
			if wanted {
				a.skip(k.Ref, SkipDeleted, earlier.ID)
			}
			if option != nil {
				a.skip(option.ID, SkipDeleted, earlier.ID)
			}
		case a.made(k.Ref):
			a.tied[k.Ref] = earlier.ID
			a.again(k, wanted, option)
		case !wanted && a.rows[text] != nil && earlier.Run == a.run.Number:
			a.tied[k.Ref] = rows.Integer(a.rows[text], "id")
			if option != nil {
				a.skip(option.ID, SkipTracked, a.tied[k.Ref])
			}
		case wanted && a.rows[text] != nil:
			a.link(k, rows.Integer(a.rows[text], "id"), option)
		case wanted && fresh[text] != 0:
			a.link(k, fresh[text], option)
		case wanted:
			fresh[text], ids = ids[0], ids[1:]
			a.create(k, fresh[text], option)
		case option != nil: // of a keyword that was there and is no more
			a.skip(option.ID, SkipDeleted, earlier.ID)
		}
	}
	if a.heavier > 0 && rows.Integer(a.rows[a.listener()], "weight")+int64(a.heavier) > keyword.MaxTogether {
		return listenstore.ErrKeywordTooLarge
	}
	return nil
}

// made reports whether a keyword was made of a ref of this run.
func (a *application) made(ref string) bool {
	k, known := a.known.Keywords[ref]
	return known && k.Made && k.Run == a.run.Number
}

func (a *application) roomFor(more int) error {
	have := int(rows.Integer(a.rows[a.listener()], "keywords"))
	if more > 0 && have+more > a.limit {
		return &KeywordRoomError{Have: have, New: more, Limit: a.limit}
	}
	return nil
}

func (a *application) note(ref string, k madeKeyword) {
	if a.known.Keywords == nil {
		a.known.Keywords = map[string]madeKeyword{}
	}
	k.Run = a.run.Number
	a.known.Keywords[ref], a.noted = k, true
}

// link ties a ref to an existing keyword of the workspace, which stays as it is.
func (a *application) link(k proposal.Keyword, id int64, option *proposal.Option) {
	a.tied[k.Ref] = id
	text := k.Keyword
	if row := a.rows[rows.KeywordKey(a.orgID, id)]; row != nil {
		text = rows.Text(row, "text")
	}
	a.done.Keywords = append(a.done.Keywords, AppliedKeyword{Ref: k.Ref, ID: id, Text: text})
	a.skip(k.Ref, SkipTracked, id)
	if option != nil {
		a.skip(option.ID, SkipTracked, id)
	}
	if earlier := a.known.Keywords[k.Ref]; earlier.ID != id || earlier.Run != a.run.Number {
		a.note(k.Ref, madeKeyword{ID: id})
	}
}

// create makes a keyword as it listens until the clean-up, and stores the settings that wait for the clean-up.
func (a *application) create(k proposal.Keyword, id int64, option *proposal.Option) {
	noted := madeKeyword{ID: id, By: a.by, Made: true}
	if option != nil {
		k, noted.Option = k.With(*option), option.ID
		a.done.Options = append(a.done.Options, AppliedOption{option.ID, k.Ref})
	}
	written, waits := cleanup.Split(k)
	written.ID = id
	text, row := a.store.listen.PutKeyword(a.orgID, &written)
	a.writes = append(a.writes, text, row)
	put := fromPending(a.orgID, pending{KeywordID: id, DraftID: a.draft.ID, Ref: k.Ref, Waits: waits, revision: 1})
	put.If = table.Absent()
	a.writes = append(a.writes, put)
	a.added, a.heavier = a.added+1, a.heavier+written.Weight()
	a.tied[k.Ref] = id
	a.done.Keywords = append(a.done.Keywords, AppliedKeyword{Ref: k.Ref, ID: id, Text: written.Text, Created: true})
	noted.Terms = written.AdditionalTerms
	a.note(k.Ref, noted)
}

// again reports a keyword that was made before, and gives it another option.
func (a *application) again(k proposal.Keyword, wanted bool, option *proposal.Option) {
	earlier := a.known.Keywords[k.Ref]
	row := a.rows[rows.KeywordKey(a.orgID, earlier.ID)]
	if wanted {
		a.done.Keywords = append(
			a.done.Keywords,
			AppliedKeyword{Ref: k.Ref, ID: earlier.ID, Text: rows.Text(row, "text"), Created: earlier.By == a.by},
		)
	}
	switch {
	case option == nil && (!wanted || earlier.Option == ""):
	case option == nil, option.ID == earlier.Option:
		a.done.Options = append(a.done.Options, AppliedOption{earlier.Option, k.Ref})
	case !slices.Equal(rows.Texts(row, "terms"), append([]string{}, earlier.Terms...)),
		(option.Platforms != nil || a.narrows(earlier.Option)) && !a.listensAsMade(k, row, earlier.Option):
		a.skip(option.ID, SkipChanged, earlier.ID)
	default:
		a.done.Options = append(a.done.Options, AppliedOption{option.ID, k.Ref})
		earlier.Terms = a.rescope(k, row, *option, a.narrows(earlier.Option))
		earlier.Option = option.ID
		a.note(k.Ref, earlier)
	}
}

// narrows reports whether an option narrows its keyword's platforms.
func (a *application) narrows(option string) bool {
	return slices.ContainsFunc(a.run.Proposal.Options, func(o proposal.Option) bool {
		return o.ID == option && o.Platforms != nil
	})
}

// listensAsMade reports whether a keyword that was made with an option, or with none, has the platforms that it got.
func (a *application) listensAsMade(k proposal.Keyword, row table.Item, option string) bool {
	for _, o := range a.run.Proposal.Options {
		if o.ID == option {
			k = k.With(o)
		}
	}
	made, _ := cleanup.Split(k)
	return slices.Equal(listenstore.ToKeyword(row).Platforms, made.Platforms)
}

// rescope gives a keyword that is as it was made the terms of another option, or lets those terms wait in place of the
// waiting ones. It gives the keyword the option's platforms where either option narrows them. Returns the terms that it
// writes.
func (a *application) rescope(k proposal.Keyword, row table.Item, o proposal.Option, narrowed bool) (written []string) {
	k = k.With(o)
	as, waits := cleanup.Split(k)
	changed := listenstore.ToKeyword(row)
	elsewhere := (narrowed || o.Platforms != nil) && !slices.Equal(changed.Platforms, as.Platforms)
	if elsewhere {
		changed.Platforms = as.Platforms
	}
	if elsewhere || !slices.Equal(changed.AdditionalTerms, as.AdditionalTerms) {
		changed.AdditionalTerms = as.AdditionalTerms
		put, heavier := a.store.listen.RewriteKeyword(a.orgID, row, &changed)
		a.writes, a.heavier, a.changed = append(a.writes, put), a.heavier+heavier, true
	} else {
		a.writes = append(
			a.writes,
			table.Check{Table: rows.CoreTable, Key: table.KeyOf(row), If: table.Equal("rev", rows.Integer(row, "rev"))},
		)
	}
	ofTerms := func(c cleanup.Change) bool { return c.Setting == proposal.SettingAdditionalTerms }
	waits = slices.DeleteFunc(waits, func(c cleanup.Change) bool { return !ofTerms(c) })
	left := pending{KeywordID: changed.ID, DraftID: a.draft.ID, Ref: k.Ref}
	if item := a.rows[cleanupKey(a.orgID, changed.ID)]; item != nil {
		left = toPending(item)
	}
	left.Waits = append(slices.DeleteFunc(left.Waits, ofTerms), waits...)
	if write := left.write(a.orgID); write != nil {
		a.writes = append(a.writes, write)
	}
	return as.AdditionalTerms
}
