package main

import (
	"context"

	"earshot/functions/local/demo"
)

// prepareDemo puts the demo in: its workspaces with their keys, and what the setup engine reads of its company, the
// posts and the page. A page that was put there by a person stays.
func (w *workbench) prepareDemo(ctx context.Context) (*demo.Demo, error) {
	prepared, err := demo.Prepare(ctx, w.parts.Store, w.now.Now(), w.chosen.Data, w.base)
	if err != nil {
		return nil, err
	}
	if prepared, err = prepared.ServedAt(w.chosen.Data, w.base); err != nil {
		return nil, err
	}
	posts, err := demo.Archived(w.now.Now())
	if err != nil {
		return nil, err
	}
	if err := w.archive.add(ctx, posts); err != nil {
		return nil, err
	}
	if w.chosen.TableEndpoint == "" { // no other program adds posts
		if err := w.archive.buildAll(ctx); err != nil {
			return nil, err
		}
	}
	if !w.placed.Has(demo.Domain) {
		if _, err := w.placed.Put(demo.Domain, demo.Page); err != nil {
			return nil, err
		}
	}
	return &prepared, nil
}
