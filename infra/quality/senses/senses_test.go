package main

import (
	"fmt"
	"testing"

	"earshot/shared/judge"
	"earshot/shared/post"
	"earshot/shared/proposal"
)

func says(id, text string, relevant bool) labelled {
	return labelled{post.Post{Source: sources[len(id)%2], SourceID: id, Body: &text}, relevant}
}

func TestMixed_Share(t *testing.T) {
	var own, noise []labelled
	for i := range 40 {
		own = append(own, says(fmt.Sprint("own", i), "x", true))
		noise = append(noise, says(fmt.Sprint("noise", i), "x", false))
	}
	relevant, all := 0, mixed(own, noise, 0.2)
	for _, p := range all {
		if p.relevant {
			relevant++
		}
	}
	if len(all) != 50 || relevant != 10 {
		t.Errorf("mixed(40, 40, 0.2) has %d posts, %d relevant, want 50 and 10", len(all), relevant)
	}
}

func TestCalled_Profile(t *testing.T) {
	m := called(company{Domain: "zorbly.example", Profile: proposal.Profile{
		Company:     "Zorbly",
		Description: "Zorbly sells lanterns at zorbly.example.",
		Products:    []string{"Zorbly Lamp"},
	}}, "wish")
	if m.profile.Company != "Wish" || m.profile.Description != "Wish sells lanterns at wish.example." ||
		m.profile.Products[0] != "Wish Lamp" {
		t.Errorf("called(wish) = %+v", m.profile)
	}
}

// Every relevant post is let through or lost to one cause.
func TestRate_Losses(t *testing.T) {
	j, err := judge.New()
	if err != nil {
		t.Fatal(err)
	}
	m := made{domain: "wish.example", profile: proposal.Profile{
		Company:       "Wish",
		Description:   "Lanterns, wicks and oil for ships and harbours.",
		IndustryTerms: []string{"ship lanterns"},
		Language:      "english",
	}}
	var posts []labelled
	for i := range 40 {
		meant := fmt.Sprintf("The lanterns of Wish light our ship and harbour, oil included, day %d", i)
		posts = append(
			posts,
			says(fmt.Sprint("meant", i), meant, true),
			says(fmt.Sprint("noise", i), fmt.Sprintf("I wish you a happy birthday and cake, friend %d", i), false),
			says(fmt.Sprint("more", i), fmt.Sprintf("They wish for holidays and sleep this summer, week %d", i), false),
		)
	}
	m.posts = posts
	dated(m.posts)
	r, err := rate(j, m, posts[:60], posts[60:])
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for _, n := range r.lost {
		lost += n
	}
	if r.relevant == 0 || r.judged.caught+lost != r.relevant {
		t.Errorf("rate() = %+v, which lets %d through and loses %d of %d", r, r.judged.caught, lost, r.relevant)
	}
	if r.judged.caught == 0 || r.judged.caught != r.judged.matched {
		t.Errorf("rate() lets through %+v, want relevant posts alone", r.judged)
	}
}
