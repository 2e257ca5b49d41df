package main

import (
	"regexp"

	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/post"
	"earshot/shared/workspace"
)

// brands are companies whose names hardly mean anything else, each with what its own site says of it. They were chosen
// by how often titles name them, before anything was measured.
var brands = []workspace.Company{
	{Name: "Uber", Domain: "uber.com", Description: "An app that connects riders with drivers, and delivers food."},
	{Name: "Tesla", Domain: "tesla.com", Description: "Electric cars, batteries and solar panels."},
	{Name: "Facebook", Domain: "facebook.com", Description: "A social network that connects friends and family."},
	{Name: "Google", Domain: "google.com", Description: "A search engine with mail, maps and cloud services."},
	{Name: "Microsoft", Domain: "microsoft.com", Description: "Operating systems, office software and cloud services."},
	{Name: "Netflix", Domain: "netflix.com", Description: "Films and series, streamed."},
	{Name: "Intel", Domain: "intel.com", Description: "Processors for computers and servers."},
	{Name: "Samsung", Domain: "samsung.com", Description: "Phones, televisions and memory."},
	{Name: "GitHub", Domain: "github.com", Description: "A platform to host and review source code."},
	{Name: "Airbnb", Domain: "airbnb.com", Description: "Homes and experiences, rented by their hosts."},
}

// wordBrands are companies whose names are dictionary words and that titles mostly mean by them. A few titles of each
// use the word otherwise.
var wordBrands = []workspace.Company{
	{Name: "Twitter", Domain: "twitter.com", Description: "Short messages about what is happening."},
	{Name: "Amazon", Domain: "amazon.com", Description: "An online shop with cloud services for developers."},
	{Name: "Slack", Domain: "slack.com", Description: "A messaging app for teams."},
	{Name: "Yahoo", Domain: "yahoo.com", Description: "A web portal with mail, news and search."},
	{Name: "Stripe", Domain: "stripe.com", Description: "Payments infrastructure for the internet."},
	{Name: "Oracle", Domain: "oracle.com", Description: "Databases, business software and cloud services."},
	{Name: "Adobe", Domain: "adobe.com", Description: "Software for design, photos and documents."},
}

// measureBrands measures how many titles that name a brand the judge keeps for that brand.
func measureBrands(j *judge.Judge, folder string) ([]figure, error) {
	all, err := titles(folder)
	if err != nil {
		return nil, err
	}
	kept, spread := keptTitles(j, all, brands)
	words, wordsSpread := keptTitles(j, all, wordBrands)
	return []figure{
		{
			name:   "relevance: titles that name a distinctive brand, kept",
			value:  kept,
			floor:  0.97,
			spread: spread,
			format: accuracy,
		},
		{
			name:   "relevance: titles that name a brand that is a dictionary word, kept",
			value:  words,
			spread: wordsSpread,
			format: accuracy,
			note:   "by a profile of one sentence; no title was read, so that a few mean the word",
		},
	}, nil
}

// keptTitles returns the share of the titles naming a company that the judge keeps for it, and its standard error.
func keptTitles(j *judge.Judge, all []string, companies []workspace.Company) (share, spread float64) {
	right, named := map[string]int{}, map[string]int{}
	for _, company := range companies {
		k := keyword.Keyword{Text: company.Name, ExactMatch: true, Tag: keyword.OwnBrand}
		subject := j.Subject(company, k, nil)
		names := regexp.MustCompile(`(?i)\b` + company.Name + `\b`)
		for _, title := range all {
			if !names.MatchString(title) {
				continue
			}
			p := post.Post{Title: &title}
			named["all"]++
			if j.Judge(j.Read(&p), &p, []*judge.Subject{subject}).Score.Relevant() {
				right["all"]++
			}
		}
	}
	return recall(right, named)
}
